// The search terms of a piece of code: the stems of the words of its identifiers, and each identifier of several words also
// as a whole. Code and questions follow the same rule.

import { identifiersOf, splitIdentifier } from '../chunk/index.ts';
import { stem } from './stem.ts';

export interface TermsOptions {
  /** The most terms; the first ones count. */
  readonly most?: number;
}

const MOST_TERMS = 4096;
const LONGEST = 64;
const LEAST_LENGTH = 2;
const MOST_CACHED = 20_000;

/** In lower case and in order, with repetitions. */
export function termsOf(text: string, { most = MOST_TERMS }: TermsOptions = {}): readonly string[] {
  const terms: string[] = [];
  for (const identifier of identifiersOf(text)) {
    if (terms.length >= most) break;
    terms.push(...termsOfIdentifier(identifier));
  }
  return terms.length > most ? terms.slice(0, most) : terms;
}

export function termsOfIdentifier(identifier: string): readonly string[] {
  return readIdentifier(identifier).terms;
}

/** Declared names of one letter, unchanged. In a text such a word would mean nothing. */
export function letterTerms(names: readonly string[]): readonly string[] {
  return names.filter((name) => LETTER.test(name));
}

const LETTER = /^\p{L}$/u;

/** The stems of an identifier's words, without the whole identifier. */
export function identifierWords(identifier: string): readonly string[] {
  return readIdentifier(identifier).words;
}

interface ReadIdentifier {
  readonly words: readonly string[];
  readonly terms: readonly string[];
}

/** Code repeats the same names, and reading a name costs more than a lookup. */
const cache = new Map<string, ReadIdentifier>();

function readIdentifier(identifier: string): ReadIdentifier {
  const known = cache.get(identifier);
  if (known !== undefined) return known;
  const result = splitAndStem(identifier);
  if (identifier.length > LONGEST) return result;
  if (cache.size >= MOST_CACHED) cache.clear();
  cache.set(identifier, result);
  return result;
}

function splitAndStem(identifier: string): ReadIdentifier {
  const parts = splitIdentifier(identifier).filter(isWord);
  const words = parts.map(stem);
  const whole = parts.join('');
  const hasWhole = parts.length > 1 && whole.length <= LONGEST;
  return { words, terms: hasWhole ? [...words, stem(whole)] : words };
}

function isWord(word: string): boolean {
  return word.length >= LEAST_LENGTH && word.length <= LONGEST;
}
