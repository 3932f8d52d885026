// The sign-in status of each remote server, from its entry and the stored credentials. Sends no request, runs
// nothing and shows no token.

import { join } from 'node:path';
import { type Clock, type Instant, type Logger, silentLogger, systemClock } from '@plugboard/base';
import type { AdmittedServer } from '../admission/index.ts';
import {
  type CredentialStore,
  type KnownSignIns,
  knownSignIns,
  refusalFiles,
  type SignInFacts,
  type SignInGrant,
  type RefusalMemory,
  type StatusProblem,
  vaultCredentials,
} from '../auth/index.ts';
import { fillSecrets, type RemoteEntry, secretsIn, withSecretsAsWritten } from '../config/index.ts';
import type { SecretReader } from '../connection/index.ts';
import type { HostEnvironment } from '../platform/index.ts';
import type { AuthorizationProblem } from '../protocol/index.ts';
import { type SecretStore, secretStore, userSecrets } from '../vault/index.ts';
import { storedSecrets } from './stored-secrets.ts';

export interface SignInStatus {
  readonly server: string;
  /** Without parts that may be secret. */
  readonly url: string;
  readonly account: string;
  /** Whether it is the account of the server's entry. Other stored accounts of the server are listed too. */
  readonly isInUse: boolean;
  readonly state: SignInState;
}

export type SignInState =
  | ({ readonly kind: 'signed-in'; readonly grant: SignInGrant } & Omit<SignInFacts, 'account'>)
  /** The stored credentials have expired and cannot be renewed. */
  | ({ readonly kind: 'expired' } & Omit<SignInFacts, 'account'>)
  /** The server required a sign-in, and the user has not signed in since. No requests are sent to it for now. */
  | {
      readonly kind: 'needs-sign-in';
      readonly since: Instant;
      readonly problem: AuthorizationProblem;
    }
  /** The server may not require a sign-in at all. */
  | { readonly kind: 'not-signed-in' }
  /** A token is requested when needed, without the user signing in. */
  | { readonly kind: 'machine'; readonly grant: SignInGrant }
  /** The entry states the `Authorization` header. */
  | { readonly kind: 'header' }
  /** The entry's headers helper may print the `Authorization` header. */
  | { readonly kind: 'helper' }
  | { readonly kind: 'unknown'; readonly reason: StatusProblem | { readonly kind: 'unresolved' } };

/** The parts of a remote server that concern signing in. */
export interface SignInSubject {
  readonly name: string;
  readonly written: RemoteEntry;
  /** Absent if a variable is missing. */
  readonly entry: RemoteEntry | undefined;
}

/** Where sign-ins and refused ones are kept. */
export interface KeptSignIns {
  readonly store: CredentialStore;
  readonly refusals: RefusalMemory;
}

export interface SignInPorts extends KeptSignIns {
  readonly secrets: SecretReader;
  readonly clock: Clock;
}

/** Those of the user: tokens in the store of secrets, and refusals in files. */
export function ownSignIns(
  { paths }: HostEnvironment,
  secrets: SecretStore,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): KeptSignIns {
  const folder = join(paths.state, 'auth');
  return {
    store: vaultCredentials({ secrets, folder, clock }),
    refusals: refusalFiles({ folder: join(folder, 'refusals'), clock, logger }),
  };
}

/** The user's sign-ins at the servers of a configuration; no host is needed. */
export function readSignIns(
  servers: readonly AdmittedServer[],
  environment: HostEnvironment,
  clock: Clock = systemClock,
): Promise<readonly SignInStatus[]> {
  const subjects = servers.flatMap((server) => signInSubject(server) ?? []);
  const own = secretStore(environment, { clock });
  return signInsOf(subjects, {
    ...ownSignIns(environment, own, { clock, logger: silentLogger }),
    secrets: storedSecrets(userSecrets(own)),
    clock,
  });
}

/** `undefined` for a local server, and for a suppressed duplicate. */
export function signInSubject(server: AdmittedServer): SignInSubject | undefined {
  const { name, written, resolved, admission } = server;
  if (admission.kind === 'suppressed' || !('url' in written)) return undefined;
  const entry = resolved.kind === 'ready' && 'url' in resolved.entry ? resolved.entry : undefined;
  return { name, written, entry };
}

/** In the order of the servers; the account in use comes first. */
export async function signInsOf(
  subjects: readonly SignInSubject[],
  ports: SignInPorts,
): Promise<readonly SignInStatus[]> {
  const each = await Promise.all(subjects.map((subject) => signInsAt(subject, ports)));
  return each.flat();
}

async function signInsAt(
  { name, written, entry }: SignInSubject,
  ports: SignInPorts,
): Promise<readonly SignInStatus[]> {
  const url = shownUrl(withSecretsAsWritten((entry ?? written).url));
  const only = (state: SignInState, account = accountOf(written)): readonly SignInStatus[] => [
    { server: name, url, account, isInUse: true, state },
  ];
  if (givesHeader(entry ?? written)) return only({ kind: 'header' });
  if (entry === undefined) return only({ kind: 'unknown', reason: { kind: 'unresolved' } });
  const { url: address, oauth, headers } = await filled(entry, ports);
  const known = await knownSignIns({ name, url: address, oauth, headers }, ports);
  if (!known.ok) return only({ kind: 'unknown', reason: known.error });
  const { account, grant, kept } = known.value;
  const now = ports.clock.now();
  const state = ownState(entry, known.value, now);
  const others = kept
    .filter((facts) => facts.account !== account)
    .map((facts): SignInStatus => ({
      server: name,
      url,
      account: facts.account,
      isInUse: false,
      state: signInState(facts, grant, now),
    }));
  return [...only(state, account), ...others];
}

function ownState(entry: RemoteEntry, known: KnownSignIns, now: Instant): SignInState {
  const { account, grant, kept, refusal } = known;
  if (refusal !== undefined) {
    return { kind: 'needs-sign-in', since: refusal.at, problem: refusal.problem };
  }
  const own = kept.find((facts) => facts.account === account);
  return own === undefined ? withoutToken(entry, known) : signInState(own, grant, now);
}

function signInState(facts: SignInFacts, grant: SignInGrant, now: Instant): SignInState {
  const { account: _, ...rest } = facts;
  const isOver = !rest.isRenewable && rest.expiresAt !== undefined && rest.expiresAt <= now;
  return isOver ? { kind: 'expired', ...rest } : { kind: 'signed-in', grant, ...rest };
}

function withoutToken(entry: RemoteEntry, { grant }: KnownSignIns): SignInState {
  if (grant !== 'authorization_code') return { kind: 'machine', grant };
  return { kind: entry.headersHelper === undefined ? 'not-signed-in' : 'helper' };
}

function givesHeader({ headers }: RemoteEntry): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}

/** A missing secret does not prevent the lookup: without it no token was obtained. */
async function filled(entry: RemoteEntry, { secrets }: SignInPorts): Promise<RemoteEntry> {
  const values = new Map<string, string>();
  for (const name of secretsIn(entry)) {
    const read = await secrets.get(name);
    values.set(name, read.ok ? (read.value ?? '') : '');
  }
  const whole = fillSecrets(entry, values);
  return whole.ok && 'url' in whole.value ? whole.value : entry;
}

function accountOf({ oauth }: RemoteEntry): string {
  const account = oauth?.['account'];
  return typeof account === 'string' ? account : 'default';
}

/** Does not parse the URL, since it may contain variables. */
function shownUrl(url: string): string {
  return url.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1').replace(/[?#].*$/s, '');
}
