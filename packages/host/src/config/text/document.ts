// Parses JSON with comments into a tree, and finds the line and column of each node. The parser recovers from
// mistakes, so a tree may come with errors; the caller decides which parts of it are still reliable. If an
// object has a key twice, the last one counts, as in every JSON parser.

import { createScanner, getNodeValue, parseTree, printParseErrorCode } from '#jsonc-parser';
import type { Node, ParseError, printParseErrorCode as codeName } from 'jsonc-parser';
import type { Position } from './diagnostic.ts';
import type { FieldPath } from './field-path.ts';
import type { EntryPlace } from './finding.ts';
import { plainValue, readPlainJson } from './plain-json.ts';

/** An object of settings as written. What a setting means is left to its reader. */
export interface SettingsText {
  readonly root: Node;
  readonly at: (offset: number) => Position;
}

export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

export interface SyntaxProblem {
  readonly kind: ReturnType<typeof codeName>;
  readonly offset: number;
}

export interface Property {
  readonly name: string;
  /** The whole `"name": value`. */
  readonly node: Node;
  readonly key: Node;
  /** Absent only if the text is broken. */
  readonly value: Node | undefined;
}

export type ParsedDocument =
  | { readonly kind: 'empty' }
  | { readonly kind: 'too-deep'; readonly offset: number }
  | {
      readonly kind: 'tree';
      readonly root: Node | undefined;
      readonly problems: readonly SyntaxProblem[];
      /** Whether an object anywhere in the tree may have a key twice. */
      readonly keys: 'unique' | 'unknown';
    };

/** Deeper than any sensible settings file, and shallow enough for a recursive parser. */
export const MAX_DEPTH = 100;

/** Never throws. */
export function parseDocument(text: string): ParsedDocument {
  const plain = readPlainJson(text, MAX_DEPTH);
  if (plain !== undefined) {
    const { root, repeatsKeys } = plain;
    return { kind: 'tree', root, problems: [], keys: repeatsKeys ? 'unknown' : 'unique' };
  }
  const shape = measure(text);
  if (shape.kind !== 'fine') return shape;
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const problems = errors.map(({ error, offset }) => ({
    kind: printParseErrorCode(error),
    offset,
  }));
  return { kind: 'tree', root, problems, keys: 'unknown' };
}

/** The value of a node, as JavaScript. */
export function nodeValue(node: Node): unknown {
  return plainValue(node) ?? getNodeValue(node);
}

/** The properties of an object as written, including duplicates; empty for any other node. */
export function propertiesOf(node: Node | undefined): readonly Property[] {
  if (node?.type !== 'object') return [];
  const properties: Property[] = [];
  node.children?.forEach((property) => {
    const key = property.children?.[0];
    const value = property.children?.[1];
    if (key !== undefined) {
      properties.push({ name: String(key.value), node: property, key, value });
    }
  });
  return properties;
}

/** The property of a name that counts. */
export function propertyNamed(node: Node | undefined, name: string): Property | undefined {
  return propertiesOf(node).findLast((property) => property.name === name);
}

/** The properties that count: of each name, the last. */
export function lastOfEach(properties: readonly Property[]): readonly Property[] {
  return [...new Map(properties.map((property) => [property.name, property])).values()];
}

/** The key and the value at a path, or those of the nearest ancestor that exists. */
export function nodesAt(start: Property, path: FieldPath): { key: Node; value: Node } {
  let found = { key: start.key, value: start.value ?? start.key };
  for (const step of path) {
    const next = typeof step === 'number' ? itemAt(found.value, step) : entryAt(found.value, step);
    if (next === undefined) break;
    found = next;
  }
  return found;
}

/** The positions of a property and of everything in it. */
export function placesIn(
  property: Property,
  at: SettingsText['at'],
): Pick<EntryPlace, 'keyAt' | 'valueAt'> {
  return {
    keyAt: (path) => at(nodesAt(property, path).key.offset),
    valueAt: (path) => at(nodesAt(property, path).value.offset),
  };
}

/** Returns a function that converts offsets in a text to lines and columns (1-based). */
export function placesOf(text: string): (offset: number) => TextPlace {
  const starts = [0];
  const lineBreak = /\r\n|\r|\n/g;
  while (lineBreak.test(text)) starts.push(lineBreak.lastIndex);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

function itemAt(node: Node, index: number): { key: Node; value: Node } | undefined {
  const item = node.type === 'array' ? node.children?.[index] : undefined;
  return item === undefined ? undefined : { key: item, value: item };
}

function entryAt(node: Node, name: string): { key: Node; value: Node } | undefined {
  const property = propertyNamed(node, name);
  return property === undefined
    ? undefined
    : { key: property.key, value: property.value ?? property.key };
}

/** Scans only the tokens: the parser recurses, so the depth must be known before it runs. */
function measure(
  text: string,
): { kind: 'fine' } | { kind: 'empty' } | { kind: 'too-deep'; offset: number } {
  const scanner = createScanner(text, true);
  let depth = 0;
  let isEmpty = true;
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    isEmpty = false;
    const token = text[scanner.getTokenOffset()];
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    if (depth > MAX_DEPTH) return { kind: 'too-deep', offset: scanner.getTokenOffset() };
  }
  return isEmpty ? { kind: 'empty' } : { kind: 'fine' };
}
