import * as fc from 'fast-check';
import { describe, it } from 'vitest';
import { DepthMeter } from '../src/depth-meter.ts';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('the depth of JSON', () => {
  it('is the same for pieces as for the whole, whatever strings contain', ({ expect }) => {
    // Brackets, quotes and backslashes in strings are what could be miscounted.
    const text = fc.string({
      unit: fc.constantFrom('"', '\\', '{', '[', ']', '}', 'a', 'ä', '\n'),
    });
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { depthSize: 'medium' },
        text,
        fc.array(tie('json'), { maxLength: 3 }),
        fc.dictionary(text, tie('json'), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(json, fc.array(fc.nat(), { maxLength: 8 }), (value, cuts) => {
        const written = JSON.stringify(value);
        const places = cuts.map((cut) => cut % (written.length + 1)).toSorted((a, b) => a - b);
        const pieces = [...places, written.length].map((end, index) =>
          written.slice(places[index - 1] ?? 0, end),
        );
        const depth = depthOf(value);
        const isTooDeep = (limit: number): boolean => {
          const meter = new DepthMeter(limit);
          return pieces.some((piece) => meter.isTooDeep(piece));
        };
        expect(isTooDeep(depth)).toBe(false);
        expect(isTooDeep(depth - 1)).toBe(depth > 0);
      }),
      { numRuns: 500 },
    );
  });
});
