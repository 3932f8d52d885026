// Splits tools and queries into words by the same rules: compound names are split, and words are reduced to their stems.
// Pure.

import { withoutInflection } from '@plugboard/base';

/** Letters and digits of any script. */
const RUNS = /[\p{L}\p{N}]+/gu;
/** The same for ASCII, which is nearly all text. Three times as fast. */
const ASCII_RUNS = /[A-Za-z0-9]+/g;
const JOINTS = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
/** Scripts without spaces between words: each pair of adjacent characters counts as a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const NOT_ASCII = /[^\0-\x7F]/;
const LONGEST = 40;
const MOST_REMEMBERED = 20_000;

const remembered = new Map<string, readonly string[]>();

/** Lower-case stems in order, with repetitions, without filler words. */
export function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  for (const run of text.match(NOT_ASCII.test(text) ? RUNS : ASCII_RUNS) ?? []) {
    for (const word of wordsOfRun(run)) words.push(word);
  }
  return words;
}

/** The words of a name in lower case, with their inflections. */
export function partsOf(name: string): readonly string[] {
  return (name.match(RUNS) ?? [])
    .flatMap((run) => run.split(JOINTS))
    .map((part) => part.toLowerCase());
}

function wordsOfRun(run: string): readonly string[] {
  const known = remembered.get(run);
  if (known !== undefined) return known;
  const words = (NOT_ASCII.test(run) ? foreignParts(run) : run.split(JOINTS))
    .map((part) => part.toLowerCase())
    .filter((part) => part.length <= LONGEST && !FILLER.has(part))
    .map(stem);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(run, words);
  return words;
}

function foreignParts(run: string): readonly string[] {
  return run
    .normalize('NFKC')
    .split(JOINTS)
    .flatMap((part) => {
      if (!UNSPACED.test(part) || part.length < 2) return [part];
      const characters = Array.from(part);
      return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
    });
}

/** Without plural, -ing and -ed, and without an `e` at the end, which those endings remove. */
export function stem(word: string): string {
  const plain = withoutInflection(word);
  return plain.length > 3 && plain.endsWith('e') ? plain.slice(0, -1) : plain;
}

/** Common words that do not help to identify a tool. */
const FILLER: ReadonlySet<string> = new Set(
  `a an and any are as at be been but by can could did do does for from had has have he her here him his how i if in into
  is it its just like may me might more most must my no not of on one only or our out over own please shall she should
  so some such than that the their them then there these they this those to too under up us use used user using very via
  want wants was we well were what when where which while who whom why will with would you your yours
  able about after again all also am because before being both each else ever every few get give given got help hi hello
  hey im ive keep know let lets looking make many much need needs now off once other per provide provided return
  returns same say show tell thank thanks thing things think through tool tools try trying way were while without
  work yes yet`
    .split(/\s+/)
    .filter((word) => word !== ''),
);
