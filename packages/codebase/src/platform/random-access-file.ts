// One of the program's own files, from which a search reads many small parts. Reading them synchronously is faster than
// awaiting each.

import { closeSync, constants, fstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs';

const FLAGS = {
  read: constants.O_RDONLY,
  write: constants.O_RDWR | constants.O_CREAT,
  anew: constants.O_RDWR | constants.O_CREAT | constants.O_EXCL,
} as const;
const OWN_ALONE = 0o600;

export class RandomAccessFile implements Disposable {
  #file: number | undefined;

  /** Throws if it cannot be opened. `write` creates a missing file; `anew` replaces it, but not for those who have it open. */
  constructor(path: string, use: keyof typeof FLAGS = 'read') {
    if (use === 'anew') rmSync(path, { force: true });
    this.#file = openSync(path, FLAGS[use], OWN_ALONE);
  }

  get size(): number {
    return this.#file === undefined ? 0 : fstatSync(this.#file).size;
  }

  /** Shorter than `length` at the end of the file. */
  read(position: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    return bytes.subarray(0, this.readInto(bytes, position));
  }

  /** Returns how many bytes were read. */
  readInto(bytes: Uint8Array, position: number): number {
    let filled = 0;
    while (this.#file !== undefined && filled < bytes.length) {
      const count = readSync(this.#file, bytes, filled, bytes.length - filled, position + filled);
      if (count === 0) break;
      filled += count;
    }
    return filled;
  }

  /** Throws if the disk is full. */
  write(bytes: Uint8Array, position: number): void {
    let written = 0;
    while (this.#file !== undefined && written < bytes.length) {
      const left = bytes.length - written;
      written += writeSync(this.#file, bytes, written, left, position + written);
    }
  }

  [Symbol.dispose](): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}
