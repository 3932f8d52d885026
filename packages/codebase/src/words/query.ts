// Parses a question: terms with their weights, and the words that are names in code. Independent of the searched code.

import { splitIdentifier } from '../chunk/index.ts';
import { stem } from './stem.ts';
import { identifierWords, letterTerms, termsOfIdentifier } from './terms.ts';

/** A term of a question and its weight. */
export interface WeightedTerm {
  readonly term: string;
  readonly weight: number;
}

export interface Query {
  readonly text: string;
  /** The terms to search for, each once. */
  readonly terms: readonly WeightedTerm[];
  /** The stems of single words, without whole identifiers. */
  readonly words: readonly WeightedTerm[];
  /** Adjacent words written as one, as in code: `filename` for `file name`. */
  readonly compounds: readonly Compound[];
  /** Words that look like names in code, as typed. */
  readonly symbols: readonly string[];
  /** The question is a single name. */
  readonly isSymbolShaped: boolean;
  /** The number of meaningful words. */
  readonly length: number;
}

export interface Compound {
  readonly term: string;
  /** The two words that it consists of, as in `words`. */
  readonly of: readonly string[];
}

const MOST_CHARACTERS = 2000;
const MOST_WORDS = 64;
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** `fooBar`, `FooBar`, `HTTPServer`, `foo_bar`, `$foo`, `utf8Decode`: spellings that occur only in code. */
const NAME = /^\$|[\p{L}\p{N}]_+[\p{L}\p{N}]|\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}|^_/u;
/** `Q` in a sentence is a name; `A` and `I` are English words. */
const LETTER_NAME = /^[B-HJ-Z]$/;
const ONE_NAME =
  /^[#.@]?[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->|\/)[\p{L}_$][\p{L}\p{N}_$]*)*(?:\(\))?$/u;

/** Stop words. */
const EMPTY = new Set(
  (
    'a about an and are as at be been being by can could did do does for from has have how i if in into is it ' +
    'its me my of on or our per should show so some such tell than that the their them then there these they ' +
    'this those through to us via was we were what when where which while who why will with within would you your'
  ).split(' '),
);
/** Words that are common in questions about any code. */
const FAINT = new Set(
  (
    'after all any before between code defined during each find handle happen implement implementation logic ' +
    'make place use used using without work'
  )
    .split(' ')
    .map(stem),
);
const FAINT_WEIGHT = 0.3;
const COMPOUND_WEIGHT = 0.5;

export function readQuery(text: string): Query {
  const typed = (text.slice(0, MOST_CHARACTERS).match(WORD) ?? []).slice(0, MOST_WORDS);
  const isSymbolShaped = ONE_NAME.test(text.trim());
  const meaningful = typed.filter((word) => !EMPTY.has(word.toLowerCase()));
  const counted = meaningful.length > 0 ? meaningful : typed;
  const symbols = isSymbolShaped
    ? typed
    : typed.filter((word) => NAME.test(word) || LETTER_NAME.test(word));
  const compounds = compoundsOf(typed.flatMap(splitIdentifier));
  const terms = weigh(counted.flatMap(termsOfIdentifier));
  return {
    text,
    terms: [...terms, ...newCompounds(terms, compounds), ...newLetters(symbols, terms)],
    words: weigh(counted.flatMap(identifierWords)),
    compounds,
    symbols: [...new Set(symbols)],
    isSymbolShaped,
    length: counted.length,
  };
}

/** A name of one letter is searched for among declared names. */
function newLetters(
  symbols: readonly string[],
  terms: readonly WeightedTerm[],
): readonly WeightedTerm[] {
  const known = new Set(terms.map(({ term }) => term));
  return letterTerms([...new Set(symbols)])
    .filter((term) => !known.has(term))
    .map((term) => ({ term, weight: 1 }));
}

/** Only adjacent meaningful words form a compound. */
function compoundsOf(words: readonly string[]): readonly Compound[] {
  return words.flatMap((word, index) => {
    const next = words[index + 1];
    if (next === undefined || !isMeaningful(word) || !isMeaningful(next)) return [];
    return [{ term: stem(word + next), of: [stem(word), stem(next)] }];
  });
}

function isMeaningful(word: string): boolean {
  return word.length > 1 && !EMPTY.has(word);
}

function newCompounds(
  terms: readonly WeightedTerm[],
  compounds: readonly Compound[],
): readonly WeightedTerm[] {
  const known = new Set(terms.map(({ term }) => term));
  const added = new Set(compounds.map(({ term }) => term).filter((term) => !known.has(term)));
  return [...added].map((term) => ({ term, weight: COMPOUND_WEIGHT }));
}

function weigh(terms: readonly string[]): readonly WeightedTerm[] {
  const every = [...new Set(terms)];
  const areAllFaint = every.every((term) => FAINT.has(term));
  return every.map((term) => ({
    term,
    weight: FAINT.has(term) && !areAllFaint ? FAINT_WEIGHT : 1,
  }));
}
