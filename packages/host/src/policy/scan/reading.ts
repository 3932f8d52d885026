// Reads the words of a text that occur in rules: in one pass over its characters, sentence by sentence, each word with
// its position. Pure.

import { looksLike } from './plain-text.ts';
import { type KnownWord, type Phrase, type Term, VOCABULARY } from './vocabulary.ts';

export interface Token {
  readonly terms: readonly Term[];
  /** The index of the word in the text. */
  readonly position: number;
}

export interface Sentence {
  /** The index of the sentence in the text. */
  readonly number: number;
  readonly start: number;
  readonly end: number;
  readonly tokens: Token[];
}

export interface TextReading {
  readonly sentences: readonly Sentence[];
  /** The index at which each word begins. */
  readonly offsets: readonly number[];
  /** The characters of `SIGNS` in the text, as bits of `markOf`. */
  readonly marks: number;
}

/** Characters that hint at shapes. */
const SIGNS = '@<[{#*!+/("\'`-';
const MARKS = Uint32Array.from({ length: 128 }, (_, code) => markOf(String.fromCodePoint(code)));

export function markOf(sign: string): number {
  const at = SIGNS.indexOf(sign);
  return at < 0 ? 0 : 1 << at;
}

/** The maximum number of words in a sentence; longer ones are not written for people. */
const LONGEST = 150;
const TOOL_NAME = [VOCABULARY.term('TOOL_NAME')];

interface RememberedWord {
  /** As written; `word` is without apostrophes. */
  readonly written: string;
  readonly word: string;
  readonly known: KnownWord | undefined;
}

/** The size of the cache, a power of two. */
const REMEMBERED = 1 << 14;
/** The words that were read last, by a hash of their letters: most texts use the same words. */
const remembered: (RememberedWord | undefined)[] = Array.from({ length: REMEMBERED });

interface PendingPhrase {
  readonly phrase: Phrase;
  readonly position: number;
  /** The number of its words that were read. */
  readonly read: number;
}

/** `plain` is a result of `plainText`. */
export function readingOf(plain: string): TextReading {
  return reader.read(plain);
}

class Reader {
  #text = '';
  #sentences: Sentence[] = [];
  #offsets: number[] = [];
  #tokens: Token[] = [];
  #pending: PendingPhrase[] = [];
  #before: KnownWord | undefined;
  #start = 0;
  #firstWord = 0;
  #number = 0;

  /** One reader reads all texts one after another: creating one takes longer than reading. */
  read(text: string): TextReading {
    const { length } = text;
    const offsets: number[] = [];
    this.#text = text;
    this.#sentences = [];
    this.#offsets = offsets;
    this.#start = 0;
    this.#firstWord = 0;
    this.#number = 0;
    let marks = 0;
    let at = 0;
    while (at < length) {
      const code = text.charCodeAt(at);
      if (isWordCode(code)) {
        const start = at;
        let hash = 0;
        for (; at < length; at += 1) {
          const next = text.charCodeAt(at);
          if (!isWordCode(next) && !(next === APOSTROPHE && isWordCode(text.charCodeAt(at + 1))))
            break;
          hash = (Math.imul(hash, 31) + next) | 0;
        }
        const slot = (hash ^ (hash >>> 15)) & (REMEMBERED - 1);
        let last = remembered[slot];
        if (last?.written.length !== at - start || !text.startsWith(last.written, start)) {
          last = wordOf(text.slice(start, at));
          remembered[slot] = last;
        }
        const position = offsets.push(start) - 1;
        this.#take(last, position);
        if (text.charCodeAt(at) === UNDERSCORE && isWordCode(text.charCodeAt(at + 1))) {
          this.#tokens.push({ terms: TOOL_NAME, position });
        }
        if (offsets.length - this.#firstWord > LONGEST) this.#endSentence(at);
      } else if (code > 0x7f) at = this.#foreign(at);
      else {
        at += 1;
        marks |= MARKS[code] ?? 0;
        if (isEnd(text, code, at)) this.#endSentence(at);
      }
    }
    this.#endSentence(length);
    return { sentences: this.#sentences, offsets, marks };
  }

  #take({ word, known }: RememberedWord, position: number): void {
    const before = this.#before;
    this.#before = known;
    if (known !== undefined && known.terms.length > 0) {
      this.#tokens.push({ terms: known.terms, position });
    }
    if (this.#pending.length > 0) this.#continuePhrases(word);
    if (before === undefined) return;
    for (const phrase of before.phrases?.get(word) ?? NO_PHRASES) {
      this.#advance({ phrase, position: position - 1, read: 1 });
    }
    for (const phrase of before.openPhrases) {
      if (isNext(phrase.rest[0] ?? '', word)) {
        this.#advance({ phrase, position: position - 1, read: 1 });
      }
    }
  }

  /** Advances the pending phrases that continue with this word. */
  #continuePhrases(word: string): void {
    const before = this.#pending;
    this.#pending = [];
    for (const { phrase, position, read } of before) {
      if (isNext(phrase.rest[read] ?? '', word))
        this.#advance({ phrase, position, read: read + 1 });
    }
  }

  #advance({ phrase, position, read }: PendingPhrase): void {
    if (read < phrase.rest.length) this.#pending.push({ phrase, position, read });
    else if (phrase.isNeutral) {
      this.#tokens = this.#tokens.filter((token) => token.position < position);
    } else this.#tokens.push({ terms: phrase.terms, position });
  }

  /** Reads a word of another script, in which words may not be separated by spaces. */
  #foreign(at: number): number {
    const text = this.#text;
    const code = text.charCodeAt(at);
    if (isFullStop(code)) {
      this.#endSentence(at + 1);
      return at + 1;
    }
    const run = VOCABULARY.runAt(text, at);
    if (run !== undefined) {
      this.#tokens.push({ terms: run.terms, position: this.#offsets.push(at) - 1 });
      return at + run.letters.length;
    }
    if (isAlphabetic(code) && !isAlphabetic(text.charCodeAt(at - 1))) {
      let end = at + 1;
      while (isAlphabetic(text.charCodeAt(end))) end += 1;
      const latin = looksLike(text.slice(at, end));
      if (latin === undefined) this.#offsets.push(at);
      else {
        this.#take(wordOf(latin), this.#offsets.push(at) - 1);
        return end;
      }
    } else if (code >= 0x2e80 && (at & 1) === 0) this.#offsets.push(at);
    return at + 1;
  }

  #endSentence(end: number): void {
    if (this.#tokens.length > 0) {
      this.#tokens.sort((a, b) => a.position - b.position);
      const sentence = { number: this.#number, start: this.#start, end, tokens: this.#tokens };
      this.#sentences.push(sentence);
      this.#tokens = [];
    }
    this.#number += 1;
    if (this.#pending.length > 0) this.#pending = [];
    this.#before = undefined;
    this.#start = end;
    this.#firstWord = this.#offsets.length;
  }
}

const NO_PHRASES: readonly Phrase[] = [];

function wordOf(written: string): RememberedWord {
  const word = written.includes("'") ? written.replaceAll("'", '') : written;
  return { written, word, known: VOCABULARY.word(word) };
}

function isNext(expected: string, word: string): boolean {
  return expected.endsWith('*') ? word.startsWith(expected.slice(0, -1)) : word === expected;
}

const APOSTROPHE = 0x27;
const UNDERSCORE = 0x5f;
const NEWLINE = 0x0a;

function isWordCode(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
}

/** Greek, Cyrillic, Armenian. */
function isAlphabetic(code: number): boolean {
  return code >= 0x180 && code <= 0x58f;
}

/** 。！？； and the like. */
function isFullStop(code: number): boolean {
  return code === 0x3002 || code === 0xff01 || code === 0xff1f || code === 0xff1b || code === 0x964;
}

/** Whether a sentence ends with this character; `next` is the index of the next one. */
function isEnd(text: string, code: number, next: number): boolean {
  if (code === NEWLINE) return !isWrapped(text, next);
  // . ! ? ; with a space behind them
  if (code !== 0x2e && code !== 0x21 && code !== 0x3f && code !== 0x3b) return false;
  const after = text.charCodeAt(next);
  return Number.isNaN(after) || after <= 0x20 || after > 0x7f;
}

/** Whether a line break is only a wrapped line. */
function isWrapped(text: string, next: number): boolean {
  let before = next - 2;
  while (text.charCodeAt(before) === 0x20) before -= 1;
  let after = next;
  while (text.charCodeAt(after) === 0x20) after += 1;
  const last = text.charCodeAt(before);
  const first = text.charCodeAt(after);
  const isUnfinished =
    isWordCode(last) || last === 0x2c || last === 0x3a || last === 0x3b || last > 0x7f;
  return (
    isUnfinished &&
    ((first >= 0x61 && first <= 0x7a) ||
      first === 0x28 ||
      first === 0x27 ||
      first === 0x22 ||
      first === 0x7e ||
      first === 0x60)
  );
}

const reader = new Reader();
