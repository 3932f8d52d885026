// Authorizes requests to one server: with the stored credential, renewed before it expires and after a refusal,
// and with more scopes if the server asks for them. The user is asked only if there is a browser, and never in
// a loop.

import { abortable, err, ok, type Result, SingleFlight } from '@plugboard/base';
import {
  type AnsweredRequest,
  type AuthorizationPort,
  type AuthorizationProblem,
  type AuthorizationServer,
  type AuthorizationVerdict,
  type AuthorizedRequest,
  type Challenge,
  discoverAuthorization,
  type DpopKey,
  type KnownRefusal,
} from '../protocol/index.ts';
import { configuredClient } from './choose-client.ts';
import { type Credential, isExpiring, isSameServer, type ServerKey } from './credential.ts';
import { CredentialSource, type CredentialResult } from './credential-source.ts';
import type { LoginWay } from './login-way.ts';
import { isMachine } from './machine-grant.ts';
import type { AuthorizationPorts, AuthorizedServer } from './ports.ts';
import { isRemembered } from './refusal-memory.ts';
import { type Revocation, revokeCredential } from './revoke.ts';
import { uniteScopes, wantsMore } from './scopes.ts';
import { ServerMemory } from './server-memory.ts';
import { SignInBudget } from './sign-in-budget.ts';

/** How long a failed renewal is not repeated. */
const PAUSE_MS = 30_000;
const PASS: AuthorizationVerdict = { kind: 'pass' };

interface HeldCredential {
  readonly credential: Credential;
  readonly dpop: DpopKey | undefined;
}

export class ServerAuthorization implements AuthorizationPort {
  readonly #server: AuthorizedServer;
  readonly #ports: AuthorizationPorts;
  readonly #memory: ServerMemory;
  readonly #source: CredentialSource;
  readonly #budget: SignInBudget;
  readonly #flights = new SingleFlight<string, CredentialResult>();
  #loading: Promise<void> | undefined;
  #held: HeldCredential | undefined;
  #resourceMetadataUrl: URL | undefined;
  #renewNotBefore = 0;

  constructor(server: AuthorizedServer, ports: AuthorizationPorts) {
    this.#server = server;
    this.#ports = ports;
    this.#memory = new ServerMemory(server, ports);
    this.#source = new CredentialSource(server, ports);
    this.#budget = new SignInBudget(ports.clock);
  }

  async headersFor(
    request: AuthorizedRequest,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>>> {
    await abortable(this.#ensureLoaded(), signal);
    await abortable(this.#renewIfExpiring(), signal);
    if (this.#held === undefined) return {};
    const { credential, dpop } = this.#held;
    const { accessToken, kind } = credential;
    if (kind === 'bearer' || dpop === undefined) return { Authorization: `Bearer ${accessToken}` };
    const proof = await dpop.proofFor(request, accessToken);
    return { Authorization: `DPoP ${accessToken}`, DPoP: proof };
  }

  /** A request is useless if this host could not ask the user to sign in. */
  async refusal(): Promise<KnownRefusal | undefined> {
    const known = await this.#memory.refusal();
    const canAsk = this.#ports.browser !== undefined && known?.problem.kind === 'sign-in-needed';
    return canAsk ? undefined : known;
  }

  async judge(answer: AnsweredRequest, signal: AbortSignal): Promise<AuthorizationVerdict> {
    const { status, challenge, nonce, url, repeats } = answer;
    if (nonce !== undefined) this.#held?.dpop?.remember(url, nonce);
    if (
      status === 401 &&
      challenge.wantsNonce &&
      nonce !== undefined &&
      !repeats.includes('nonce')
    ) {
      return { kind: 'repeat', why: 'nonce' };
    }
    if (status === 401) return this.#afterRefusal(answer, signal);
    if (status !== 403 || challenge.error !== 'insufficient_scope') return PASS;
    return this.#afterInsufficientScope(answer, signal);
  }

  /** The user asks to sign in now. */
  async login(options: {
    readonly way: LoginWay;
    readonly challenge: Challenge;
    readonly signal: AbortSignal;
  }): Promise<CredentialResult> {
    this.#budget.reset();
    const found = await this.#discover(options.challenge);
    if (!found.ok) return found;
    const asked = { ...options, before: undefined };
    return this.#hold(
      isMachine(this.#server.settings)
        ? await this.#source.obtain(found.value, {
            ...asked,
            refused: this.#held?.credential.accessToken,
          })
        : await this.#source.signIn(found.value, asked),
    );
  }

  /** Deletes the credential, here and in the store, then revokes it. `undefined` if there was none. */
  async logout(): Promise<Result<Revocation | undefined, AuthorizationProblem>> {
    await this.#ensureLoaded();
    this.#held = undefined;
    const recalled = await this.#memory.recall();
    const forgotten = await this.#memory.forget();
    if (!forgotten.ok) return forgotten;
    const credential = recalled.ok ? recalled.value.credential : undefined;
    if (credential === undefined) return ok(undefined);
    const found = await this.#discover({ wantsNonce: false });
    const client = configuredClient(this.#server.settings) ?? credential.registered;
    return ok(await revokeCredential(credential, found, client));
  }

  /** Drops a credential that was deleted elsewhere. */
  drop(key: ServerKey): void {
    if (isSameServer(this.#memory.key, key)) this.#held = undefined;
  }

  get key(): ServerKey {
    return this.#memory.key;
  }

  #ensureLoaded(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<void> {
    const { logger } = this.#ports;
    const recalled = await this.#memory.recall();
    if (!recalled.ok) {
      logger.log('warn', 'could not read the credentials', { server: this.#server.name });
      return;
    }
    const { credential, resourceMetadataUrl: place } = recalled.value;
    if (place !== undefined) this.#resourceMetadataUrl = new URL(place);
    if (credential !== undefined) this.#held = await this.#withKey(credential);
  }

  async #renewIfExpiring(): Promise<void> {
    const { clock, logger } = this.#ports;
    const credential = this.#held?.credential;
    if (credential === undefined || !isExpiring(credential, clock.now())) return;
    const canRenew = credential.refreshToken !== undefined || isMachine(this.#server.settings);
    if (!canRenew || clock.elapsed() < this.#renewNotBefore) return;
    const renewed = await this.#flights.run('renew', () => this.#renewExpiring(credential));
    if (renewed.ok) return;
    // The server may still accept it; if it refuses, recovery starts then.
    this.#renewNotBefore = clock.elapsed() + PAUSE_MS;
    const reason = renewed.error.kind;
    logger.log('debug', 'could not renew a token', { server: this.#server.name, reason });
  }

  async #renewExpiring(credential: Credential): Promise<CredentialResult> {
    const found = await this.#discover({ wantsNonce: false });
    if (!found.ok) return found;
    if (found.value.issuer !== credential.issuer) {
      return err({ kind: 'sign-in-needed', issuer: found.value.issuer });
    }
    return this.#hold(await this.#source.renew(found.value, credential, undefined));
  }

  async #afterRefusal(answer: AnsweredRequest, signal: AbortSignal): Promise<AuthorizationVerdict> {
    const { challenge, given, repeats } = answer;
    const refused = tokenIn(given);
    const { credential } = this.#held ?? {};
    const renewals = repeats.filter((why) => why === 'renewed').length;
    // An earlier refused request has obtained another token already.
    if (renewals === 0 && credential !== undefined && credential.accessToken !== refused) {
      return { kind: 'repeat', why: 'renewed' };
    }
    if (renewals > 1) return this.#requireSignIn(refused);
    const mayRefresh = renewals === 0;
    const recovering = this.#flights.run(`recover ${mayRefresh}`, () =>
      this.#recover({ challenge, refused, mayRefresh }),
    );
    const got = await abortable(recovering, signal);
    if (got.ok) return { kind: 'repeat', why: 'renewed' };
    await this.#memory.rememberRefusal(got.error, refused);
    return { kind: 'refused', problem: got.error };
  }

  async #recover(refusal: {
    readonly challenge: Challenge;
    readonly refused: string | undefined;
    readonly mayRefresh: boolean;
  }): Promise<CredentialResult> {
    const { challenge, refused, mayRefresh } = refusal;
    const found = await this.#discover(challenge);
    if (!found.ok) return found;
    const server = found.value;
    const kept = await this.#memory.credentialAt(server);
    if (!kept.ok) return kept;
    const isFresh = (credential: Credential): boolean =>
      credential.accessToken !== refused && !isExpiring(credential, this.#ports.clock.now());
    if (kept.value !== undefined && isFresh(kept.value)) return this.#hold(ok(kept.value));
    if (isMachine(this.#server.settings)) {
      return this.#hold(
        await this.#source.obtain(server, { challenge, refused, before: undefined }),
      );
    }
    if (mayRefresh && kept.value?.refreshToken !== undefined) {
      const renewed = await this.#source.renew(server, kept.value, refused);
      if (renewed.ok) return this.#hold(renewed);
      // A temporary problem: the sign-in is still valid once renewal works again.
      if (!isRemembered(renewed.error) && this.#ports.browser === undefined) return renewed;
    }
    return this.#hold(await this.#askUser(server, { challenge, before: undefined }));
  }

  /** The server accepts the token, and requires more scopes. */
  async #afterInsufficientScope(
    { challenge, given }: AnsweredRequest,
    signal: AbortSignal,
  ): Promise<AuthorizationVerdict> {
    const { credential } = this.#held ?? {};
    if (credential === undefined) return PASS;
    if (credential.accessToken !== tokenIn(given)) return { kind: 'repeat', why: 'renewed' };
    const had = uniteScopes(credential.requestedScope, credential.scope);
    if (!wantsMore(challenge.scope, had)) {
      const scope = challenge.scope ?? '';
      return { kind: 'refused', problem: { kind: 'insufficient-scope', scope } };
    }
    const widening = this.#flights.run('widen', () => this.#widen(challenge, credential));
    const got = await abortable(widening, signal);
    return got.ok ? { kind: 'repeat', why: 'widened' } : { kind: 'refused', problem: got.error };
  }

  async #widen(
    challenge: Challenge,
    { requestedScope, accessToken }: Credential,
  ): Promise<CredentialResult> {
    const found = await this.#discover(challenge);
    if (!found.ok) return found;
    const wider = { challenge, before: requestedScope };
    return this.#hold(
      isMachine(this.#server.settings)
        ? await this.#source.obtain(found.value, { ...wider, refused: accessToken })
        : await this.#askUser(found.value, wider),
    );
  }

  /** Repeated each time: a server may have moved to another authorization server. */
  async #discover(
    challenge: Challenge,
  ): Promise<Result<AuthorizationServer, AuthorizationProblem>> {
    const { url, settings } = this.#server;
    const { fetch } = this.#ports;
    this.#resourceMetadataUrl = challenge.resourceMetadataUrl ?? this.#resourceMetadataUrl;
    const found = await discoverAuthorization(url, {
      fetch,
      resourceMetadataUrl: this.#resourceMetadataUrl,
      metadataUrl: settings.authServerMetadataUrl,
      issuer: settings.issuer,
    });
    return found.ok ? this.#memory.checkIssuer(found.value) : found;
  }

  /** Asks the user, who did not start this sign-in. */
  async #askUser(
    server: AuthorizationServer,
    options: { readonly challenge: Challenge; readonly before: string | undefined },
  ): Promise<CredentialResult> {
    const { browser, ending } = this.#ports;
    if (browser === undefined) return err({ kind: 'sign-in-needed', issuer: server.issuer });
    if (!this.#budget.take()) return err({ kind: 'asked-too-often' });
    return this.#source.signIn(server, {
      ...options,
      way: { kind: 'browser', browser },
      signal: ending,
    });
  }

  async #hold(got: CredentialResult): Promise<CredentialResult> {
    if (!got.ok) return got;
    const credential = got.value;
    this.#held = await this.#withKey(credential);
    this.#renewNotBefore = 0;
    const kept = await this.#memory.remember(credential, this.#resourceMetadataUrl?.href);
    return kept.ok ? got : kept;
  }

  async #withKey(credential: Credential): Promise<HeldCredential> {
    return { credential, dpop: await this.#source.keyFor(credential) };
  }

  async #requireSignIn(refused: string | undefined): Promise<AuthorizationVerdict> {
    const issuer = this.#held?.credential.issuer ?? '';
    const problem: AuthorizationProblem = { kind: 'sign-in-needed', issuer };
    await this.#memory.rememberRefusal(problem, refused);
    return { kind: 'refused', problem };
  }
}

function tokenIn({ Authorization = '' }: Readonly<Record<string, string>>): string | undefined {
  return Authorization === '' ? undefined : Authorization.replace(/^\S+ /, '');
}
