// Plans how a running host applies a new configuration: which servers are added, removed or restarted, and which broken
// files prevent it. Pure.

import type { Scope } from '../config/index.ts';
import type { Configuration } from '../sources/index.ts';
import type { KnownServer } from './known-servers.ts';

export interface ReloadPlan {
  readonly added: readonly KnownServer[];
  readonly removed: readonly KnownServer[];
  /** Servers to be stopped and, if they were in use, restarted with the new configuration. */
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
 * effect. Files of the machine's owner are not included: breaking one must not lift its rule. Nor is the file of
 * Claude Code: changes by other programs must not delay edits of Plugboard's files.
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
