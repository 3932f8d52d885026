// Vectors as they lie on the disk, some dozens in one row: a row for each would cost more than it holds when all are
// read. Pure.

import { SIGNATURE_BYTES } from '../port/file-record.ts';

export interface SignedVector {
  /** The hash of its signature. */
  readonly hash: Uint8Array;
  readonly packed: Uint8Array;
}

const MOST_VECTORS = 64;

/** In order, as many to a block as go into one. */
export function toBlocks(vectors: readonly SignedVector[]): readonly (readonly SignedVector[])[] {
  const blocks: (readonly SignedVector[])[] = [];
  for (let from = 0; from < vectors.length; from += MOST_VECTORS) {
    blocks.push(vectors.slice(from, from + MOST_VECTORS));
  }
  return blocks;
}

export function packBlock(vectors: readonly SignedVector[]): Uint8Array {
  return Buffer.concat(vectors.flatMap(({ hash, packed }) => [hash, packed]));
}

/** Throws where the bytes are not as many as there must be. */
export function unpackBlock(bytes: Uint8Array, packedBytes: number): readonly SignedVector[] {
  const each = SIGNATURE_BYTES + packedBytes;
  if (bytes.length % each !== 0) throw new RangeError('vectors of the index are damaged');
  return Array.from({ length: bytes.length / each }, (_, number) => {
    const from = number * each;
    const middle = from + SIGNATURE_BYTES;
    return { hash: bytes.subarray(from, middle), packed: bytes.subarray(middle, from + each) };
  });
}
