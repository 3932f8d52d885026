// The structural difference of two JSON values. Properties are matched by name, list items by identity: items with the same
// `id`, `uri`, `name` or `key` are the same item. Bounded in depth and in the number of compared values; everything beyond is
// compared as a whole. Pure.

import { diffArrays } from 'diff';
import { canonicalJson, isObject, type Json, type JsonObject } from '@plugboard/base';

export type JsonDiff =
  | { readonly kind: 'same'; readonly value: Json }
  | { readonly kind: 'added'; readonly after: Json }
  | { readonly kind: 'removed'; readonly before: Json }
  | { readonly kind: 'changed'; readonly before: Json; readonly after: Json }
  | { readonly kind: 'object'; readonly entries: readonly DiffEntry[] }
  | { readonly kind: 'list'; readonly entries: readonly DiffEntry[] };

export interface DiffEntry {
  /** The name of a property, or the index in the newer list; of a removed item, the index in the older one. */
  readonly key: string | number;
  readonly diff: JsonDiff;
}

const MOST_DEPTH = 60;
const MOST_VALUES = 100_000;
const MOST_EDITS = 500;

export function jsonDiff(before: Json, after: Json): JsonDiff {
  return compare(before, after, { budget: { left: MOST_VALUES }, depth: 0 });
}

interface Progress {
  readonly budget: { left: number };
  readonly depth: number;
}

function compare(before: Json, after: Json, progress: Progress): JsonDiff {
  progress.budget.left -= 1;
  if (Object.is(before, after)) return { kind: 'same', value: after };
  if (progress.depth >= MOST_DEPTH || progress.budget.left <= 0) return whole(before, after);
  const inner = { ...progress, depth: progress.depth + 1 };
  if (Array.isArray(before) && Array.isArray(after)) {
    return lists(before as readonly Json[], after as readonly Json[], inner);
  }
  if (isObject(before) && isObject(after)) {
    return objects(before, after, inner);
  }
  return whole(before, after);
}

function whole(before: Json, after: Json): JsonDiff {
  return isScalar(before) && before === after
    ? { kind: 'same', value: after }
    : { kind: 'changed', before, after };
}

function isScalar(value: Json): boolean {
  return typeof value !== 'object' || value === null;
}

/** In the order of the newer object, with removed properties at the end. */
function objects(before: JsonObject, after: JsonObject, progress: Progress): JsonDiff {
  const entries: DiffEntry[] = Object.entries(after).map(([key, value]) => {
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    return {
      key,
      diff: old === undefined ? { kind: 'added', after: value } : compare(old, value, progress),
    };
  });
  for (const [key, value] of Object.entries(before)) {
    if (!Object.hasOwn(after, key)) entries.push({ key, diff: { kind: 'removed', before: value } });
  }
  return isAllSame(entries) ? { kind: 'same', value: after } : { kind: 'object', entries };
}

function isAllSame(entries: readonly DiffEntry[]): boolean {
  return entries.every(({ diff }) => diff.kind === 'same');
}

function lists(before: readonly Json[], after: readonly Json[], progress: Progress): JsonDiff {
  const size = before.length + after.length;
  progress.budget.left -= size;
  const entries = progress.budget.left <= 0 ? undefined : aligned(before, after, progress);
  if (entries === undefined) return { kind: 'changed', before, after };
  return isAllSame(entries) ? { kind: 'same', value: after } : { kind: 'list', entries };
}

function aligned(
  before: readonly Json[],
  after: readonly Json[],
  progress: Progress,
): readonly DiffEntry[] | undefined {
  const changes = diffArrays(before.map(identity), after.map(identity), {
    maxEditLength: MOST_EDITS,
  });
  if (changes === undefined) return undefined;
  const entries: DiffEntry[] = [];
  const at = { before: 0, after: 0 };
  let removed: number[] = [];
  const flush = (): void => {
    for (const index of removed) {
      entries.push({ key: index, diff: { kind: 'removed', before: before[index] ?? null } });
    }
    removed = [];
  };
  for (const change of changes) {
    for (let left = change.value.length; left > 0; left -= 1) {
      if (change.removed) {
        removed.push(at.before);
        at.before += 1;
        continue;
      }
      const value = after[at.after] ?? null;
      // An item added in place of a removed one is compared with it.
      const old = change.added ? removed.shift() : at.before;
      if (!change.added) flush();
      const diff: JsonDiff =
        old === undefined
          ? { kind: 'added', after: value }
          : compare(before[old] ?? null, value, progress);
      entries.push({ key: at.after, diff });
      at.after += 1;
      if (!change.added) at.before += 1;
    }
  }
  flush();
  return entries;
}

const NAMES = ['id', 'uri', 'name', 'key'];

/** The identity of a list item. Items with the same identity are compared in detail. */
function identity(item: Json): string {
  if (isObject(item)) {
    for (const name of NAMES) {
      const value = Object.hasOwn(item, name) ? item[name] : undefined;
      if (typeof value === 'string' || typeof value === 'number') return `${name}:${value}`;
    }
  }
  return canonicalJson(item);
}

export interface DiffCounts {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

export function countsOf(diff: JsonDiff): DiffCounts {
  const counts = { added: 0, removed: 0, changed: 0 };
  const left = [diff];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (one.kind === 'object' || one.kind === 'list')
      left.push(...one.entries.map((entry) => entry.diff));
    else if (one.kind !== 'same') counts[one.kind] += 1;
  }
  return counts;
}
