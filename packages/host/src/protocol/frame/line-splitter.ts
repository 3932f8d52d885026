// Splits a byte stream into lines of limited length. A longer line is dropped while it arrives; its first and last bytes
// are kept, since they can show which request it answers.

export type SplitLine =
  | { readonly kind: 'line'; readonly text: string }
  | {
      readonly kind: 'oversize';
      readonly bytes: number;
      readonly head: string;
      readonly tail: string;
    };

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const EDGE_BYTES = 512;

export class LineSplitter {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #length = 0;
  #dropping: { bytes: number; readonly head: string; tail: Buffer } | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Takes the next bytes and passes every complete line to `onLine`, in order. */
  push(chunk: Buffer, onLine: (line: SplitLine) => void): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end === -1) {
        if (start < chunk.length) this.#keep(start === 0 ? chunk : chunk.subarray(start));
        return;
      }
      const isWhole = this.#pieces.length === 0 && this.#dropping === undefined;
      // Most lines arrive in one piece, and are decoded without a copy.
      if (isWhole && end - start <= this.#maxBytes) onLine(lineIn(chunk, start, end));
      else onLine(this.#finish(chunk.subarray(start, end)));
      start = end + 1;
    }
  }

  #keep(piece: Buffer): void {
    if (this.#dropping === undefined && this.#length + piece.length > this.#maxBytes) {
      const head = this.#pieces[0] ?? piece;
      this.#dropping = {
        bytes: this.#length,
        head: head.toString('utf8', 0, EDGE_BYTES),
        tail: Buffer.alloc(0),
      };
      this.#pieces = [];
      this.#length = 0;
    }
    if (this.#dropping === undefined) {
      this.#pieces.push(piece);
      this.#length += piece.length;
      return;
    }
    this.#dropping.bytes += piece.length;
    const tail = Buffer.concat([this.#dropping.tail, piece.subarray(-EDGE_BYTES)]);
    this.#dropping.tail = Buffer.from(tail.subarray(-EDGE_BYTES));
  }

  #finish(last: Buffer): SplitLine {
    this.#keep(last);
    const dropped = this.#dropping;
    if (dropped !== undefined) {
      this.#dropping = undefined;
      const { bytes, head, tail } = dropped;
      return { kind: 'oversize', bytes, head, tail: tail.toString('utf8') };
    }
    const whole = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#length = 0;
    const line = whole ?? last;
    return lineIn(line, 0, line.length);
  }
}

/** The line without the carriage return that Windows programs write. */
function lineIn(bytes: Buffer, start: number, end: number): SplitLine {
  const hasReturn = end > start && bytes[end - 1] === CARRIAGE_RETURN;
  return { kind: 'line', text: bytes.toString('utf8', start, hasReturn ? end - 1 : end) };
}
