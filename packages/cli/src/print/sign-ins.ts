// The sign-in status of each server, as a table and for programs. Never contains a token.

import type { ImportOutcome, SignInGrant, SignInState, SignInStatus } from '@plugboard/host';
import { type Column, table } from './table.ts';
import { ageOf, isoTime, remainingOf } from './times.ts';

export function signInTable(rows: readonly SignInStatus[], now: number, screen: number): string {
  const columns: readonly Column<SignInStatus>[] = [
    { title: 'NAME', cell: ({ server }) => server, isName: true },
    { title: 'STATE', cell: ({ state }) => state.kind },
    {
      title: 'ACCOUNT',
      cell: ({ account, isInUse }) => `${account}${isInUse ? '' : ' (not in use)'}`,
    },
    { title: 'TOKEN', cell: ({ state }) => tokenWords(state, now), from: 60 },
    { title: 'SIGNED IN', cell: ({ state }) => sinceWords(state, now), from: 100 },
    { title: 'SCOPES', cell: ({ state }) => scopesOf(state).join(' ') || '-', from: 100 },
    { title: 'AT', cell: ({ state, url }) => issuerOf(state) ?? url },
  ];
  return table(columns, rows, screen);
}

function tokenWords(state: SignInState, now: number): string {
  switch (state.kind) {
    case 'signed-in': {
      const { expiresAt, isRenewable } = state;
      if (expiresAt === undefined) return 'does not say when it ends';
      if (expiresAt <= now) return 'renewed at the next use';
      return `${isRenewable ? 'renewed' : 'ends'} ${remainingOf(expiresAt - now)}`;
    }
    case 'needs-sign-in':
      return `asked for ${ageOf(Math.max(0, now - state.since))}`;
    case 'expired':
      return `ended ${ageOf(now - (state.expiresAt ?? now))}`;
    case 'machine':
      return `got when needed (${GRANTS[state.grant]})`;
    case 'header':
      return 'written in its entry';
    case 'helper':
      return 'printed by its command';
    case 'unknown':
      return UNKNOWN[state.reason.kind];
    case 'not-signed-in':
      return '-';
    default:
      return state satisfies never;
  }
}

const GRANTS: Readonly<Record<SignInGrant, string>> = {
  authorization_code: 'a sign-in',
  client_credentials: 'client credentials',
  'jwt-bearer': 'workload identity',
  'cross-app-access': 'Cross-App Access',
};

const UNKNOWN = {
  unresolved: 'a variable of its entry is not set',
  'bad-settings': '"oauth" of its entry cannot be used',
  'store-failed': 'the store cannot be read',
} as const;

function sinceWords(state: SignInState, now: number): string {
  return 'obtainedAt' in state ? ageOf(Math.max(0, now - state.obtainedAt)) : '-';
}

function issuerOf(state: SignInState): string | undefined {
  if ('issuer' in state) return state.issuer;
  if (state.kind !== 'needs-sign-in' || !('issuer' in state.problem)) return undefined;
  return state.problem.issuer === '' ? undefined : state.problem.issuer;
}

function scopesOf(state: SignInState): readonly string[] {
  return 'scopes' in state ? state.scopes : [];
}

const NEEDS_SIGN_IN: ReadonlySet<SignInState['kind']> = new Set(['expired', 'needs-sign-in']);

/** The next command for servers that require a sign-in. */
export function signInHints(rows: readonly SignInStatus[]): string {
  return rows
    .filter(({ state, isInUse }) => isInUse && NEEDS_SIGN_IN.has(state.kind))
    .map(({ server }) => `Sign in: plugboard login ${server}\n`)
    .join('');
}

/** What `auth status --json` prints of one account at one server. */
export function signInForPrograms({ server, url, account, isInUse, state }: SignInStatus): object {
  const known = 'obtainedAt' in state ? state : undefined;
  return {
    name: server,
    url,
    account,
    isInUse,
    state: state.kind,
    grant: 'grant' in state ? state.grant : null,
    issuer: issuerOf(state) ?? null,
    scopes: known?.scopes ?? [],
    obtainedAt: known === undefined ? null : isoTime(known.obtainedAt),
    expiresAt: known?.expiresAt === undefined ? null : isoTime(known.expiresAt),
    isRenewable: known?.isRenewable ?? null,
  };
}

export type ImportedSignIn = Extract<ImportOutcome, { readonly kind: 'imported' }>;

export function importedWords(imported: ImportedSignIn, now: number): string {
  const { server, issuer, resource, client, account, expiresAt, isRenewable } = imported;
  const end =
    expiresAt === undefined ? 'does not say when it ends' : `ends ${endWords(expiresAt, now)}`;
  return `Imported a token for "${server}", account "${account}".
  issuer    ${issuer}
  resource  ${resource}
  client    ${client === '' ? '(none)' : client}
  It ${end}, and ${isRenewable ? 'is renewed by itself' : 'cannot be renewed'}.
`;
}

function endWords(expiresAt: number, now: number): string {
  return expiresAt > now ? remainingOf(expiresAt - now) : ageOf(now - expiresAt);
}

export function importedForPrograms(imported: ImportedSignIn): object {
  const { server, issuer, resource, client, account, scope, expiresAt, isRenewable } = imported;
  return {
    kind: 'imported',
    name: server,
    account,
    issuer,
    resource,
    client: client === '' ? null : client,
    scopes: scope?.split(' ') ?? [],
    expiresAt: expiresAt === undefined ? null : isoTime(expiresAt),
    isRenewable,
  };
}
