// Parses JSON without comments and errors into the tree that the JSONC parser would return, in a fraction of
// the time. The engine's own parser checks the text, one pass finds the matching brackets, and a node is read
// on first access: most files are plain, and most of their nodes are never used.

import { isObject } from '@plugboard/base';
import type { Node } from 'jsonc-parser';

export interface PlainJson {
  readonly root: Node;
  /** Whether an object anywhere in the text has a key twice. */
  readonly repeatsKeys: boolean;
}

/** `undefined` if the text is not plain JSON, or deeper than `maxDepth`. Never throws. */
export function readPlainJson(text: string, maxDepth: number): PlainJson | undefined {
  const scan = scanBrackets(text, maxDepth);
  if (scan === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The JSONC parser continues after a mistake, and finds its place and cause.
    return undefined;
  }
  const repeatsKeys = scan.keys > countKeys(value);
  const source = { text, ends: scan.ends, repeatsKeys };
  return { root: nodeAt(source, skip(BETWEEN, text, 0), value), repeatsKeys };
}

/** The value of an object or array from `readPlainJson`; `undefined` for any other node. */
export function plainValue(node: Node): unknown {
  return node instanceof Container ? node.parsed : undefined;
}

interface Source {
  readonly text: string;
  /** By the offset of each opening bracket, the offset after its closing bracket. */
  readonly ends: ReadonlyMap<number, number>;
  readonly repeatsKeys: boolean;
}

type ParsedContainer = readonly unknown[] | Readonly<Record<string, unknown>>;

/** An object or an array whose children are read on first access. */
class Container implements Node {
  readonly type: 'object' | 'array';
  readonly offset: number;
  readonly length: number;
  readonly parsed: ParsedContainer;
  readonly #source: Source;
  #children: Node[] | undefined;

  constructor(source: Source, offset: number, parsed: ParsedContainer) {
    this.type = isObject(parsed) ? 'object' : 'array';
    this.offset = offset;
    this.length = (source.ends.get(offset) ?? offset) - offset;
    this.parsed = parsed;
    this.#source = source;
  }

  get children(): Node[] {
    this.#children ??= isObject(this.parsed)
      ? this.#properties(this.parsed)
      : this.#items(this.parsed);
    return this.#children;
  }

  #items(parsed: readonly unknown[]): Node[] {
    let at = this.offset + 1;
    return parsed.map((value) => {
      const item = nodeAt(this.#source, skip(BETWEEN, this.#source.text, at), value);
      at = item.offset + item.length;
      return item;
    });
  }

  #properties(parsed: Readonly<Record<string, unknown>>): Node[] {
    const { text, repeatsKeys } = this.#source;
    const properties: Node[] = [];
    const end = this.offset + this.length - 1;
    for (let at = skip(BETWEEN, text, this.offset + 1); at < end;) {
      const name = String(JSON.parse(text.slice(at, endOfText(text, at))));
      const key = nodeAt(this.#source, at, name);
      const colonOffset = text.indexOf(':', at + key.length);
      const valueAt = skip(BETWEEN, text, colonOffset + 1);
      // If a key is repeated, `parsed` has only its last value.
      const known = repeatsKeys ? parseAt(this.#source, valueAt) : parsed[name];
      const value = nodeAt(this.#source, valueAt, known);
      const length = value.offset + value.length - at;
      properties.push({
        type: 'property',
        offset: at,
        length,
        colonOffset,
        children: [key, value],
      });
      at = skip(BETWEEN, text, at + length);
    }
    return properties;
  }
}

function nodeAt(source: Source, offset: number, value: unknown): Node {
  if (Array.isArray(value) || isObject(value)) return new Container(source, offset, value);
  const type = value === null ? 'null' : (typeof value as 'string' | 'number' | 'boolean');
  return { type, offset, length: endOf(source, offset) - offset, value };
}

function parseAt(source: Source, offset: number): unknown {
  return JSON.parse(source.text.slice(offset, endOf(source, offset)));
}

function endOf({ text, ends }: Source, offset: number): number {
  const end = text[offset] === '"' ? endOfText(text, offset) : ends.get(offset);
  return end ?? skip(WORD, text, offset);
}

const BETWEEN = /[\s,]*/y;
const WORD = /[^\s,\]}]*/y;
const COLON = /\s*:/y;

/** The offset after what the sticky pattern matches at `from`. */
function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  pattern.test(text);
  return pattern.lastIndex;
}

/** Correct for plain JSON, and terminates for any text. `undefined` if the text is too deep. */
function scanBrackets(
  text: string,
  maxDepth: number,
): { readonly ends: Source['ends']; readonly keys: number } | undefined {
  const marks = /["{}[\]]/g;
  const ends = new Map<number, number>();
  const open: number[] = [];
  let keys = 0;
  while (marks.test(text)) {
    const offset = marks.lastIndex - 1;
    switch (text[offset]) {
      case '"':
        marks.lastIndex = endOfText(text, offset);
        COLON.lastIndex = marks.lastIndex;
        if (COLON.test(text)) keys += 1;
        break;
      case '{':
      case '[':
        open.push(offset);
        if (open.length > maxDepth) return undefined;
        break;
      default:
        ends.set(open.pop() ?? offset, offset + 1);
    }
  }
  return { ends, keys };
}

/** The offset after the closing quote of a string: the first one after an even number of backslashes. */
export function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text[before] === '\\') before -= 1;
    if ((end - before) % 2 === 1) return end + 1;
  }
  return text.length;
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const items: readonly unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : items.length;
  return items.reduce<number>((sum, item) => sum + countKeys(item), own);
}
