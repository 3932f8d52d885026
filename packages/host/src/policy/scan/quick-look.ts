// Decides in one pass over the characters of a text which of the expensive checks to run. It errs on the side of running
// them, and is far cheaper. Pure.

export interface QuickLook {
  /** Whether there are unusual characters: invisible ones, or letters of other alphabets. */
  readonly isOdd: boolean;
  /** Whether something could be decoded. */
  readonly isEncoded: boolean;
  /** The ways in which words could be disguised. */
  readonly disguises: Disguises;
}

export interface Disguises {
  /** Digits and signs inside words. */
  readonly isMixed: boolean;
  /** Single letters. */
  readonly isApart: boolean;
  /** Words without spaces. */
  readonly isGlued: boolean;
  /** Known words, reversed or in ROT13. */
  readonly isTurned: boolean;
}

export function isAnyDisguise({ isMixed, isApart, isGlued, isTurned }: Disguises): boolean {
  return isMixed || isApart || isGlued || isTurned;
}

/** The number of letters and digits in a row that could be an encoded text. */
const LONG_RUN = 15;
/** The number of letters in a row that could be words without spaces. */
const GLUED = 18;
/** From this number on, single letters are not words. */
const SPACED_LETTERS = 6;
/** From this number on, words with a digit or a sign between letters are not words either. */
const MIXED_WORDS = 2;
/** From this number on, capitals inside a word make it a sentence. */
const HUMPS = 3;
/** From this number on, words with capitals in their middle are not words. */
const CODED_WORDS = 3;
/** From this number on, short numbers are characters. */
const NUMBERS = 7;
/** From this number on, words that are known words reversed or rotated count as a disguise. */
const TURNED_WORDS = 2;

export function quickLook(text: string): QuickLook {
  const look = new TextScanner(text);
  const { length } = text;
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    const folded = code | 0x20;
    if (folded >= 0x61 && folded <= 0x7a) look.letter(folded, code === folded);
    else if (code >= 0x30 && code <= 0x39) look.digit();
    else look.other(code, at);
  }
  look.other(SPACE, length);
  return look.result();
}

/** The state of a scan. It runs over every character that a server sends, so it has plain fields and no objects. */
class TextScanner {
  readonly text: string;
  isOdd = false;
  isEncoded = false;
  /** Of the current word. */
  letters = 0;
  digits = 0;
  flat = 0;
  humps = 0;
  wasSmall = false;
  first = 0;
  last = 0;
  /** Of the current run that could be Base64. */
  run = 0;
  capitals = 0;
  small = 0;
  figures = 0;
  /** Of all words. */
  longest = 0;
  coded = 0;
  alone = 0;
  mixed = 0;
  numbers = 0;
  turned = 0;

  constructor(text: string) {
    this.text = text;
  }

  letter(folded: number, isSmall: boolean): void {
    if (this.letters < 3) this.first = (this.first << 5) | (folded & 31);
    this.last = ((this.last >> 5) | ((folded & 31) << 10)) & 0x7fff;
    if (this.digits > 0 && this.letters > 0) this.mixed += 1;
    // A capital after a small letter begins another word.
    if (!isSmall && this.wasSmall) {
      this.humps += 1;
      this.flat = 0;
    }
    this.wasSmall = isSmall;
    if (isSmall) this.small += 1;
    else this.capitals += 1;
    this.flat += 1;
    if (this.flat > this.longest) this.longest = this.flat;
    this.digits = 0;
    this.letters += 1;
    this.run += 1;
  }

  digit(): void {
    this.digits += 1;
    this.figures += 1;
    this.run += 1;
  }

  other(code: number, at: number): void {
    const { text } = this;
    if (this.letters + this.digits > 0) this.endWord(at);
    if (this.letters > 0 && isLetterLike(code) && isLetter(text.charCodeAt(at + 1)))
      this.mixed += 1;
    this.letters = 0;
    this.digits = 0;
    this.flat = 0;
    this.humps = 0;
    this.wasSmall = false;
    this.first = 0;
    this.last = 0;
    if (this.run > LONG_RUN && this.couldBeEncoded()) this.isEncoded = true;
    // Base64 has these inside.
    if (code === PLUS || code === SLASH) this.run += 1;
    else {
      this.run = 0;
      this.capitals = 0;
      this.small = 0;
      this.figures = 0;
    }
    if (code === SPACE) return;
    if (code > 0x7e || (code < SPACE && code !== 0x09 && code !== 0x0a && code !== 0x0d)) {
      this.isOdd ||= isOddCode(code);
    } else if (isEscape(code, text, at + 1)) this.isEncoded = true;
  }

  /** Counts a word that ends here. */
  endWord(end: number): void {
    const { letters, digits, humps } = this;
    if (humps >= HUMPS) this.longest = this.text.length + GLUED;
    if (humps > 1 || (humps === 1 && digits > 0)) this.coded += 1;
    if (letters > 3 && (TURNED.beginnings[this.first] === 1 || TURNED.endings[this.last] === 1)) {
      const word = this.text.slice(end - letters, end).toLowerCase();
      if (TURNED.words.has(word)) this.turned += 1;
    }
    if (letters + digits === 1) this.alone += 1;
    else if (this.alone < SPACED_LETTERS) this.alone = 0;
    if (isNumber(letters, digits)) this.numbers += 1;
    else if (this.numbers < NUMBERS) this.numbers = 0;
  }

  couldBeEncoded(): boolean {
    return this.capitals > 0 ? this.small + this.figures > 0 : this.figures > 3;
  }

  result(): QuickLook {
    return {
      isOdd: this.isOdd,
      isEncoded: this.isEncoded || this.numbers >= NUMBERS || this.coded >= CODED_WORDS,
      disguises: {
        isMixed: this.mixed >= MIXED_WORDS,
        isApart: this.alone >= SPACED_LETTERS,
        isGlued: this.longest > GLUED,
        isTurned: this.turned >= TURNED_WORDS,
      },
    };
  }
}

const SPACE = 0x20;
const PLUS = 0x2b;
const SLASH = 0x2f;

function isLetter(code: number): boolean {
  const folded = code | 0x20;
  return folded >= 0x61 && folded <= 0x7a;
}

/** @ $ ! | + < * ~ ^ and a backslash, between two letters. */
function isLetterLike(code: number): boolean {
  return (
    code === 0x40 ||
    code === 0x24 ||
    code === 0x21 ||
    code === 0x7c ||
    code === PLUS ||
    code === 0x3c ||
    code === 0x2a ||
    code === 0x7e ||
    code === 0x5e ||
    code === 0x5c
  );
}

/** 69, 6e, 105, 01101001. */
function isNumber(letters: number, digits: number): boolean {
  const length = letters + digits;
  return digits > 0 ? length === 2 || length === 3 || length === 8 || length === 7 : false;
}

/** %69, &#105; &lt; \u0069 */
function isEscape(code: number, text: string, after: number): boolean {
  if (code !== 0x5c && code !== 0x25 && code !== 0x26) return false;
  const next = text.charCodeAt(after);
  if (code === 0x5c) return next === 0x75 || next === 0x78 || (next >= 0x30 && next <= 0x37);
  if (code === 0x25) return next >= 0x32 && next <= 0x37;
  return (
    next === 0x23 || text.charCodeAt(after + 2) === 0x3b || text.charCodeAt(after + 4) === 0x3b
  );
}

/** Excludes dashes, quotation marks, arrows, emoji, accents, and letters of scripts with whole texts. */
function isOddCode(code: number): boolean {
  if (code >= 0xa0 && code <= 0xff) return code === 0xad;
  if (code >= 0x2010 && code <= 0x2027) return false;
  if (code >= 0x2030 && code <= 0x205e) return false;
  if (code >= 0x2190 && code <= 0x2bff) return false;
  if (code === 0xd83d || code === 0xd83e) return false;
  return !(code >= 0x2e80 && code <= 0xd7ff && code !== 0x3164);
}

/** Words that nearly every attack contains. */
const TELLING =
  'ignore ignoring disregard forget previous prior instructions instruction system prompt user password passwords secret secrets credentials reveal everything rules guidelines send read file tell private token assistant override bypass above contents content https http conversation history context tool following everything';

const TURNED = turnedOf(TELLING.split(' '));

/** These words reversed and in ROT13, with the beginnings and endings of such words. */
function turnedOf(words: readonly string[]) {
  const beginnings = new Uint8Array(1 << 15);
  const endings = new Uint8Array(1 << 15);
  const turned = new Set<string>();
  for (const word of words) {
    const rotated = word.replaceAll(/[a-z]/g, (letter) =>
      String.fromCodePoint(rotate(letter.charCodeAt(0))),
    );
    turned.add(rotated).add(word.split('').toReversed().join(''));
    let first = 0;
    for (const letter of rotated.slice(0, 3)) first = (first << 5) | (letter.charCodeAt(0) & 31);
    beginnings[first] = 1;
    // The first letters of a reversed word are at its end.
    let last = 0;
    for (const letter of word.slice(0, 3).split('').toReversed()) {
      last = ((last >> 5) | ((letter.charCodeAt(0) & 31) << 10)) & 0x7fff;
    }
    endings[last] = 1;
  }
  return { beginnings, endings, words: turned };
}

export function rotate(small: number): number {
  return ((small - 0x61 + 13) % 26) + 0x61;
}
