// Counts how deep JSON nests while its text arrives in pieces, before anyone parses it: code that
// walks a value of a million levels overflows the stack. It does not check that the JSON is sound.

export class DepthMeter {
  readonly #limit: number;
  #depth = 0;
  #place: 'plain' | 'string' | 'escape' = 'plain';

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether it nests too deep by now. Bytes may be given as Latin-1: what counts is ASCII. */
  isTooDeep(piece: string): boolean {
    for (let index = 0; index < piece.length; index += 1) {
      if (this.#step(piece.charCodeAt(index))) return true;
    }
    return false;
  }

  #step(unit: number): boolean {
    if (this.#place === 'escape') {
      this.#place = 'string';
    } else if (this.#place === 'string') {
      if (unit === QUOTE) this.#place = 'plain';
      else if (unit === BACKSLASH) this.#place = 'escape';
    } else if (unit === QUOTE) {
      this.#place = 'string';
    } else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) {
      this.#depth += 1;
      return this.#depth > this.#limit;
    } else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) {
      this.#depth -= 1;
    }
    return false;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
