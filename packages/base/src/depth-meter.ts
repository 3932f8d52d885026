// Measures how deeply JSON nests while its text arrives in pieces, before it is parsed: code that traverses a value of a
// million levels overflows the stack. It does not check that the JSON is valid.

export class DepthMeter {
  readonly #limit: number;
  #depth = 0;
  #place: 'plain' | 'string' | 'escape' = 'plain';

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether the text so far nests too deeply. Bytes may be passed as Latin-1, since only ASCII matters. */
  isTooDeep(piece: string): boolean {
    for (let index = 0; index < piece.length; index += 1) {
      if (this.#place !== 'plain') {
        index = this.#endOfString(piece, index);
        continue;
      }
      const unit = piece.charCodeAt(index);
      if (unit === QUOTE) {
        this.#place = 'string';
      } else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) {
        this.#depth += 1;
        if (this.#depth > this.#limit) return true;
      } else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) {
        this.#depth -= 1;
      }
    }
    return false;
  }

  /** The index of the quote that ends the string, or the end of the piece. Most of a JSON text is in strings. */
  #endOfString(piece: string, start: number): number {
    let from = this.#place === 'escape' ? start + 1 : start;
    for (;;) {
      const quote = piece.indexOf('"', from);
      const end = quote < 0 ? piece.length : quote;
      let first = end;
      while (first > from && piece.charCodeAt(first - 1) === BACKSLASH) first -= 1;
      const isEscaped = (end - first) % 2 === 1;
      if (quote < 0) this.#place = isEscaped ? 'escape' : 'string';
      else if (!isEscaped) this.#place = 'plain';
      if (quote < 0 || !isEscaped) return end;
      from = quote + 1;
    }
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
