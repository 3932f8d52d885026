// A file of ours of which small parts are read at any place, many times within one question; reading such parts
// without waiting is quicker than waiting for each.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

export class RandomAccessFile implements Disposable {
  readonly size: number;
  #file: number | undefined;

  constructor(path: string) {
    this.#file = openSync(path, 'r');
    this.size = fstatSync(this.#file).size;
  }

  /** Shorter than asked for where the file ends. */
  read(position: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    let filled = 0;
    while (this.#file !== undefined && filled < length) {
      const count = readSync(this.#file, bytes, filled, length - filled, position + filled);
      if (count === 0) break;
      filled += count;
    }
    return bytes.subarray(0, filled);
  }

  [Symbol.dispose](): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}
