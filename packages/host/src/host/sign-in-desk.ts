// Signs the user in at the servers of a host and out again, at the user's request, in any state of the connection. New
// tokens are used from the next request on. The caller decides whether the user may be asked to sign in.

import {
  definedFields,
  err,
  type Instant,
  never,
  ok,
  type Result,
  stayAlive,
} from '@plugboard/base';
import type { Authorizations, ImportProblem, LoginWay, Revocation } from '../auth/index.ts';
import type { Barrier, ConnectionFailure } from '../connection/index.ts';
import { askChallenge, type AuthorizationProblem, type RemoteLaunch } from '../protocol/index.ts';
import type { ServerSet } from './server-set.ts';
import { type SignInPorts, signInsOf, type SignInStatus } from './sign-ins.ts';

export type LoginOutcome =
  | {
      readonly kind: 'signed-in';
      readonly server: string;
      readonly issuer: string;
      readonly account: string;
      readonly scope?: string;
    }
  | {
      readonly kind: 'not-signed-in';
      readonly server: string;
      readonly problem: AuthorizationProblem;
    }
  | NoLogin;

export type LogoutOutcome =
  | { readonly kind: 'signed-out'; readonly server: string; readonly wasSignedIn: false }
  | {
      readonly kind: 'signed-out';
      readonly server: string;
      readonly wasSignedIn: true;
      /** The credentials are removed here in any case. */
      readonly revocation: Revocation;
    }
  | {
      readonly kind: 'not-signed-out';
      readonly server: string;
      readonly problem: AuthorizationProblem;
    }
  | NoLogin;

/** Why signing in is not possible at a server. */
export type NoLogin =
  | { readonly kind: 'unknown-server'; readonly server: string }
  /** The server is local, or its entry states the `Authorization` header. */
  | { readonly kind: 'no-login'; readonly server: string }
  | { readonly kind: 'not-prepared'; readonly server: string; readonly failure: ConnectionFailure }
  /** The server itself cannot be reached, so it cannot say how to sign in. */
  | { readonly kind: 'unreached'; readonly server: string; readonly failure: ConnectionFailure }
  /** The server may not be contacted: it is not trusted, or a rule blocks it. */
  | { readonly kind: 'barred'; readonly server: string; readonly barrier: Barrier };

export interface LoginOptions {
  readonly way: LoginWay;
  /** The account; `oauth.account` of the entry by default. */
  readonly account?: string;
  readonly signal?: AbortSignal;
}

export type LogoutOptions = Pick<LoginOptions, 'account' | 'signal'>;

export interface ImportOptions {
  /** The answer of a token endpoint, optionally with the issuer and the client. */
  readonly tokens: unknown;
  /** The account; `oauth.account` of the entry by default. */
  readonly account?: string;
  readonly signal?: AbortSignal;
}

export type ImportOutcome =
  | {
      readonly kind: 'imported';
      readonly server: string;
      readonly issuer: string;
      readonly resource: string;
      /** Empty if unknown. */
      readonly client: string;
      readonly account: string;
      readonly scope?: string;
      readonly expiresAt?: Instant;
      readonly isRenewable: boolean;
    }
  | { readonly kind: 'not-imported'; readonly server: string; readonly problem: ImportProblem }
  | NoLogin;

export interface SignInDeskPorts {
  readonly servers: Pick<ServerSet, 'get' | 'all' | 'ready' | 'forgetList'>;
  readonly authorizations: Authorizations;
  readonly kept: SignInPorts;
}

export class SignInDesk {
  readonly #ports: SignInDeskPorts;

  constructor(ports: SignInDeskPorts) {
    this.#ports = ports;
  }

  async login(
    server: string,
    { way, account: other, signal = never }: LoginOptions,
  ): Promise<LoginOutcome> {
    // The user may take long, and the clock's timers do not keep the process alive.
    using _ = stayAlive();
    const { servers, authorizations, kept } = this.#ports;
    // The stored list may depend on the account.
    servers.forgetList(server);
    const launch = await this.#launchOf(server, signal);
    if (!launch.ok) return launch.error;
    const authorization = authorizations.get(server, other);
    if (authorization === undefined) return { kind: 'no-login', server };
    const asked = await askChallenge(launch.value, { clock: kept.clock, signal });
    if (!asked.ok) return { kind: 'unreached', server, failure: asked.error };
    const got = await authorization.login({ way, challenge: asked.value, signal });
    if (!got.ok) return { kind: 'not-signed-in', server, problem: got.error };
    const { issuer, account, scope } = got.value;
    return { kind: 'signed-in', server, issuer, account, ...definedFields({ scope }) };
  }

  async logout(server: string, { account, signal = never }: LogoutOptions): Promise<LogoutOutcome> {
    const { servers, authorizations } = this.#ports;
    servers.forgetList(server);
    const launch = await this.#launchOf(server, signal);
    if (!launch.ok) return launch.error;
    const left = await authorizations.signOut(server, account);
    if (left === undefined) return { kind: 'no-login', server };
    if (!left.ok) return { kind: 'not-signed-out', server, problem: left.error };
    return left.value === undefined
      ? { kind: 'signed-out', server, wasSignedIn: false }
      : { kind: 'signed-out', server, wasSignedIn: true, revocation: left.value };
  }

  async import(
    server: string,
    { tokens, account: other, signal = never }: ImportOptions,
  ): Promise<ImportOutcome> {
    const launch = await this.#launchOf(server, signal);
    if (!launch.ok) return launch.error;
    const got = await this.#ports.authorizations.import(server, tokens, other);
    if (got === undefined) return { kind: 'no-login', server };
    if (!got.ok) return { kind: 'not-imported', server, problem: got.error };
    const { issuer, resource, client, account, scope, expiresAt, refreshToken } = got.value;
    return {
      kind: 'imported',
      ...{ server, issuer, resource, client, account },
      ...definedFields({ scope, expiresAt }),
      isRenewable: refreshToken !== undefined,
    };
  }

  statuses(): Promise<readonly SignInStatus[]> {
    const { servers, kept } = this.#ports;
    return signInsOf(
      servers.all.flatMap(({ signIn }) => signIn ?? []),
      kept,
    );
  }

  /** The servers that are known to require a sign-in first. Sends no request. */
  async waiting(names: readonly string[]): Promise<ReadonlySet<string>> {
    const { servers, authorizations } = this.#ports;
    const found = await Promise.all(
      names.map(async (server) => {
        if (servers.ready(server) !== undefined) return [];
        const isKnown = (await authorizations.get(server)?.refusal?.()) !== undefined;
        return isKnown ? [server] : [];
      }),
    );
    return new Set(found.flat());
  }

  /** Prepares the launch, which registers its authorization with the secrets of the entry filled in. */
  async #launchOf(server: string, signal: AbortSignal): Promise<Result<RemoteLaunch, NoLogin>> {
    const known = this.#ports.servers.get(server);
    if (known === undefined) return err({ kind: 'unknown-server', server });
    const { barrier, launch: plan } = known.supervised;
    // Preparing runs the entry's helper, and signing in contacts the server. A disabled server is only not in use.
    if (barrier !== undefined && barrier.kind !== 'disabled') {
      return err({ kind: 'barred', server, barrier });
    }
    if (!plan.ok) return err({ kind: 'not-prepared', server, failure: plan.error });
    const prepared = await plan.value.prepare(signal);
    if (!prepared.ok) return err({ kind: 'not-prepared', server, failure: prepared.error });
    const { launch } = prepared.value;
    return 'authorization' in launch && launch.authorization !== undefined
      ? ok(launch)
      : err({ kind: 'no-login', server });
  }
}
