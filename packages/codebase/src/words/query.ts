// Parses a question once: terms with their weights, and the words that are names in code. It knows nothing of the code
// that is searched.

import { splitIdentifier } from '../chunk/index.ts';
import { stem } from './stem.ts';
import { identifierWords, letterTerms, termsOfIdentifier } from './terms.ts';

/** A term of a question and how much it counts there. */
export interface WeightedTerm {
  readonly term: string;
  readonly weight: number;
}

export interface Query {
  readonly text: string;
  /** What to look for, each once. */
  readonly terms: readonly WeightedTerm[];
  /** The same without wholes: stems of single words. */
  readonly words: readonly WeightedTerm[];
  /** Neighbours written as one, as code often has them: `file name` is `filename` there. */
  readonly compounds: readonly Compound[];
  /** Words that look like names in code, as they were typed. */
  readonly symbols: readonly string[];
  /** It is one name and nothing else. */
  readonly isSymbolShaped: boolean;
  /** How many words it has that say something. */
  readonly length: number;
}

export interface Compound {
  readonly term: string;
  /** The two words that it is of, as in `words`. */
  readonly of: readonly string[];
}

const MOST_CHARACTERS = 2000;
const MOST_WORDS = 64;
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** `fooBar`, `FooBar`, `HTTPServer`, `foo_bar`, `$foo`, `utf8Decode`: spellings that occur only in code. */
const NAME = /^\$|[\p{L}\p{N}]_+[\p{L}\p{N}]|\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}|^_/u;
/** `Q` in a sentence is a name; `I` and `A` are English. */
const LETTER_NAME = /^[B-HJ-Z]$/;
const ONE_NAME =
  /^[#.@]?[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->|\/)[\p{L}_$][\p{L}\p{N}_$]*)*(?:\(\))?$/u;

/** Words that make a sentence of a question. */
const EMPTY = new Set(
  (
    'a about an and are as at be been being by can could did do does for from has have how i if in into is it ' +
    'its me my of on or our per should show so some such tell than that the their them then there these they ' +
    'this those through to us via was we were what when where which while who why will with within would you your'
  ).split(' '),
);
/** Words that questions about code have whatever they are about. */
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
  const telling = typed.filter((word) => !EMPTY.has(word.toLowerCase()));
  const counted = telling.length > 0 ? telling : typed;
  const symbols = isSymbolShaped
    ? typed
    : typed.filter((word) => NAME.test(word) || LETTER_NAME.test(word));
  const compounds = compoundsOf(typed.flatMap(splitIdentifier));
  const terms = weigh(counted.flatMap(termsOfIdentifier));
  return {
    text,
    terms: [...terms, ...unknownTo(terms, compounds), ...letters(symbols, terms)],
    words: weigh(counted.flatMap(identifierWords)),
    compounds,
    symbols: [...new Set(symbols)],
    isSymbolShaped,
    length: counted.length,
  };
}

/** A name of one letter is looked for among declared names, by itself. */
function letters(
  symbols: readonly string[],
  terms: readonly WeightedTerm[],
): readonly WeightedTerm[] {
  const known = new Set(terms.map(({ term }) => term));
  return letterTerms([...new Set(symbols)])
    .filter((term) => !known.has(term))
    .map((term) => ({ term, weight: 1 }));
}

/** Only words that stand beside each other, and say something, make one. */
function compoundsOf(words: readonly string[]): readonly Compound[] {
  return words.flatMap((word, index) => {
    const next = words[index + 1];
    if (next === undefined || !isTelling(word) || !isTelling(next)) return [];
    return [{ term: stem(word + next), of: [stem(word), stem(next)] }];
  });
}

function isTelling(word: string): boolean {
  return word.length > 1 && !EMPTY.has(word);
}

function unknownTo(
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
