// What a new configuration means for the servers of a running host. Pure: who is added, who goes, who starts again, and
// whether the new configuration is taken at all.

import type { Scope } from '../config/index.ts';
import type { Configuration } from '../sources/index.ts';
import type { KnownServer } from './known-servers.ts';

export interface ReloadPlan {
  readonly added: readonly KnownServer[];
  readonly removed: readonly KnownServer[];
  /** They are to be ended and, where they were in use, started as they are now. */
  readonly changed: readonly KnownServer[];
}

export function planReload(
  current: ReadonlyMap<string, KnownServer>,
  next: readonly KnownServer[],
): ReloadPlan {
  const names = new Set(next.map(({ facts }) => facts.name));
  const isChanged = ({ facts, identity }: KnownServer): boolean => {
    const before = current.get(facts.name);
    return before !== undefined && before.identity !== identity;
  };
  return {
    added: next.filter(({ facts }) => !current.has(facts.name)),
    removed: [...current.values()].filter(({ facts }) => !names.has(facts.name)),
    changed: next.filter(isChanged),
  };
}

const NEVER_AWAITED: ReadonlySet<Scope> = new Set(['enterprise', 'claude-code']);

/**
 * Files that could be read before and cannot now: an edit is in progress, and the earlier settings stay in
 * effect. Files of the machine's owner are not included: breaking one must not lift its rule. Nor is that of
 * Claude Code: changes by other programs must not hold up edits of ours.
 */
export function brokenSince(
  before: Pick<Configuration, 'files'>,
  now: Pick<Configuration, 'files'>,
): readonly string[] {
  const wasRead = new Set(
    before.files.filter(({ state }) => state === 'read').map(({ path }) => path),
  );
  return now.files
    .filter(
      ({ path, state, scope }) =>
        state === 'invalid' && !NEVER_AWAITED.has(scope) && wasRead.has(path),
    )
    .map(({ path }) => path);
}
