// The words of names and texts: what search over code, search over tools and the table of vectors have in common. Names are
// split where they are joined, and the inflections of an English word are cut off. Pure.

/** A word of upper case, one that begins with it or not, letters without case, digits. */
const WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+|\p{N}+/gu;
/** The same for English and code, which is nearly everything. Twice as fast. */
const ASCII_WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
const NOT_ASCII = /[^\0-\x7F]/;

/** `parseHTTPRequest2` is `parse`, `HTTP`, `Request`, `2`. In order, with repeats, as they are written. */
export function wordsIn(text: string): readonly string[] {
  return text.match(NOT_ASCII.test(text) ? WORD : ASCII_WORD) ?? [];
}

const SHORTEST = 3;
const VOWEL = /[aeiouy]/;
const DOUBLED = /([bdfgmnprt])\1$/;

/** A lower-case word without its plural, its -ing or -ed. Light: merging too many words finds irrelevant results. */
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
