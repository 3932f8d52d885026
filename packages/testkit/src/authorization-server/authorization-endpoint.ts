// The authorization endpoint: a browser brings a client's request, and is redirected with a code. An invalid redirect
// address gets an error page; all other errors are sent to the client.

import { randomUUID } from 'node:crypto';
import { err, isUrl, ok, type Result } from '@plugboard/base';
import { type Answer, empty, html, type OAuthError, redirect } from './answer.ts';
import { allowsRedirect, type Client } from './client-registry.ts';
import { PATHS } from './metadata.ts';
import { consentPage, messagePage } from './pages.ts';
import { endpointOf, type Realm } from './realm.ts';
import type { LoggedRequest, Parameters } from './request-log.ts';
import { scopesOf } from './token-request.ts';
import type { CodeRequest } from './token-store.ts';

interface Return {
  readonly redirectUri: string;
  readonly state: string | undefined;
}

interface Ticket extends Return {
  readonly request: CodeRequest;
}

export class AuthorizationEndpoint {
  readonly #realm: Realm;
  /** Requests that wait for the user to press a button. */
  readonly #tickets = new Map<string, Ticket>();

  constructor(realm: Realm) {
    this.#realm = realm;
  }

  async open({ method, parameters }: LoggedRequest): Promise<Answer> {
    if (method !== 'GET') return empty(405);
    const client = await this.#realm.clients.find(parameters.client_id ?? '');
    if (client === undefined) return html(messagePage('Cannot sign in', 'Unknown client.'), 400);
    const redirectUri = parameters.redirect_uri ?? '';
    if (!allowsRedirect(client, redirectUri)) {
      return html(messagePage('Cannot sign in', 'Unknown redirect address.'), 400);
    }
    const back: Return = { redirectUri, state: parameters.state };
    const wrong = this.#realm.now.misbehaviour.authorizationError;
    if (wrong !== undefined) return this.#refuse(back, wrong);
    const request = this.#read(parameters, client);
    if (!request.ok) return this.#refuse(back, request.error);
    return this.#ask({ ...back, request: request.value }, client);
  }

  decide({ method, parameters }: LoggedRequest): Answer {
    if (method !== 'POST') return empty(405);
    const ticket = this.#tickets.get(parameters.ticket ?? '');
    if (ticket === undefined) return html(messagePage('Too late', 'Nothing to decide.'), 400);
    this.#tickets.delete(parameters.ticket ?? '');
    return parameters.decision === 'allow' ? this.#approve(ticket) : this.#deny(ticket);
  }

  #ask(ticket: Ticket, client: Client): Answer {
    const { approval } = this.#realm.now;
    if (approval === 'automatic') return this.#approve(ticket);
    if (approval === 'denied') return this.#deny(ticket);
    const id = randomUUID();
    this.#tickets.set(id, ticket);
    const { subject, scopes, resource } = ticket.request.grant;
    const action = endpointOf(this.#realm, PATHS.decision);
    const shown = { client: client.name, account: subject, scopes, resource, action, ticket: id };
    return html(consentPage(shown));
  }

  #approve(ticket: Ticket): Answer {
    return this.#return(ticket, { code: this.#realm.tokens.issueCode(ticket.request) });
  }

  #deny(back: Return): Answer {
    return this.#refuse(back, { error: 'access_denied', description: 'The user said no' });
  }

  #refuse(back: Return, { error, description }: OAuthError): Answer {
    const told = description === undefined ? {} : { error_description: description };
    return this.#return(back, { error, ...told });
  }

  #return(back: Return, parameters: Readonly<Record<string, string>>): Answer {
    const url = new URL(back.redirectUri);
    const state = stateIn(this.#realm, back.state);
    const iss = issuerIn(this.#realm);
    for (const [name, value] of Object.entries({ ...parameters, ...state, ...iss })) {
      url.searchParams.set(name, value);
    }
    return redirect(url.href);
  }

  #read(parameters: Parameters, client: Client): Result<CodeRequest, OAuthError> {
    const { settings, now } = this.#realm;
    const { code_challenge: challenge, resource, nonce, dpop_jkt: keyThumbprint } = parameters;
    if (parameters.response_type !== 'code') return err({ error: 'unsupported_response_type' });
    const unprotected = challenge === undefined || parameters.code_challenge_method !== 'S256';
    if (unprotected && (settings.pkce === 'required' || challenge !== undefined)) {
      return err({ error: 'invalid_request', description: 'PKCE with S256 is needed' });
    }
    const noResource = resource === undefined && settings.resourceIndicator === 'required';
    if (noResource || (resource !== undefined && !isResource(resource))) {
      return err({ error: 'invalid_target', description: 'resource is not an absolute address' });
    }
    const scopes = scopesOf(parameters.scope);
    if (scopes.some((scope) => !settings.scopesSupported.includes(scope))) {
      return err({ error: 'invalid_scope', description: 'an unknown scope was asked for' });
    }
    return ok({
      grant: {
        clientId: client.id,
        subject: now.account,
        scopes,
        ...(resource === undefined ? {} : { resource }),
        ...(keyThumbprint === undefined ? {} : { keyThumbprint }),
      },
      redirectUri: parameters.redirect_uri ?? '',
      ...(challenge === undefined ? {} : { challenge }),
      ...(nonce === undefined ? {} : { nonce }),
    });
  }
}

function isResource(resource: string): boolean {
  return isUrl(resource) && !resource.includes('#');
}

function stateIn({ now }: Realm, state: string | undefined): Record<string, string> {
  if (state === undefined || now.misbehaviour.state === 'missing') return {};
  return { state: now.misbehaviour.state === 'wrong' ? randomUUID() : state };
}

function issuerIn({ issuer, now }: Realm): Record<string, string> {
  const wrong = now.misbehaviour.iss;
  if (wrong === undefined) return { iss: issuer };
  if (wrong === 'missing') return {};
  if (wrong === 'normalised') return { iss: otherSpelling(issuer) };
  return { iss: wrong.forged };
}

/** An equal address after normalisation, but another string. */
function otherSpelling(issuer: string): string {
  return issuer.replace(/^http:/, 'HTTP:');
}
