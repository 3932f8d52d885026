// The vectors of one embedder on the disk, each with its signature: records of one size, at places that do not change, so that
// one is read without the others. Only added to. How many of them count is kept in the index, so that whatever a killed process
// left behind the last of them is written over.

import { join } from 'node:path';
import { RandomAccessFile } from '../../platform/index.ts';
import { SIGNATURE_BYTES } from '../port/file-record.ts';

export interface SignedVector {
  /** The hash of its signature. */
  readonly hash: Uint8Array;
  readonly packed: Uint8Array;
}

/** Read at a time, where all are. */
const PIECE_RECORDS = 4096;
const PREFIX = 'vectors-';
const ENDING = '.bin';

export class VectorFile implements Disposable {
  readonly #path: string;
  readonly #each: number;
  readonly #packed: Uint8Array;
  #reading: RandomAccessFile | undefined;
  #writing: RandomAccessFile | undefined;

  /** `number` is that of the embedder. */
  constructor(folder: string, number: number, packedBytes: number) {
    this.#path = join(folder, vectorFileName(number));
    this.#each = SIGNATURE_BYTES + packedBytes;
    this.#packed = new Uint8Array(packedBytes);
  }

  /** The bytes of the vector at a place; good until the next is read. */
  packedAt(place: number): Uint8Array {
    this.#reading ??= new RandomAccessFile(this.#path);
    this.#reading.readInto(this.#packed, place * this.#each + SIGNATURE_BYTES);
    return this.#packed;
  }

  /** Those from a place up to another; `take` must not keep what it is given. Throws where there are fewer. */
  forEach(from: number, to: number, take: (vector: SignedVector, place: number) => void): void {
    this.#reading ??= new RandomAccessFile(this.#path);
    const piece = new Uint8Array(Math.min(PIECE_RECORDS, to - from) * this.#each);
    for (let place = from; place < to;) {
      const count = Math.min(PIECE_RECORDS, to - place);
      const bytes = piece.subarray(0, count * this.#each);
      if (this.#reading.readInto(bytes, place * this.#each) < bytes.length) {
        throw new RangeError('vectors of the index are missing');
      }
      for (let at = 0; at < bytes.length; at += this.#each, place += 1) {
        const packed = bytes.subarray(at + SIGNATURE_BYTES, at + this.#each);
        take({ hash: bytes.subarray(at, at + SIGNATURE_BYTES), packed }, place);
      }
    }
  }

  /** One after another, the first at a place. */
  write(vectors: readonly SignedVector[], place: number): void {
    this.#writing ??= new RandomAccessFile(this.#path, place === 0 ? 'anew' : 'write');
    const bytes = Buffer.concat(vectors.flatMap(({ hash, packed }) => [hash, packed]));
    this.#writing.write(bytes, place * this.#each);
  }

  [Symbol.dispose](): void {
    this.#reading?.[Symbol.dispose]();
    this.#writing?.[Symbol.dispose]();
  }
}

function vectorFileName(number: number): string {
  return `${PREFIX}${number}${ENDING}`;
}

/** Those that are not of this embedder. */
export function otherVectorFiles(names: readonly string[], number: number): readonly string[] {
  return names.filter(
    (name) => name.startsWith(PREFIX) && name.endsWith(ENDING) && name !== vectorFileName(number),
  );
}
