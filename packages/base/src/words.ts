// Splits names and texts into words, and removes the inflections of English words. Shared by the search over code, the
// search over tools and the table of vectors. Pure.

/** Upper-case letters, a word with or without a capital, letters without case, or digits. */
const WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+|\p{N}+/gu;
/** The same for ASCII, which is nearly all text. Twice as fast. */
const ASCII_WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
const NOT_ASCII = /[^\0-\x7F]/;

/** `parseHTTPRequest2` consists of `parse`, `HTTP`, `Request` and `2`. In order, with repetitions, as written. */
export function wordsIn(text: string): readonly string[] {
  return text.match(NOT_ASCII.test(text) ? WORD : ASCII_WORD) ?? [];
}

const SHORTEST = 3;
const VOWEL = /[aeiouy]/;
const DOUBLED = /([bdfgmnprt])\1$/;

/** A lower-case word without its plural, -ing or -ed. A light stemmer: merging more words finds irrelevant results. */
export function withoutInflection(word: string): string {
  return word.length <= SHORTEST ? word : withoutTense(withoutPlural(word));
}

function withoutPlural(word: string): string {
  if (!word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word;
  if (/(?:ss|x|ch|sh|zz)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

function withoutTense(word: string): string {
  const ending = /(?:ing|ed)$/.exec(word);
  if (ending === null) return word;
  const rest = word.slice(0, ending.index);
  if (rest.length < SHORTEST || !VOWEL.test(rest)) return word;
  return rest.replace(DOUBLED, '$1');
}
