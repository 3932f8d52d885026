// Parses a text that is JSON, if its value loses nothing: no number loses digits, and no key occurs twice. Pure.

import { isObject, type Json, parseJson } from '@plugboard/base';

/** Larger texts are not parsed. */
const LIMITS = { maxLength: 4 * 1024 * 1024, maxDepth: 100 };

/** The object or list that the text contains; `undefined` for every other text. */
export function jsonInText(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text.slice(0, 1000))) return undefined;
  const parsed = parseJson(text, LIMITS);
  if (!parsed.ok) return undefined;
  let members = 0;
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|:|-?\d[\d.eE+-]*/g)) {
    if (token === ':') members += 1;
    else if (!token.startsWith('"') && !isExact(token)) return undefined;
  }
  return members === membersOf(parsed.value) ? parsed.value : undefined;
}

/** `1.50` is `1.5`; an id of twenty digits is not the number that it is read as. */
function isExact(token: string): boolean {
  const plain = token.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
  return String(Number(plain)) === plain;
}

function membersOf(value: Json): number {
  if (Array.isArray(value)) {
    return (value as readonly Json[]).reduce<number>((sum, item) => sum + membersOf(item), 0);
  }
  if (!isObject(value)) return 0;
  const inner = Object.values(value) as readonly Json[];
  return inner.reduce<number>((sum, item) => sum + membersOf(item), inner.length);
}
