// Lines of a stream of bytes. A line that is longer than a message may be is passed over as a whole, so that it takes no
// memory, and reported once.

const NEWLINE = 0x0a;

export class Lines {
  readonly #longest: number;
  readonly #parts: Buffer[] = [];
  #length = 0;
  #isPassedOver = false;

  constructor(longest: number) {
    this.#longest = longest;
  }

  /** The lines that end in this chunk; nothing in place of one that was too long. */
  *push(chunk: Buffer): Generator<string | undefined> {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      this.#add(chunk.subarray(start, end === -1 ? chunk.length : end));
      if (end === -1) return;
      start = end + 1;
      yield this.#isPassedOver ? undefined : Buffer.concat(this.#parts).toString('utf8');
      this.#clear();
      this.#isPassedOver = false;
    }
  }

  #add(part: Buffer): void {
    if (this.#isPassedOver || part.length === 0) return;
    this.#length += part.length;
    if (this.#length <= this.#longest) {
      this.#parts.push(part);
      return;
    }
    this.#isPassedOver = true;
    this.#clear();
  }

  #clear(): void {
    this.#parts.length = 0;
    this.#length = 0;
  }
}
