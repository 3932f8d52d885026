import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  LEXICAL_WEIGHTS,
  LexicalIndex,
  type LexicalHit,
} from '../../src/store/engine/lexical-index.ts';
import { type PostedFile, PostingSegment } from '../../src/store/engine/posting-segment.ts';
import type { WeightedTerm } from '../../src/store/port/store.ts';

const word = fc.constantFrom('read', 'reader', 'file', 'größe', 'HTTPServer', 'a', 'zz', '日本');
const anyFile = fc.record({
  pathTerms: fc.array(word, { maxLength: 3 }),
  chunks: fc.array(fc.record({ terms: fc.array(word, { maxLength: 12 }) }), { maxLength: 4 }),
});

type Step =
  | { readonly kind: 'add'; readonly files: readonly Omit<PostedFile, 'id'>[] }
  | { readonly kind: 'remove'; readonly pick: number }
  | { readonly kind: 'merge' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), files: fc.array(anyFile, { maxLength: 4 }) }),
  fc.record({ kind: fc.constant('remove' as const), pick: fc.nat() }),
  fc.record({ kind: fc.constant('merge' as const) }),
);

/** BM25 as it is written down, over all that is there. */
function naive(files: readonly PostedFile[], terms: readonly WeightedTerm[]): LexicalHit[] {
  const { k1, b, path } = LEXICAL_WEIGHTS;
  const times = (list: readonly string[], term: string): number =>
    list.filter((one) => one === term).length;
  const documents = files.flatMap(({ id, pathTerms, chunks }) =>
    chunks.map(({ terms: words }, chunk) => ({
      file: id,
      chunk,
      length: words.length + path * pathTerms.length,
      count: (term: string): number => times(words, term) + path * times(pathTerms, term),
    })),
  );
  const mean = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const hits = documents.map(({ file, chunk, length, count }) => {
    let score = 0;
    for (const { term, weight } of terms) {
      const holders = documents.filter((one) => one.count(term) > 0).length;
      const tf = count(term);
      const rarity = Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5));
      if (tf > 0)
        score += (weight * rarity * tf * (k1 + 1)) / (tf + k1 * (1 - b + (b * length) / mean));
    }
    return { file, chunk, score };
  });
  return hits
    .filter(({ score }) => score > 0)
    .toSorted((x, y) => y.score - x.score || x.file - y.file || x.chunk - y.chunk);
}

function segmentOf(files: readonly PostedFile[]): PostingSegment {
  return PostingSegment.of(PostingSegment.build(files));
}

function merge(index: LexicalIndex, segments: readonly PostingSegment[]): void {
  const merged = index.merged(segments);
  index.replace(segments, merged && PostingSegment.of(merged));
}

describe('the lexical index', () => {
  it('scores by BM25 over all current documents, whatever was added, removed and merged before', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 12 }),
        fc.array(word, { maxLength: 4 }),
        (steps, words) => {
          const index = new LexicalIndex();
          const model: PostedFile[] = [];
          let id = 0;
          for (const one of steps) {
            if (one.kind === 'add') {
              const files = one.files.map((parts) => ({ id: (id += 3), ...parts }));
              index.add(segmentOf(files));
              model.push(...files);
            } else if (one.kind === 'remove' && model.length > 0) {
              const [gone] = model.splice(one.pick % model.length, 1);
              expect(index.remove(gone?.id ?? 0)).toBe(true);
            } else if (one.kind === 'merge') {
              merge(index, index.segments);
            }
          }
          const terms = [...new Set(words)].map((term, n) => ({ term, weight: 1 + n / 2 }));
          const expected = naive(model, terms);
          const found = index.search(terms, 1000);
          const rounded = (hits: readonly LexicalHit[]): string[] =>
            hits.map((hit) => `${hit.file}/${hit.chunk} ${hit.score.toFixed(9)}`).toSorted();
          expect(rounded(found)).toEqual(rounded(expected));
          expect(index.chunks).toBe(model.reduce((sum, { chunks }) => sum + chunks.length, 0));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('returns the best few in the order of the full ranking', () => {
    const files = Array.from({ length: 40 }, (_, number) => ({
      id: number + 1,
      pathTerms: [],
      chunks: [{ terms: Array.from({ length: 1 + ((number * 7) % 13) }, () => 'word') }],
    }));
    const index = new LexicalIndex();
    index.add(segmentOf(files));
    const terms = [{ term: 'word', weight: 1 }];
    expect(index.search(terms, 7)).toEqual(index.search(terms, 40).slice(0, 7));
    expect(index.search(terms, 40, { accepts: (id) => id === 5 })).toMatchObject([
      { file: 5, chunk: 0 },
    ]);
  });

  it('reads a segment back from its bytes unchanged', () => {
    fc.assert(
      fc.property(fc.array(anyFile, { maxLength: 5 }), (parts) => {
        const bytes = PostingSegment.build(parts.map((one, n) => ({ id: n * 1e9 + 1, ...one })));
        const built = PostingSegment.of(bytes);
        const read = PostingSegment.of(bytes.slice());
        expect(read.files).toEqual(built.files);
        expect([...read.entries()]).toEqual([...built.entries()]);
      }),
    );
  });

  it('finds every term among many', () => {
    const terms = Array.from({ length: 500 }, (_, number) => `term${number}`);
    const segment = segmentOf([{ id: 1, pathTerms: [], chunks: [{ terms }] }]);
    const found = terms.filter((term) => segment.find(term)?.chunks.documents.length === 1);
    expect(found).toEqual(terms);
    expect(['term', 'term500', 'zzz', '', 'a'].map((term) => segment.find(term))).toEqual(
      Array.from({ length: 5 }),
    );
  });

  it('keeps few segments however many are added', () => {
    const index = new LexicalIndex();
    for (let id = 1; id <= 500; id += 1) {
      index.add(segmentOf([{ id, pathTerms: [], chunks: [{ terms: ['same', `t${id}`] }] }]));
      for (let worn = index.worn(); worn !== undefined; worn = index.worn()) {
        merge(index, worn);
      }
    }
    expect(index.segments.length).toBeLessThan(32);
    expect(index.search([{ term: 'same', weight: 1 }], 1000)).toHaveLength(500);
    for (let id = 1; id <= 500; id += 1) index.remove(id);
    for (let worn = index.worn(); worn !== undefined; worn = index.worn()) {
      merge(index, worn);
    }
    expect(index.segments).toEqual([]);
  });
});
