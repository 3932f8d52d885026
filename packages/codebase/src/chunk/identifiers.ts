// The words of identifiers. Search and embedding both read `parseHttpRequest` as three words, and must agree on them.

import { wordsIn } from '@plugboard/base';

const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
const PLAIN = /^[a-z]+$/;

/** Each identifier of a text, as often as it occurs, in order; keywords are included. */
export function identifiersOf(text: string): readonly string[] {
  return text.match(IDENTIFIER) ?? [];
}

/** `parseHTTPRequest2` is `parse`, `http`, `request`, `2`. */
export function splitIdentifier(word: string): readonly string[] {
  if (PLAIN.test(word)) return [word];
  return wordsIn(word).map((part) => part.toLowerCase());
}
