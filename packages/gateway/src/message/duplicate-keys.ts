// Detects an object with a duplicate key in a JSON text, which two parsers can read as two different messages. It counts: a
// parsed value has as many keys as its text, unless one key has replaced another. Pure.

import type { Json } from '@plugboard/base';

const QUOTE = '"';
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** `value` has to be the parsed `text`. */
export function hasDuplicateKeys(text: string, value: Json): boolean {
  return keysInText(text) !== keysInValue(value);
}

function keysInText(text: string): number {
  let count = 0;
  let start = text.indexOf(QUOTE);
  while (start !== -1) {
    const after = afterSpace(text, endOfString(text, start));
    if (text.charCodeAt(after) === COLON) count += 1;
    start = text.indexOf(QUOTE, after);
  }
  return count;
}

/** The index after the closing quote. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf(QUOTE, start + 1);
  while (isEscaped(text, end)) end = text.indexOf(QUOTE, end + 1);
  return end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}

function afterSpace(text: string, at: number): number {
  let next = at;
  while (text.charCodeAt(next) <= 0x20) next += 1;
  return next;
}

function keysInValue(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  const below: readonly Json[] = Object.values(value);
  let count = Array.isArray(value) ? 0 : below.length;
  for (const each of below) count += keysInValue(each);
  return count;
}
