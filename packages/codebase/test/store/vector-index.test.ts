import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packedNorm, packVector, productTable } from '../../src/store/engine/packed-vector.ts';
import { VectorIndex } from '../../src/store/engine/vector-index.ts';
import { clusteredVectors, dot, unit } from './vectors.ts';

/** An index whose vectors are kept beside it. */
function indexOf(dimensions: number): { index: VectorIndex; add: (packed: Uint8Array) => number } {
  const kept: Uint8Array[] = [];
  const index = new VectorIndex(dimensions, (slot) => kept[slot] ?? new Uint8Array(0));
  const add = (packed: Uint8Array): number => {
    const slot = index.add(packed);
    kept[slot] = packed;
    return slot;
  };
  return { index, add };
}

describe('vectors of four bits per dimension', () => {
  it('keep their direction', () => {
    for (const vector of clusteredVectors({ seed: 3, count: 200, dimensions: 384 })) {
      const packed = packVector(vector);
      const table = productTable(vector);
      const sum = packed.reduce(
        (total, byte, place) => total + (table[place * 256 + byte] ?? 0),
        0,
      );
      expect(packed).toHaveLength(192);
      expect(sum / packedNorm(packed, 384)).toBeGreaterThan(0.985);
    }
  });

  it('are found as by the exact cosine, at least 95 of 100', () => {
    const vectors = clusteredVectors({ seed: 1, count: 3_000, dimensions: 384 });
    const { index, add } = indexOf(384);
    const slots = Int32Array.from(vectors, (vector) => add(packVector(vector)));
    const queries = clusteredVectors({ seed: 1, count: 40, dimensions: 384, noiseSeed: 9 });
    let common = 0;
    for (const query of queries) {
      const exact = vectors
        .map((vector, at) => ({ at, similarity: dot(query, vector) }))
        .toSorted((a, b) => b.similarity - a.similarity)
        .slice(0, 10);
      const found = index.nearest(query, slots, { limit: 10 });
      const wanted = new Set(exact.map(({ at }) => at));
      common += found.filter((near) => wanted.has(near.index)).length;
      expect(Math.abs((found[0]?.similarity ?? 0) - (exact[0]?.similarity ?? 0))).toBeLessThan(
        0.03,
      );
    }
    expect(common / (queries.length * 10)).toBeGreaterThanOrEqual(0.95);
  });

  it('are all found however few are requested, in any number of dimensions', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 1, max: 40 }),
        (dimensions, count) => {
          const vectors = clusteredVectors({ seed: dimensions, count, dimensions });
          const { index, add } = indexOf(dimensions);
          const slots = Int32Array.from(vectors, (vector) => add(packVector(vector)));
          const near = index.nearest(vectors[0] ?? unit([1]), slots, { limit: count });
          expect(near.map((one) => one.index).toSorted((a, b) => a - b)).toEqual([...slots.keys()]);
          expect(near).toEqual(near.toSorted((a, b) => b.similarity - a.similarity));
        },
      ),
    );
  });

  it('reuse the slots of removed ones', () => {
    const [a, b, c] = clusteredVectors({ seed: 2, count: 3, dimensions: 16 });
    if (a === undefined || b === undefined || c === undefined)
      throw new Error('three were asked for');
    const { index, add } = indexOf(16);
    add(packVector(a));
    const slot = add(packVector(b));
    index.remove(slot);
    expect(index.size).toBe(1);
    expect(add(packVector(c))).toBe(slot);
    expect(index.nearest(c, Int32Array.of(slot), { limit: 1 })[0]?.similarity).toBeGreaterThan(0.9);
    expect(index.nearest(new Float32Array(8), Int32Array.of(slot), { limit: 1 })).toEqual([]);
  });
});
