// Splits a stream of bytes into lines. A line over the limit is skipped as a whole, so that it takes no memory, and reported
// once.

const NEWLINE = 0x0a;

export class Lines {
  readonly #maxLength: number;
  readonly #parts: Buffer[] = [];
  #length = 0;
  #isSkipped = false;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** The lines that end in this chunk; `undefined` in place of a line over the limit. */
  *push(chunk: Buffer): Generator<string | undefined> {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      this.#add(chunk.subarray(start, end === -1 ? chunk.length : end));
      if (end === -1) return;
      start = end + 1;
      yield this.#isSkipped ? undefined : Buffer.concat(this.#parts).toString('utf8');
      this.#clear();
      this.#isSkipped = false;
    }
  }

  #add(part: Buffer): void {
    if (this.#isSkipped || part.length === 0) return;
    this.#length += part.length;
    if (this.#length <= this.#maxLength) {
      this.#parts.push(part);
      return;
    }
    this.#isSkipped = true;
    this.#clear();
  }

  #clear(): void {
    this.#parts.length = 0;
    this.#length = 0;
  }
}
