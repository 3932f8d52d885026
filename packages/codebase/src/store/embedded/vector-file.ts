// The vectors of one embedder on the disk: records of a fixed size, each with its signature, so that any one can be read by
// itself. Records are only appended. The database stores how many are valid, so that anything that a killed process left
// after them is overwritten.

import { join } from 'node:path';
import { RandomAccessFile } from '../../platform/index.ts';
import { SIGNATURE_BYTES } from '../port/file-record.ts';

export interface SignedVector {
  /** The hash of its signature. */
  readonly hash: Uint8Array;
  readonly packed: Uint8Array;
}

/** How many records are read at a time. */
const PIECE_RECORDS = 4096;
const PREFIX = 'vectors-';
const ENDING = '.bin';

export class VectorFile implements Disposable {
  readonly #path: string;
  readonly #recordBytes: number;
  readonly #packed: Uint8Array;
  #reading: RandomAccessFile | undefined;
  #writing: RandomAccessFile | undefined;

  /** `number` is the row of the embedder. */
  constructor(folder: string, number: number, packedBytes: number) {
    this.#path = join(folder, vectorFileName(number));
    this.#recordBytes = SIGNATURE_BYTES + packedBytes;
    this.#packed = new Uint8Array(packedBytes);
  }

  /** The vector at a place; valid until the next one is read. */
  packedAt(place: number): Uint8Array {
    this.#reading ??= new RandomAccessFile(this.#path);
    this.#reading.readInto(this.#packed, place * this.#recordBytes + SIGNATURE_BYTES);
    return this.#packed;
  }

  /** Calls `take` for the vectors between two places; it must not keep the bytes. Throws if there are fewer. */
  forEach(from: number, to: number, take: (vector: SignedVector, place: number) => void): void {
    this.#reading ??= new RandomAccessFile(this.#path);
    const piece = new Uint8Array(Math.min(PIECE_RECORDS, to - from) * this.#recordBytes);
    for (let place = from; place < to;) {
      const count = Math.min(PIECE_RECORDS, to - place);
      const bytes = piece.subarray(0, count * this.#recordBytes);
      if (this.#reading.readInto(bytes, place * this.#recordBytes) < bytes.length) {
        throw new RangeError('vectors of the index are missing');
      }
      for (let at = 0; at < bytes.length; at += this.#recordBytes, place += 1) {
        const packed = bytes.subarray(at + SIGNATURE_BYTES, at + this.#recordBytes);
        take({ hash: bytes.subarray(at, at + SIGNATURE_BYTES), packed }, place);
      }
    }
  }

  /** Writes vectors one after another, beginning at a place. */
  write(vectors: readonly SignedVector[], place: number): void {
    this.#writing ??= new RandomAccessFile(this.#path, place === 0 ? 'anew' : 'write');
    const bytes = Buffer.concat(vectors.flatMap(({ hash, packed }) => [hash, packed]));
    this.#writing.write(bytes, place * this.#recordBytes);
  }

  [Symbol.dispose](): void {
    this.#reading?.[Symbol.dispose]();
    this.#writing?.[Symbol.dispose]();
  }
}

function vectorFileName(number: number): string {
  return `${PREFIX}${number}${ENDING}`;
}

/** The names of vector files of other embedders. */
export function otherVectorFiles(names: readonly string[], number: number): readonly string[] {
  return names.filter(
    (name) => name.startsWith(PREFIX) && name.endsWith(ENDING) && name !== vectorFileName(number),
  );
}
