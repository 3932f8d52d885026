// Compares two definitions part by part: every text, number and parameter name at its place. For a user who decides
// whether to accept a change. Pure.

import { isObject } from '@plugboard/base';
import { definitionParts, type PinnedDefinition } from './definition-hash.ts';

export interface DefinitionChange {
  readonly kind: 'added' | 'removed' | 'changed';
  /** The path to the part, from the outside in. */
  readonly path: readonly string[];
  /** A text as it is, any other value as JSON. */
  readonly before?: string;
  readonly after?: string;
}

const MAX_CHANGES = 1000;

/** In the order of paths. If `before` is `undefined`, everything is new. */
export function definitionChanges(
  before: PinnedDefinition | undefined,
  after: PinnedDefinition,
): readonly DefinitionChange[] {
  const old = leavesOf(before);
  const now = leavesOf(after);
  const keys = [...new Set([...old.keys(), ...now.keys()])].toSorted();
  return keys.flatMap((key) => change(old.get(key), now.get(key))).slice(0, MAX_CHANGES);
}

interface Leaf {
  readonly path: readonly string[];
  readonly text: string;
}

function change(before: Leaf | undefined, after: Leaf | undefined): readonly DefinitionChange[] {
  if (before === undefined) {
    return after === undefined ? [] : [{ kind: 'added', path: after.path, after: after.text }];
  }
  const { path } = before;
  if (after === undefined) return [{ kind: 'removed', path, before: before.text }];
  if (before.text === after.text) return [];
  return [{ kind: 'changed', path, before: before.text, after: after.text }];
}

function leavesOf(definition: PinnedDefinition | undefined): ReadonlyMap<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  if (definition === undefined) return leaves;
  const { name } = definition;
  if (name !== '') leaves.set('["name"]', { path: ['name'], text: name });
  collect(definitionParts(definition), [], leaves);
  return leaves;
}

function collect(value: unknown, path: readonly string[], leaves: Map<string, Leaf>): void {
  const inside = Array.isArray(value)
    ? value.map((item: unknown, index) => [String(index), item] as const)
    : isObject(value)
      ? Object.entries(value)
      : [];
  if (inside.length > 0) {
    for (const [key, item] of inside) collect(item, [...path, key], leaves);
  } else if (value !== undefined) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    leaves.set(JSON.stringify(path), { path, text });
  }
}
