// The look that nearly every text gets by with: one pass over its characters that says which of the real
// checks there is any reason for. Wider than they are, and far cheaper. Pure.

import { ALL_SORTS, hashLetter, isSuspect, SORT, SORTS_OF_WORDS } from './signs/telling-words.ts';

export interface QuickLook {
  /** There is something that is not typed every day: unseen, of another alphabet, or only an accent. */
  readonly isOdd: boolean;
  /** Something that could be decoded. */
  readonly isEncoded: boolean;
  /** Which sorts of telling words there are; none where they come to nothing. */
  readonly sorts: number;
}

/** Letters and digits in a row from which something could be decoded. */
const LONG_RUN = 24;
/** So many letters that stand alone are no words. */
const SPACED_LETTERS = 6;
/** So many words with a digit between letters are none either. */
const MIXED_WORDS = 2;

/** One loop over plain variables: it runs over every character that any server sends. */
export function quickLook(text: string): QuickLook {
  let marks = 0;
  let sorts = 0;
  let hash = 0;
  let letters = 0;
  let digits = 0;
  let run = 0;
  let alone = 0;
  let mixed = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : SPACE;
    const folded = code | 0x20;
    if (folded >= 0x61 && folded <= 0x7a) {
      if (digits > 0) {
        if (letters > 0) mixed += 1;
        digits = 0;
      }
      hash = hashLetter(hash, folded);
      letters += 1;
      run += 1;
    } else if (code >= 0x30 && code <= 0x39) {
      digits += 1;
      run += 1;
    } else {
      // No word of one letter says anything.
      if (letters > 1) sorts |= SORTS_OF_WORDS.get(hash) ?? 0;
      if (letters + digits === 1) alone += 1;
      else if (letters + digits > 1 && alone < SPACED_LETTERS) alone = 0;
      hash = 0;
      letters = 0;
      digits = 0;
      // Base64 has these two inside.
      if (code === PLUS || code === SLASH) run += 1;
      else {
        if (run >= LONG_RUN) marks |= ENCODED;
        run = 0;
      }
      if (code !== SPACE) marks |= markOf(code, text.charCodeAt(at + 1));
    }
  }
  if (run >= LONG_RUN) marks |= ENCODED;
  if ((marks & ROLE) !== 0) sorts |= SORT.role;
  if ((marks & ADDRESS) !== 0) sorts |= SORT.place | SORT.loot;
  if ((marks & FOREIGN) !== 0) sorts |= SORT.foreign;
  // Where no word is what it seems, all of them may be there.
  const isHiding = (marks & HIDING) !== 0 || alone >= SPACED_LETTERS || mixed >= MIXED_WORDS;
  return {
    isOdd: (marks & ODD) !== 0,
    isEncoded: (marks & ENCODED) !== 0,
    sorts: isHiding ? ALL_SORTS : isSuspect(sorts) ? sorts : 0,
  };
}

/** What is unseen or odd to look at, and has to be looked at one by one. */
const ODD = 1;
const ENCODED = 2;
const ROLE = 4;
const ADDRESS = 8;
/** What can stand for a Latin letter, or between two. */
const HIDING = 16;
const FOREIGN = 32;

const SPACE = 0x20;
const PLUS = 0x2b;
const SLASH = 0x2f;

/** What a character that is neither letter nor digit says, with the one after it. */
function markOf(code: number, next: number): number {
  if (code > 0x7e) return markBeyondAscii(code);
  switch (String.fromCodePoint(code)) {
    case '\t':
    case '\n':
    case '\r':
      return 0;
    case '\\':
      return next === 0x75 || next === 0x78 ? ENCODED : 0;
    case '%':
    case '&':
      // %69, &#105;
      return next === 0x23 || (next >= 0x32 && next <= 0x37) ? ENCODED : 0;
    case '<':
    case '{':
      // <|, <!, <<, {{
      return next === 0x7c || next === 0x21 || next === code ? ROLE : 0;
    case '@':
      return ADDRESS;
    default:
      return code < 0x20 ? ODD | HIDING : 0;
  }
}

/** Dashes, quotation marks, arrows and pictures part words as a space does. */
function markBeyondAscii(code: number): number {
  if (code >= 0xa0 && code <= 0xbf) return code === 0xad ? ODD | HIDING : 0;
  if (code >= 0x2010 && code <= 0x2027) return 0;
  if (code >= 0x2030 && code <= 0x205e) return 0;
  if (code >= 0x2190 && code <= 0x2bff) return code >= 0x2460 && code <= 0x24ff ? HIDING : 0;
  if (code === 0xd83d || code === 0xd83e || (code >= 0xdc00 && code <= 0xdfff)) return 0;
  if (code >= 0x2e80 && code <= 0xd7ff) return code === 0x3164 ? ODD | HIDING : FOREIGN;
  return ODD | HIDING | FOREIGN;
}
