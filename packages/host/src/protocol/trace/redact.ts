// A message as it may be kept: what looks like a credential hidden, and no longer than allowed. Pure.

import { looksLikeToken, soundsSecret } from '@plugboard/base';

const HIDDEN = '(hidden)';
/**
 * `scheme://user:password@`, up to the last `@` before the path. The scheme has no part in it: looking
 * for one would go over a long word again from each of its letters.
 */
const CREDENTIALS_IN_URL = /:\/\/[^/\s]+@/g;
/** A progress token is a number that we made up ourselves. */
const HARMLESS = new Set(['progressToken']);

const MAX_LENGTH = 4096;

export function redact(message: unknown): string {
  const text = JSON.stringify(message, (key, value: unknown) => hidden(key, value)) ?? '';
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}…`;
}

function hidden(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if ((soundsSecret(key) || /dsn/i.test(key)) && !HARMLESS.has(key)) return HIDDEN;
  if (looksLikeToken(value)) return HIDDEN;
  return value.replaceAll(CREDENTIALS_IN_URL, `://${HIDDEN}@`);
}
