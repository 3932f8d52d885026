// Lists of scopes, as text separated by spaces: which to request, and which are missing. Pure.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization

import type { AuthorizationServer } from '../protocol/index.ts';

type Scope = string | undefined;

export function uniteScopes(...scopes: readonly Scope[]): Scope {
  const all = new Set(scopes.flatMap((scope) => scope?.split(/\s+/) ?? []).filter(Boolean));
  return all.size === 0 ? undefined : [...all].join(' ');
}

/** Whether `wanted` contains a scope that `had` does not. */
export function wantsMore(wanted: Scope, had: Scope): boolean {
  const known = new Set(had?.split(/\s+/));
  return (wanted?.split(/\s+/) ?? []).some((scope) => scope !== '' && !known.has(scope));
}

export interface ScopeSources {
  readonly configured: Scope;
  readonly challenged: Scope;
  /** The scope that was requested before, if more is requested now. */
  readonly before: Scope;
}

/** Earlier, configured and challenged scopes; without any, those that the resource lists, or none. */
export function scopeToAsk(
  server: Pick<AuthorizationServer, 'resourceScopes' | 'offersOfflineAccess'>,
  { configured, challenged, before }: ScopeSources,
): Scope {
  const named = uniteScopes(before, configured, challenged);
  const scope = named ?? uniteScopes(server.resourceScopes?.join(' '));
  // Requested alone, it would narrow what the server grants by default.
  return scope !== undefined && server.offersOfflineAccess
    ? uniteScopes(scope, 'offline_access')
    : scope;
}
