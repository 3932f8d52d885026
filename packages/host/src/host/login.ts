// Signs in at a server or out, at the user's request, in any state of its connection. The new tokens are used from
// the next request on.

import { type Clock, type Instant, never, stayAlive } from '@plugboard/base';
import type { Authorizations, ImportProblem, LoginWay, Revocation } from '../auth/index.ts';
import type { Barrier, ConnectionFailure } from '../connection/index.ts';
import { askChallenge, type AuthorizationProblem } from '../protocol/index.ts';
import type { KnownServer } from './known-servers.ts';

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

export interface LoginPorts {
  readonly authorizations: Authorizations;
  readonly clock: Clock;
}

export interface LoginOptions {
  readonly way: LoginWay;
  /** The account; `oauth.account` of the entry by default. */
  readonly account?: string;
  readonly signal?: AbortSignal;
}

export type LogoutOptions = Pick<LoginOptions, 'account' | 'signal'>;

export async function login(
  server: KnownServer,
  { way, account: other, signal = never }: LoginOptions,
  { authorizations, clock }: LoginPorts,
): Promise<LoginOutcome> {
  // The user may take long, and the clock's timers do not keep the process alive.
  using _ = stayAlive();
  const { name } = server.facts;
  const launch = await launchOf(server, signal);
  if ('outcome' in launch) return launch.outcome;
  const authorization = authorizations.get(name, other);
  if (authorization === undefined) return { kind: 'no-login', server: name };
  const asked = await askChallenge(launch.launch, { clock, signal });
  if (!asked.ok) return { kind: 'unreached', server: name, failure: asked.error };
  const got = await authorization.login({ way, challenge: asked.value, signal });
  if (!got.ok) return { kind: 'not-signed-in', server: name, problem: got.error };
  const { issuer, account, scope } = got.value;
  return {
    kind: 'signed-in',
    server: name,
    issuer,
    account,
    ...(scope === undefined ? {} : { scope }),
  };
}

export async function logout(
  server: KnownServer,
  { account, signal = never }: LogoutOptions,
  { authorizations }: LoginPorts,
): Promise<LogoutOutcome> {
  const { name } = server.facts;
  const launch = await launchOf(server, signal);
  if ('outcome' in launch) return launch.outcome;
  const left = await authorizations.signOut(name, account);
  if (left === undefined) return { kind: 'no-login', server: name };
  if (!left.ok) return { kind: 'not-signed-out', server: name, problem: left.error };
  return left.value === undefined
    ? { kind: 'signed-out', server: name, wasSignedIn: false }
    : { kind: 'signed-out', server: name, wasSignedIn: true, revocation: left.value };
}

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

export async function importSignIn(
  server: KnownServer,
  { tokens, account: other, signal = never }: ImportOptions,
  { authorizations }: LoginPorts,
): Promise<ImportOutcome> {
  const { name } = server.facts;
  const launch = await launchOf(server, signal);
  if ('outcome' in launch) return launch.outcome;
  const got = await authorizations.import(name, tokens, other);
  if (got === undefined) return { kind: 'no-login', server: name };
  if (!got.ok) return { kind: 'not-imported', server: name, problem: got.error };
  const { issuer, resource, client, account, scope, expiresAt, refreshToken } = got.value;
  return {
    kind: 'imported',
    ...{ server: name, issuer, resource, client, account },
    ...(scope === undefined ? {} : { scope }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    isRenewable: refreshToken !== undefined,
  };
}

/** Prepares the launch, which registers its authorization with the secrets of the entry filled in. */
async function launchOf({ facts, supervised }: KnownServer, signal: AbortSignal) {
  const server = facts.name;
  const { barrier, launch: plan } = supervised;
  // Preparing runs the entry's helper, and signing in contacts the server. A disabled server is only not in use.
  if (barrier !== undefined && barrier.kind !== 'disabled') {
    return { outcome: { kind: 'barred', server, barrier } } as const;
  }
  if (!plan.ok) return { outcome: { kind: 'not-prepared', server, failure: plan.error } } as const;
  const prepared = await plan.value.prepare(signal);
  if (!prepared.ok) {
    return { outcome: { kind: 'not-prepared', server, failure: prepared.error } } as const;
  }
  const { launch } = prepared.value;
  return 'authorization' in launch && launch.authorization !== undefined
    ? { launch }
    : ({ outcome: { kind: 'no-login', server } } as const);
}
