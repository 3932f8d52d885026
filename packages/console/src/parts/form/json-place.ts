// Finds the place where a text stops being JSON. Engines report it differently or not at all, so this scans the text itself:
// once, without recursion, and only after parsing failed. Pure.

import { type Json, parseJson } from '@plugboard/base';

export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

export type ReadText =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'empty' }
  | { readonly kind: 'invalid'; readonly message: string; readonly at: TextPlace | undefined };

const LIMITS = { maxLength: 4 * 1024 * 1024, maxDepth: 200 };

export function readText(text: string): ReadText {
  if (text.trim() === '') return { kind: 'empty' };
  const parsed = parseJson(text, LIMITS);
  if (parsed.ok) return { kind: 'value', value: parsed.value };
  switch (parsed.error.kind) {
    case 'too-long':
      return { kind: 'invalid', message: 'The text is too long.', at: undefined };
    case 'too-deep':
      return { kind: 'invalid', message: 'The value is nested too deeply.', at: undefined };
    case 'invalid': {
      const { index, message } = faultIn(text);
      return { kind: 'invalid', message, at: placeOf(text, index) };
    }
    default:
      return parsed.error satisfies never;
  }
}

function placeOf(text: string, index: number): TextPlace {
  const before = text.slice(0, index);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: index - lineStart + 1 };
}

interface Fault {
  readonly index: number;
  readonly message: string;
}

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|true\b|false\b|null\b/y;

/** What the next token may be. */
type Expected =
  | 'value'
  | 'value-or-end'
  | 'key'
  | 'key-or-end'
  | 'colon'
  | 'comma-or-end'
  | 'nothing';

const DEMANDS: Readonly<Record<Expected, string>> = {
  value: 'A value is expected here.',
  'value-or-end': 'A value or ] is expected here.',
  key: 'A name in double quotes is expected here.',
  'key-or-end': 'A name in double quotes or } is expected here.',
  colon: 'A colon is expected here.',
  'comma-or-end': 'A comma is missing here, or what was opened is not closed.',
  nothing: 'There is text after the value.',
};

function faultIn(text: string): Fault {
  const open: ('[' | '{')[] = [];
  let expected: Expected = 'value';
  let index = matchEnd(SPACE, text, 0) ?? 0;
  while (index < text.length) {
    const step = stepAt(text, { index, expected, open });
    if ('message' in step) return step;
    expected = step.expected;
    index = matchEnd(SPACE, text, step.index) ?? step.index;
  }
  return { index: text.length, message: `The text ends too early. ${DEMANDS[expected]}` };
}

interface Step {
  readonly index: number;
  readonly expected: Expected;
}

function stepAt(text: string, at: Step & { readonly open: ('[' | '{')[] }): Step | Fault {
  const { index, expected, open } = at;
  const character = text[index] ?? '';
  const fault = { index, message: DEMANDS[expected] };
  if (expected === 'nothing') return fault;
  if (expected === 'colon')
    return character === ':' ? { index: index + 1, expected: 'value' } : fault;
  if (character === ']' || character === '}') {
    const closes = open.at(-1) === (character === ']' ? '[' : '{');
    if (!closes || !expected.endsWith('-or-end')) return fault;
    open.pop();
    return { index: index + 1, expected: open.length === 0 ? 'nothing' : 'comma-or-end' };
  }
  if (expected === 'comma-or-end') {
    return character === ','
      ? { index: index + 1, expected: open.at(-1) === '[' ? 'value' : 'key' }
      : fault;
  }
  if (character === '"') return stringAt(text, at);
  if (expected === 'key' || expected === 'key-or-end') return fault;
  if (character === '[' || character === '{') {
    open.push(character);
    return { index: index + 1, expected: character === '[' ? 'value-or-end' : 'key-or-end' };
  }
  const end = matchEnd(SCALAR, text, index);
  if (end === undefined) return fault;
  return { index: end, expected: open.length === 0 ? 'nothing' : 'comma-or-end' };
}

function stringAt(text: string, at: Step & { readonly open: readonly string[] }): Step | Fault {
  const { expected, open } = at;
  for (let index = at.index + 1; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (character === '"') {
      if (expected.startsWith('key')) return { index: index + 1, expected: 'colon' };
      return { index: index + 1, expected: open.length === 0 ? 'nothing' : 'comma-or-end' };
    }
    if (character < ' ')
      return { index, message: 'A string cannot continue on the next line: write \\n.' };
    if (character !== '\\') continue;
    const escape = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;
    const end = matchEnd(escape, text, index);
    if (end === undefined) return { index, message: 'JSON has no such escape.' };
    index = end - 1;
  }
  return { index: at.index, message: 'This text is not closed.' };
}

function matchEnd(pattern: RegExp, text: string, index: number): number | undefined {
  pattern.lastIndex = index;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
