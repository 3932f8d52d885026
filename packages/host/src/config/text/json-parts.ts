// Finds a few values in a large JSON text without parsing the rest of it, which is skipped by its brackets
// and strings. For large files of other programs. Pure.

import { endOfText } from './plain-json.ts';

export interface JsonPart {
  /** A copy, so that the whole text can be garbage-collected. */
  readonly text: string;
  /** The position of its start, 1-based. */
  readonly line: number;
  readonly column: number;
}

/**
 * The value at each path of keys, or `undefined` if it does not exist. `broken` if the part of the text that was read
 * is not a JSON object. If a key is repeated, the last one counts.
 */
export function findJsonParts(
  text: string,
  paths: readonly (readonly string[])[],
): readonly (JsonPart | undefined)[] | 'broken' {
  const start = skip(SPACE, text, text.startsWith('\uFEFF') ? 1 : 0);
  const objects = new ObjectRanges(text);
  const whole = objects.at(start);
  if (whole === 'none' || whole === 'broken') return 'broken';
  if (skip(SPACE, text, whole.end) !== text.length) return 'broken';
  const found = paths.map((path) => objects.follow(start, path));
  if (found.includes('broken')) return 'broken';
  return found.map((range) =>
    range === undefined || range === 'broken' ? undefined : partOf(text, range),
  );
}

type Range = readonly [start: number, end: number];

interface ObjectRange {
  readonly end: number;
  /** The range of the value of each key. */
  readonly values: ReadonlyMap<string, Range>;
}

/** Caches the objects of one text that were read. */
class ObjectRanges {
  readonly #text: string;
  readonly #known = new Map<number, ObjectRange | 'none' | 'broken'>();

  constructor(text: string) {
    this.#text = text;
  }

  /** The object that begins at an offset; `none` if another kind of value begins there. */
  at(start: number): ObjectRange | 'none' | 'broken' {
    const known = this.#known.get(start) ?? readObject(this.#text, start);
    this.#known.set(start, known);
    return known;
  }

  follow(start: number, [key, ...rest]: readonly string[]): Range | 'broken' | undefined {
    const object = this.at(start);
    if (object === 'broken') return object;
    const value = object === 'none' || key === undefined ? undefined : object.values.get(key);
    return value === undefined || rest.length === 0 ? value : this.follow(value[0], rest);
  }
}

function readObject(text: string, start: number): ObjectRange | 'none' | 'broken' {
  if (text[start] !== '{') return 'none';
  const values = new Map<string, Range>();
  let at = skip(SPACE, text, start + 1);
  while (text[at] === '"') {
    const keyEnd = endOfText(text, at);
    const colon = skip(SPACE, text, keyEnd);
    const value = skip(SPACE, text, colon + 1);
    const end = text[colon] === ':' ? endOfValue(text, value) : undefined;
    const key = parseKey(text.slice(at, keyEnd));
    if (end === undefined || key === undefined) return 'broken';
    values.set(key, [value, end]);
    at = skip(SPACE, text, end);
    if (text[at] === ',') at = skip(SPACE, text, at + 1);
  }
  return text[at] === '}' ? { end: at + 1, values } : 'broken';
}

function parseKey(written: string): string | undefined {
  try {
    return String(JSON.parse(written));
  } catch {
    return undefined;
  }
}

const SPACE = /[ \t\r\n]*/y;
const WORD = /[-+.\w]+/y;

function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

/** The offset after a value; `undefined` if the text ends before the value. */
function endOfValue(text: string, start: number): number | undefined {
  const first = text[start];
  if (first === '"') {
    const end = endOfText(text, start);
    return text[end - 1] === '"' && end > start + 1 ? end : undefined;
  }
  if (first !== '{' && first !== '[') {
    const end = skip(WORD, text, start);
    return end === start ? undefined : end;
  }
  const marks = /["{}[\]]/g;
  marks.lastIndex = start;
  let depth = 0;
  while (marks.test(text)) {
    const at = marks.lastIndex - 1;
    const mark = text[at];
    if (mark === '"') marks.lastIndex = endOfText(text, at);
    else depth += mark === '{' || mark === '[' ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return undefined;
}

function partOf(text: string, [start, end]: Range): JsonPart {
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < start; at = text.indexOf('\n', at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  const copy = Buffer.from(text.slice(start, end), 'utf16le').toString('utf16le');
  return { text: copy, line, column: start - lineStart + 1 };
}
