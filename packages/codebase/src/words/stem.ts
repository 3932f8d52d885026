// Reduces the forms of a word to one stem, so that a question about parsing finds code that parses. The stemmer is light on
// purpose: it only has to be consistent, and merging too many words would find irrelevant results.

import { withoutInflection } from '@plugboard/base';

const SHORTEST = 3;
const VOWEL = /[aeiouy]/;
const DOUBLED = /([bdfgmnprt])\1$/;

/** Removes the plural, -ing, -ed and the endings of nouns that are made from verbs. Expects lower case. */
export function stem(word: string): string {
  if (word.length <= SHORTEST) return word;
  return withoutFinalVowel(withoutNoun(withoutInflection(word)));
}

const NOUNS: readonly (readonly [RegExp, string])[] = [
  [/i[sz]ations?$/, 'iz'],
  [/i[sz]er$/, 'iz'],
  [/i[sz]e$/, 'iz'],
  [/(?<=.{4})i[sz]$/, 'iz'],
  [/ations?$/, 'at'],
  [/ator$/, 'at'],
  [/([cst])ion$/, '$1'],
  [/([ct])or$/, '$1'],
];

function withoutNoun(word: string): string {
  for (const [ending, instead] of NOUNS) {
    if (!ending.test(word)) continue;
    const rest = word.replace(ending, instead);
    return rest.length >= SHORTEST && VOWEL.test(rest) ? rest.replace(DOUBLED, '$1') : word;
  }
  return word;
}

function withoutFinalVowel(word: string): string {
  if (word.length <= SHORTEST) return word;
  if (word.endsWith('e')) return word.slice(0, -1);
  return word.endsWith('y') ? `${word.slice(0, -1)}i` : word;
}
