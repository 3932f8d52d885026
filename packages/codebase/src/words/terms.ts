// The terms that a piece of code is found by: the words of its identifiers, as stems, and each
// identifier of several words also as a whole. The index and the question are read by the same rule.

import { identifiersOf, splitIdentifier } from '../chunk/index.ts';
import { stem } from './stem.ts';

export interface TermsOptions {
  /** How many terms at most; what comes first counts. */
  readonly most?: number;
}

const MOST_TERMS = 4096;
const LONGEST = 64;
const LEAST_LENGTH = 2;
const MOST_REMEMBERED = 20_000;

/** Lower case, in order, with repeats. */
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

/** Declared names of one letter, as they are: as words of a text they would stand for nothing. */
export function letterTerms(names: readonly string[]): readonly string[] {
  return names.filter((name) => LETTER.test(name));
}

const LETTER = /^\p{L}$/u;

/** The stems of an identifier's words, without the whole. */
export function identifierWords(identifier: string): readonly string[] {
  return readIdentifier(identifier).words;
}

interface ReadIdentifier {
  readonly words: readonly string[];
  readonly terms: readonly string[];
}

/** Code says the same names over and over; to read one again costs more than to remember it. */
const remembered = new Map<string, ReadIdentifier>();

function readIdentifier(identifier: string): ReadIdentifier {
  const known = remembered.get(identifier);
  if (known !== undefined) return known;
  const result = readAnew(identifier);
  if (identifier.length > LONGEST) return result;
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(identifier, result);
  return result;
}

function readAnew(identifier: string): ReadIdentifier {
  const parts = splitIdentifier(identifier).filter(isWord);
  const words = parts.map(stem);
  const whole = parts.join('');
  const hasWhole = parts.length > 1 && whole.length <= LONGEST;
  return { words, terms: hasWhole ? [...words, stem(whole)] : words };
}

function isWord(word: string): boolean {
  return word.length >= LEAST_LENGTH && word.length <= LONGEST;
}
