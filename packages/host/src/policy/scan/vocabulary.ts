// All words in rules, indexed so that a text is read in one pass: words with Latin letters by their beginnings, other
// words by their first letter. They are written as `plainText` would write them. Pure; created once.

import { ENGLISH, type Words } from './words/english.ts';
import { ASIAN_AND_OTHER, GERMANIC, ROMANCE, SLAVIC_AND_TURKIC } from './words/other-languages.ts';

/** The number of a named meaning, or of a word that a rule uses by itself. */
export type Term = number;

export interface KnownWord {
  readonly terms: readonly Term[];
  /** Phrases that begin with the word, by their second word. */
  readonly phrases: ReadonlyMap<string, readonly Phrase[]> | undefined;
  /** Phrases that state only the beginning of their second word. */
  readonly openPhrases: readonly Phrase[];
}

export interface Phrase {
  readonly rest: readonly string[];
  readonly terms: readonly Term[];
  readonly isNeutral: boolean;
}

/** A word in a script that is not read word by word. */
export interface LetterRun {
  readonly letters: string;
  readonly terms: Term[];
}

interface Entry {
  readonly terms: Term[];
  readonly phrases: Phrase[];
}

/** The maximum number of terms, which a test of the rules checks. */
export const MOST_TERMS = 4096;

const NEUTRAL = 'NEUTRAL';
/** Words that occur in nearly every text. */
const COMMON: ReadonlySet<string> = new Set(
  'a an the to of for in on as is are be it its this that and or if when with by from not no use used get set list value file data name all any user text content new input result results'.split(
    ' ',
  ),
);
const SHORTEST_STEM = 3;
const LONGEST_WORD = 16;
/** Five bits for each letter of the shortest stem. */
const BEGINNINGS = 1 << (5 * SHORTEST_STEM);
const NOT_LATIN = /[^a-z0-9_*']/;
const NO_RUNS: readonly LetterRun[] = [];

class Vocabulary {
  readonly #terms = new Map<string, Term>();
  /** By term. */
  readonly #breadths: number[] = [];
  readonly #exact = new Map<string, Entry>();
  readonly #stems = new Map<string, Entry>();
  /** Which beginnings a known word has; most words and all numbers of a text have none of them. */
  readonly #beginnings = new Uint8Array(BEGINNINGS);
  readonly #runs = new Map<string, LetterRun[]>();

  constructor(languages: readonly Words[]) {
    for (const words of languages) {
      for (const [meaning, list] of Object.entries(words)) {
        const term = this.term(meaning);
        for (const word of list.split(' ')) this.#add(word, term, meaning === NEUTRAL);
      }
    }
  }

  /** The term of a named meaning, or of a word that a rule uses by itself. */
  term(name: string): Term {
    const known = this.#terms.get(name);
    if (known !== undefined) return known;
    const term = this.#terms.size;
    this.#terms.set(name, term);
    if (name === name.toLowerCase()) this.#add(name, term, false);
    return term;
  }

  get size(): number {
    return this.#terms.size;
  }

  /** The number of words with the term: the fewer, the more significant it is. */
  breadth(term: Term): number {
    return this.#breadths[term] ?? 0;
  }

  /** Looks up a word in lower-case Latin letters. */
  word(word: string): KnownWord | undefined {
    if (this.#beginnings[beginningOf(word)] === 0) return undefined;
    const entries = this.#entriesOf(word);
    if (entries.length === 0) return undefined;
    const terms = new Set(entries.flatMap((entry) => entry.terms));
    return { terms: [...terms], ...bySecondWord(entries.flatMap(({ phrases }) => phrases)) };
  }

  #entriesOf(word: string): readonly Entry[] {
    const exact = this.#exact.get(word);
    const entries = exact === undefined ? [] : [exact];
    for (let length = SHORTEST_STEM; length <= Math.min(word.length, LONGEST_WORD); length += 1) {
      const stem = this.#stems.get(word.slice(0, length));
      if (stem !== undefined) entries.push(stem);
    }
    return entries;
  }

  /** The longest run that begins at this index. */
  runAt(text: string, at: number): LetterRun | undefined {
    let longest: LetterRun | undefined;
    for (const run of this.#runs.get(text.charAt(at)) ?? NO_RUNS) {
      const isLonger = run.letters.length > (longest?.letters.length ?? 0);
      if (isLonger && text.startsWith(run.letters, at)) longest = run;
    }
    return longest;
  }

  /** The length of the longest known word that begins at this index; 0 if there is none. */
  lengthOfWordAt(letters: string, at: number): number {
    for (let length = Math.min(LONGEST_WORD, letters.length - at); length >= 3; length -= 1) {
      const word = letters.slice(at, at + length);
      if (this.#exact.has(word) || this.#stems.has(word)) return length;
    }
    return 0;
  }

  #add(plain: string, term: Term, isNeutral: boolean): void {
    this.#breadths[term] = this.breadth(term) + (COMMON.has(plain) ? 100 : 1);
    if (NOT_LATIN.test(plain)) {
      this.#addRun(plain, term);
    } else if (plain.includes('_')) {
      const [first = '', ...rest] = plain.split('_').filter((part) => part !== '');
      if (rest.length === 0) this.#addWord(first, term);
      else this.#entryIn(this.#exact, first).phrases.push({ rest, terms: [term], isNeutral });
    } else {
      this.#addWord(plain, term);
    }
  }

  #addWord(word: string, term: Term): void {
    const isStem = word.endsWith('*');
    const { terms } = this.#entryIn(isStem ? this.#stems : this.#exact, word);
    if (!terms.includes(term)) terms.push(term);
  }

  #entryIn(entries: Map<string, Entry>, written: string): Entry {
    const word = written.replace('*', '');
    const known = entries.get(word);
    if (known !== undefined) return known;
    const entry: Entry = { terms: [], phrases: [] };
    entries.set(word, entry);
    this.#beginnings[beginningOf(word)] = 1;
    return entry;
  }

  #addRun(plain: string, term: Term): void {
    const letters = plain.replaceAll('_', ' ');
    const runs = this.#runs.get(letters.charAt(0));
    const known = runs?.find((run) => run.letters === letters);
    if (known !== undefined) known.terms.push(term);
    else if (runs !== undefined) runs.push({ letters, terms: [term] });
    else this.#runs.set(letters.charAt(0), [{ letters, terms: [term] }]);
  }
}

function bySecondWord(phrases: readonly Phrase[]): Pick<KnownWord, 'phrases' | 'openPhrases'> {
  const closed = phrases.filter(({ rest }) => rest[0]?.endsWith('*') !== true);
  const bySecond = new Map<string, Phrase[]>();
  for (const phrase of closed) {
    const second = phrase.rest[0] ?? '';
    bySecond.set(second, [...(bySecond.get(second) ?? []), phrase]);
  }
  return {
    phrases: bySecond.size === 0 ? undefined : bySecond,
    openPhrases: phrases.filter((phrase) => !closed.includes(phrase)),
  };
}

/** The first three letters as a number; other characters may collide. */
function beginningOf(word: string): number {
  return (
    ((word.charCodeAt(0) & 31) << 10) | ((word.charCodeAt(1) & 31) << 5) | (word.charCodeAt(2) & 31)
  );
}

export const VOCABULARY = new Vocabulary([
  ENGLISH,
  GERMANIC,
  ROMANCE,
  SLAVIC_AND_TURKIC,
  ASIAN_AND_OTHER,
]);

/** The set of terms in one text. Reused for all texts. */
export class Presence {
  readonly terms: Term[] = [];
  readonly #flags = new Uint8Array(MOST_TERMS);

  clear(): void {
    for (const term of this.terms) this.#flags[term] = 0;
    this.terms.length = 0;
  }

  /** Returns false if the term was present before. */
  add(term: Term): boolean {
    if (this.#flags[term] === 1) return false;
    this.#flags[term] = 1;
    this.terms.push(term);
    return true;
  }

  hasAny(terms: readonly Term[]): boolean {
    for (const term of terms) if (this.#flags[term] === 1) return true;
    return false;
  }
}
