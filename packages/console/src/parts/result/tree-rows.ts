// A JSON value as the unfolded rows of a tree, one for each line on the screen, so that a list can draw only the visible rows.
// Pure.

import { isObject, type Json, pointerTo } from '@plugboard/base';

export interface TreeRow {
  /** The JSON pointer. */
  readonly id: string;
  readonly depth: number;
  /** The name of the property or the index of the item; `undefined` for the root. */
  readonly key: string | undefined;
  readonly type: 'object' | 'list' | 'text' | 'number' | 'boolean' | 'null';
  /** The text of a scalar; a summary of an object or list. */
  readonly text: string;
  readonly children: number;
  readonly isOpen: boolean;
}

const MOST_DEPTH = 200;
const LONGEST_TEXT = 10_000;

/** The outer levels are open by default; `toggled` has the pointers of rows for which it is the other way round. */
export interface Folding {
  readonly openDepth: number;
  readonly toggled: ReadonlySet<string>;
}

export function treeRows(value: Json, folding: Folding): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  addRows(rows, folding, { value, key: undefined, id: '', depth: 0 });
  return rows;
}

interface Place {
  readonly value: Json;
  readonly key: string | undefined;
  readonly id: string;
  readonly depth: number;
}

function addRows(rows: TreeRow[], folding: Folding, place: Place): void {
  const { value, key, id, depth } = place;
  const children = childrenOf(value);
  const isOpen =
    children.length > 0 &&
    depth < MOST_DEPTH &&
    depth < folding.openDepth !== folding.toggled.has(id);
  rows.push({
    id,
    depth,
    key,
    type: typeOf(value),
    text: textOf(value),
    children: children.length,
    isOpen,
  });
  if (!isOpen) return;
  for (const [name, child] of children) {
    addRows(rows, folding, { value: child, key: name, id: id + pointerTo(name), depth: depth + 1 });
  }
}

function childrenOf(value: Json): readonly (readonly [string, Json])[] {
  if (Array.isArray(value))
    return (value as readonly Json[]).map((one, index) => [String(index), one]);
  return isObject(value) ? Object.entries(value) : [];
}

function typeOf(value: Json): TreeRow['type'] {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string') return 'text';
  return typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'object';
}

function textOf(value: Json): string {
  if (Array.isArray(value)) return value.length === 1 ? '1 item' : `${value.length} items`;
  if (isObject(value)) {
    const count = Object.keys(value).length;
    return count === 1 ? '1 property' : `${count} properties`;
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}
