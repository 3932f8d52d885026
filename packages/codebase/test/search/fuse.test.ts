import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuse } from '../../src/search/fuse.ts';
import { chunk, dense } from './candidates.ts';

const lexical = (path: string, score: number) => ({ chunk: chunk(path), score });

describe('fusing two result lists', () => {
  const atPlace = (place: number): number => (0.1 * 61) / (61 + place);

  it('adds both scores by their shares, each scaled from 0 to 1, and a little for the place in each list', () => {
    const found = fuse({
      lexical: [lexical('a', 10), lexical('b', 5)],
      dense: [dense('b', 0.9), dense('c', 0.5), dense('a', 0.1)],
      denseShare: 0.5,
    });
    const a = 0.5 * (0.9 + atPlace(0)) + 0.5 * atPlace(2);
    const b = 0.5 * (0.9 * 0.5 + atPlace(1)) + 0.5 * (0.9 + atPlace(0));
    const c = 0.5 * (0.9 * 0.5 + atPlace(1));
    expect(found.map(({ chunk: { path }, ...rest }) => ({ path, ...rest }))).toEqual([
      { path: 'a', base: expect.closeTo(a / b) as number, similarity: 0.1 },
      { path: 'b', base: 1, similarity: 0.9 },
      { path: 'c', base: expect.closeTo(c / b) as number, similarity: 0.5 },
    ]);
  });

  it('uses one list alone when the other is empty', () => {
    const byWords = fuse({
      lexical: [lexical('a', 4), lexical('b', 1)],
      dense: [],
      denseShare: 0.9,
    });
    expect(byWords.map(({ base }) => base)).toEqual([
      1,
      expect.closeTo(0.9 * 0.25 + atPlace(1)) as number,
    ]);
    const byMeaning = fuse({ lexical: [], dense: [dense('a', 0.4)], denseShare: 0.1 });
    expect(byMeaning.map(({ base }) => base)).toEqual([1]);
    expect(fuse({ lexical: [], dense: [], denseShare: 0.5 })).toEqual([]);
  });

  it('loses no candidate, lists none twice, and has a best one', () => {
    const side = fc
      .array(fc.tuple(fc.constantFrom(...'abcdefgh'), fc.double({ min: 0, max: 50, noNaN: true })))
      .map((pairs) => [...new Map(pairs)].toSorted((a, b) => b[1] - a[1]));
    fc.assert(
      fc.property(side, side, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, denseShare) => {
        const found = fuse({
          lexical: a.map(([path, score]) => lexical(path, score)),
          dense: b.map(([path, score]) => dense(path, score / 50)),
          denseShare,
        });
        const paths = found.map(({ chunk: { path } }) => path).toSorted();
        expect(paths).toEqual([...new Set([...a, ...b].map(([path]) => path))].toSorted());
        expect(found.every(({ base }) => base >= 0 && base <= 1)).toBe(true);
        if (found.length > 0) expect(Math.max(...found.map(({ base }) => base))).toBe(1);
      }),
    );
  });
});
