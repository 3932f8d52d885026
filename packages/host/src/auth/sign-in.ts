// One sign-in by the authorization code flow: a client, a page, a redirect, a token. Each sign-in has its own state,
// which is valid for one redirect. Stores the credential; the caller decides when to ask the user.

import { randomBytes } from 'node:crypto';
import { err } from '@plugboard/base';
import type { AuthorizationProblem } from '../protocol/index.ts';
import type { Browser, BrowserProblem } from './browser.ts';
import { clientForSignIn } from './choose-client.ts';
import type { Credential } from './credential.ts';
import { keepSignIn, type SignInTerms } from './keep-sign-in.ts';
import type { AuthorizationPorts, AuthorizationResult } from './ports.ts';
import { readRedirect } from './read-redirect.ts';

export interface SignIn extends SignInTerms {
  readonly browser: Browser;
  readonly signal: AbortSignal;
}

export async function signIn(
  options: SignIn,
  ports: AuthorizationPorts,
): AuthorizationResult<Credential> {
  const { server, settings, browser, scope, signal } = options;
  const { issuer } = server;
  const before = await ports.store.registrations.read({ issuer });
  if (!before.ok) return before;
  const begun = await browser.begin({
    port: settings.callbackPort,
    host: settings.callbackHost,
    known: before.value?.redirectUrl,
  });
  if (!begun.ok) return err(browserProblem(begun.error));
  await using visit = begun.value;
  const { redirectUrl } = visit;
  const client = await clientForSignIn(server, { settings, redirectUrl, scope }, ports);
  if (!client.ok) return client;
  const state = randomBytes(32).toString('base64url');
  const page = await server.begin({ client: client.value, redirectUrl, scope, state });
  if (!page.ok) return page;
  const returned = await visit.open(page.value.url, signal);
  if (!returned.ok) return err(browserProblem(returned.error));
  const redirect = readRedirect(returned.value, state, server);
  if (!redirect.ok) return redirect;
  const tokens = await server.redeem({
    ...redirect.value,
    client: client.value,
    verifier: page.value.verifier,
    redirectUrl,
    dpop: options.dpop,
  });
  if (!tokens.ok) return tokens;
  return await keepSignIn(options, { client: client.value, tokens: tokens.value }, ports);
}

function browserProblem({ kind }: BrowserProblem): AuthorizationProblem {
  return { kind: 'not-signed-in', reason: kind };
}
