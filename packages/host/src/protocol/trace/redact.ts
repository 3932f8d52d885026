// Makes a message safe to store: hides possible credentials and limits its length. Pure.

import { looksLikeToken, soundsSecret } from '@plugboard/base';

const HIDDEN = '(hidden)';
/**
 * `scheme://user:password@`, up to the last `@` before the path. The pattern leaves out the scheme, because searching for
 * it would take quadratic time in a long word.
 */
const CREDENTIALS_IN_URL = /:\/\/[^/\s]+@/g;
/** Tokens of well-known services, in the middle of a text. */
const TOKENS_IN_TEXT =
  /\b(?:sk-|gh[opsu]_|github_pat_|glpat-|xox[a-z]-|AKIA|eyJ)[\w.~+/=-]{16,}|\bBearer [\w.~+/=-]{8,}/g;
/** A progress token is a number that the client chose. */
const HARMLESS = new Set(['progressToken']);

const MAX_LENGTH = 4096;
/** No credential is longer; so much more is searched, to find one that the limit would cut in two. */
const LONGEST_CREDENTIAL = 4096;

export function redact(message: unknown, maxLength = MAX_LENGTH): string {
  // Text beyond the limit is not written.
  let left = maxLength;
  const text =
    JSON.stringify(message, (key, value: unknown) => {
      if (left < 0) return undefined;
      left -= key.length + 1;
      if (typeof value !== 'string') return value;
      const shown = hidden(key, value.slice(0, maxLength + LONGEST_CREDENTIAL));
      left -= shown.length;
      return shown;
    }) ?? '';
  return text.length <= maxLength && left >= 0 ? text : `${text.slice(0, maxLength)}…`;
}

function hidden(key: string, value: string): string {
  if ((soundsSecret(key) || /dsn/i.test(key)) && !HARMLESS.has(key)) return HIDDEN;
  if (looksLikeToken(value)) return HIDDEN;
  return value.replaceAll(CREDENTIALS_IN_URL, `://${HIDDEN}@`).replaceAll(TOKENS_IN_TEXT, HIDDEN);
}
