// Lists of scopes, as texts separated by spaces: which to ask for, and what more is wanted. Pure.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization

import type { AuthorizationServer } from '../protocol/index.ts';

type Scope = string | undefined;

export function uniteScopes(...scopes: readonly Scope[]): Scope {
  const all = new Set(scopes.flatMap((scope) => scope?.split(/\s+/) ?? []).filter(Boolean));
  return all.size === 0 ? undefined : [...all].join(' ');
}

/** Whether there is anything in `wanted` that is not in `had`. */
export function wantsMore(wanted: Scope, had: Scope): boolean {
  const known = new Set(had?.split(/\s+/));
  return (wanted?.split(/\s+/) ?? []).some((scope) => scope !== '' && !known.has(scope));
}

export interface ScopeSources {
  readonly configured: Scope;
  readonly challenged: Scope;
  /** With what was asked for before, where more is asked for. */
  readonly before: Scope;
}

/** What to ask for: what the refusal named, else what the resource says it has, else nothing. */
export function scopeToAsk(
  server: Pick<AuthorizationServer, 'resourceScopes' | 'offersOfflineAccess'>,
  { configured, challenged, before }: ScopeSources,
): Scope {
  const named = uniteScopes(before, configured, challenged);
  const scope = named ?? uniteScopes(server.resourceScopes?.join(' '));
  // Alone it would be all that is asked for, and narrow what is granted without being asked.
  return scope !== undefined && server.offersOfflineAccess
    ? uniteScopes(scope, 'offline_access')
    : scope;
}
