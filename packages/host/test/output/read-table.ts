// Parses the output of `tableText` by the rules in docs/results.md.

import type { Json } from '@plugboard/base';

const ROWS = /^(\d+) rows$/;
const LABEL = /^("(?:[^"\\]|\\.)*"|[\w.$~/[\]-]+): (.*)$/s;

/** Throws if the text is invalid. */
export function readTable(text: string): Json {
  const lines = text.split('\n');
  if (!/^\[JSON with lists of objects as tables: .*\]$/.test(lines.shift() ?? '')) {
    throw new Error('no note');
  }
  const value = readLines(lines);
  if (lines.length > 0) throw new Error(`left over: ${lines.join('\n')}`);
  return value;
}

function readLines(lines: string[]): Json {
  const root = ROWS.exec(lines[0] ?? '');
  if (root !== null) return readRows(lines.splice(0, Number(root[1]) + 2).slice(1));
  const tree: Fields = new Map();
  while (lines.length > 0) {
    const line = lines.shift() ?? '';
    const [, label = '', said = ''] = LABEL.exec(line) ?? fail(line);
    const path = label.startsWith('"') ? (JSON.parse(label) as string) : label;
    const rows = ROWS.exec(said);
    const value =
      rows === null ? (JSON.parse(said) as Json) : readRows(lines.splice(0, Number(rows[1]) + 1));
    put(tree, path.split('/'), value);
  }
  return valueOf(tree);
}

type Fields = Map<string, Fields | { readonly value: Json }>;

function put(tree: Fields, [key = '', ...rest]: readonly string[], value: Json): void {
  if (rest.length === 0) {
    tree.set(key, { value });
    return;
  }
  const inner = tree.get(key) ?? new Map();
  if (!(inner instanceof Map)) throw new Error(`${key} is there twice`);
  tree.set(key, inner);
  put(inner, rest, value);
}

function valueOf(tree: Fields): Json {
  const entries = [...tree].map(
    ([step, inner]) => [step, inner instanceof Map ? valueOf(inner) : inner.value] as const,
  );
  if (entries.every(([step], index) => step === `[${index}]`))
    return entries.map(([, value]) => value);
  return Object.fromEntries(entries.map(([step, value]) => [unescaped(step), value]));
}

function unescaped(step: string): string {
  return step.replace(/^~2/, '[').replaceAll('~1', '/').replaceAll('~0', '~');
}

function readRows([head = '', ...rows]: readonly string[]): Json {
  const keys = cells(head).map(readCell);
  return rows.map((row): Json => {
    if (row.startsWith('=')) return JSON.parse(row.slice(1)) as Json;
    const values = cells(row);
    if (values.length !== keys.length) fail(row);
    const entries = keys.flatMap((key, index) => {
      const value = readCell(values[index] ?? '');
      return value === undefined ? [] : [[key as string, value] as const];
    });
    return Object.fromEntries(entries);
  });
}

/** Separators in quotes or brackets do not count, nor do brackets in quotes. */
function cells(row: string): readonly string[] {
  const found: string[] = [];
  let start = 0;
  for (let at = 0; at <= row.length; at += 1) {
    if (at === start && /["[{]/.test(row[at] ?? '')) at = endOfJson(row, at);
    if (at < row.length && row[at] !== '|') continue;
    found.push(row.slice(start, at));
    start = at + 1;
  }
  return found;
}

function endOfJson(row: string, from: number): number {
  let depth = 0;
  let isText = false;
  for (let at = from; at < row.length; at += 1) {
    const unit = row[at] ?? '';
    if (isText && unit === '\\') at += 1;
    else if (unit === '"') isText = !isText;
    else if (!isText && /[[{]/.test(unit)) depth += 1;
    else if (!isText && /[\]}]/.test(unit)) depth -= 1;
    if (!isText && depth === 0) return at + 1;
  }
  return fail(row);
}

function readCell(cell: string): Json | undefined {
  if (cell === '') return undefined;
  if (/^["[{]/.test(cell) || /^(?:true|false|null)$/.test(cell)) return JSON.parse(cell) as Json;
  return Number.isNaN(Number(cell)) ? cell : Number(cell);
}

function fail(line: string): never {
  throw new Error(`not readable: ${line}`);
}
