// Decides which processes of the machine belong to a started program, from one snapshot and from what earlier snapshots
// found. Pure.

import type { ProcessFacts } from '@plugboard/base/platform';
import type { ProcessTable } from './process-table.ts';

export interface TreeRoot {
  readonly pid: number;
  /** Its start time; descendants are not older. 0 if unknown. */
  readonly start: number;
  /** Its mark, and the other ends of its pipes. */
  readonly signs: readonly string[];
  /** The session of the process that started it. A member began every other session that members are in. */
  readonly outerSession: number | undefined;
}

export interface EarlierLooks {
  /** Members that were found, by number. */
  readonly known: ReadonlyMap<number, ProcessFacts>;
  /** Whether the group with the number of the root is still the root's. */
  readonly leadsGroup: boolean;
}

export function findMembers(
  table: ProcessTable,
  root: TreeRoot,
  { known, leadsGroup }: EarlierLooks,
): ReadonlyMap<number, ProcessFacts> {
  const members = new Map<number, ProcessFacts>();
  const sessions = new Set([root.outerSession, undefined]);
  const found = [
    ...[...known.values()].flatMap(({ pid, start }) => {
      const facts = table.get(pid);
      return facts?.start === start ? [facts] : [];
    }),
    ...(leadsGroup ? table.group(root.pid) : []),
    ...root.signs.flatMap((sign) => table.withSign(sign)),
  ];
  // Each member brings its children, and the session that it is in.
  for (let facts = found.pop(); facts !== undefined; facts = found.pop()) {
    if (members.has(facts.pid) || facts.start < root.start) continue;
    members.set(facts.pid, facts);
    found.push(...table.childrenOf(facts.pid));
    const { session } = facts;
    if (session === undefined || sessions.has(session)) continue;
    sessions.add(session);
    found.push(...table.session(session));
  }
  return members;
}

/** The number of processes in a tree, as far as no parent in between has ended. */
export function countWithDescendants(table: ProcessTable, pid: number): number {
  const found = new Set<number>();
  const open = [pid];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next) || table.get(next) === undefined) continue;
    found.add(next);
    open.push(...table.childrenOf(next).map((child) => child.pid));
  }
  return found.size;
}
