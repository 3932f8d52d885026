import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchesOf } from '../../src/embed/token-batches.ts';

const sized = (lengths: readonly number[]): { ids: Int32Array }[] =>
  lengths.map((length) => ({ ids: new Int32Array(length) }));

describe('token batches', () => {
  it('contain every item once, with little padding and within their bounds', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 2, max: 160 }), { maxLength: 300 }), (lengths) => {
        const items = sized(lengths);
        const batches = batchesOf(items);
        expect(new Set(batches.flat())).toEqual(new Set(items));
        expect(batches.flat()).toHaveLength(items.length);
        for (const batch of batches) {
          const longest = Math.max(...batch.map(({ ids }) => ids.length));
          expect(batch.length).toBeLessThanOrEqual(32);
          expect(batch.length === 1 || batch.length * longest <= 768).toBe(true);
        }
      }),
    );
  });

  it('put texts of one length together', () => {
    const lengths = batchesOf(sized([96, 4, 96, 4, 96])).map((batch) =>
      batch.map(({ ids }) => ids.length),
    );
    expect(lengths).toEqual([[4, 4, 96, 96, 96]]);
    expect(
      batchesOf(sized(Array.from({ length: 20 }, () => 96))).map(({ length }) => length),
    ).toEqual([8, 8, 4]);
  });

  it('are none for no texts', () => {
    expect(batchesOf([])).toEqual([]);
  });
});
