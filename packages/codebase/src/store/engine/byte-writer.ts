// Writes numbers and bytes to a growing buffer, and reads them back. Numbers take seven bits per byte, so that small
// numbers take one byte.

const FIRST_SIZE = 1024;
const TEXT = new TextEncoder();

export class ByteWriter {
  #bytes = new Uint8Array(FIRST_SIZE);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** A whole number from 0 to 2^53 - 1. */
  number(value: number): void {
    this.#room(8);
    let left = value;
    while (left >= 0x80) {
      this.#bytes[this.#length] = (left % 0x80) | 0x80;
      this.#length += 1;
      left = Math.floor(left / 0x80);
    }
    this.#bytes[this.#length] = left;
    this.#length += 1;
  }

  raw(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  clear(): void {
    this.#length = 0;
  }

  /** Valid until the next write. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  take(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #room(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

export class ByteReader {
  readonly bytes: Uint8Array;
  position: number;

  constructor(bytes: Uint8Array, position = 0) {
    this.bytes = bytes;
    this.position = position;
  }

  number(): number {
    const { bytes } = this;
    let at = this.position;
    let byte = bytes[at] ?? 0;
    at += 1;
    let value = byte & 0x7f;
    for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
      byte = bytes[at] ?? 0;
      at += 1;
      value += (byte & 0x7f) * scale;
    }
    this.position = at;
    return value;
  }

  raw(length: number): Uint8Array {
    const from = this.position;
    this.position += length;
    return this.bytes.subarray(from, this.position);
  }
}

export function textBytes(text: string): Uint8Array {
  return TEXT.encode(text);
}
