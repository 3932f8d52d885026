// Adds, replaces or removes one server in the text of another host's JSON file, and leaves everything else as
// it is. A text with an error is not changed. Pure.

import { err, ok, type Result } from '@plugboard/base';
import type { Node } from 'jsonc-parser';
import {
  insertProperty,
  nodeValue,
  parseDocument,
  propertyNamed,
  removeProperty,
  replaceValue,
} from '../config/index.ts';
import type { EntryEdit, EntryText } from './entry-text.ts';

const EMPTY = '{}\n';

export function editJson(
  text: string,
  { path, name, value, emptyMap }: EntryEdit,
): Result<EntryText, 'invalid'> {
  const given = text.trim() === '' ? EMPTY : text;
  const document = parseDocument(given);
  if (document.kind !== 'tree' || document.problems.length > 0) return err('invalid');
  if (document.root?.type !== 'object') return err('invalid');
  let map: Node = document.root;
  for (const [index, key] of path.entries()) {
    const next = propertyNamed(map, key)?.value;
    if (next === undefined) {
      if (value === undefined) return ok({ text, before: undefined });
      const rest = [...path.slice(index + 1), name];
      const nested = rest.reduceRight<unknown>((inner, each) => ({ [each]: inner }), value);
      return ok({
        text: insertProperty(given, map, { name: key, value: nested }),
        before: undefined,
        madeMap: true,
      });
    }
    if (next.type !== 'object') return err('invalid');
    map = next;
  }
  const property = propertyNamed(map, name);
  if (property?.value === undefined) {
    return ok({
      text: value === undefined ? text : insertProperty(given, map, { name, value }),
      before: undefined,
    });
  }
  const before = nodeValue(property.value);
  if (value !== undefined) {
    return ok({ text: replaceValue(given, map, { property, value }), before });
  }
  const without = removeProperty(given, map, property);
  return ok({ text: emptyMap === 'remove' ? withoutEmptyMap(without, path) : without, before });
}

/** Removes the map of servers if it contains neither a server nor a comment. */
function withoutEmptyMap(text: string, path: readonly string[]): string {
  const document = parseDocument(text);
  let parent = document.kind === 'tree' ? document.root : undefined;
  for (const key of path.slice(0, -1)) parent = propertyNamed(parent, key)?.value;
  const key = path.at(-1) ?? '';
  const map = propertyNamed(parent, key);
  if (parent === undefined || map === undefined) return text;
  const without = removeProperty(text, parent, map);
  const gone = bareLength(text) - bareLength(without);
  return gone === bareLength(`${JSON.stringify(key)}:{}`) ? without : text;
}

/** The length without blanks and commas. */
function bareLength(text: string): number {
  return text.replaceAll(/[\s,]/g, '').length;
}
