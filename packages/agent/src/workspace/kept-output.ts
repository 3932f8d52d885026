// Keeps the beginning and the end of a command's output, and the size of the omission between them. Never stores more than
// its limit.

import { stripVTControlCharacters } from 'node:util';

export interface OutputText {
  readonly text: string;
  /** The number of bytes that were left out of the middle. */
  readonly omitted: number;
}

export class KeptOutput {
  readonly #half: number;
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #total = 0;

  constructor(maxBytes: number) {
    this.#half = Math.max(1, Math.floor(maxBytes / 2));
  }

  get total(): number {
    return this.#total;
  }

  take(chunk: Buffer): void {
    this.#total += chunk.length;
    const room = this.#half - this.#headBytes;
    const first = chunk.subarray(0, Math.max(0, room));
    if (first.length > 0) {
      this.#head.push(first);
      this.#headBytes += first.length;
    }
    if (chunk.length > first.length) this.#append(chunk.subarray(first.length));
  }

  text(): OutputText {
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail).subarray(-this.#half);
    const omitted = this.#total - head.length - tail.length;
    if (omitted === 0)
      return { text: stripControls(Buffer.concat([head, tail]).toString('utf8')), omitted };
    // Cut at line ends if possible, so that no partial line looks like a complete one.
    const headEnd = head.lastIndexOf(0x0a) + 1 || head.length;
    const tailStart = (tail.indexOf(0x0a) + 1) % tail.length;
    const left = omitted + (head.length - headEnd) + tailStart;
    const beginning = stripControls(head.subarray(0, headEnd).toString('utf8'));
    const end = stripControls(tail.subarray(tailStart).toString('utf8'));
    const seam = beginning.endsWith('\n') ? '' : '\n';
    return { text: `${beginning}${seam}[… ${left} bytes left out …]\n${end}`, omitted: left };
  }

  #append(chunk: Buffer): void {
    this.#tail.push(chunk);
    this.#tailBytes += chunk.length;
    // Joined only from time to time, since a command may write a byte at a time.
    if (this.#tailBytes < this.#half * 2) return;
    // A copy, since a slice would keep the whole chunk in memory.
    this.#tail = [Buffer.from(Buffer.concat(this.#tail).subarray(-this.#half))];
    this.#tailBytes = this.#half;
  }
}

/** Removes colours and control characters, and keeps only the last version of a line that was overwritten. */
export function stripControls(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll('\r\n', '\n')
    .replaceAll(/[^\n]*\r(?=[^\n])/g, '')
    .replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F]/g, '');
}
