import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FusedHit } from '../../src/search/fuse.ts';
import { RANK_PARTS, type RankedChunk, rank } from '../../src/search/rank.ts';
import { readQuery } from '../../src/words/index.ts';
import { fused } from './candidates.ts';

const order = (question: string, found: readonly FusedHit[]): readonly string[] =>
  rank(readQuery(question), found).map(({ chunk }) => chunk.path);

describe('the rank stage', () => {
  it('puts a declaration before its uses', () => {
    const found = [
      fused('src/a.ts', 1),
      fused('src/b.ts', 0.8, { names: ['retryPolicy'], symbol: 'retryPolicy' }),
    ];
    expect(order('retry policy', found)).toEqual(['src/b.ts', 'src/a.ts']);
  });

  it('matches a piece of a declaration by the name of the whole', () => {
    const found = [fused('src/a.ts', 1), fused('src/b.ts', 0.8, { symbol: 'Net.retryPolicy' })];
    expect(order('retry policy', found)).toEqual(['src/b.ts', 'src/a.ts']);
  });

  it('matches a name in a question as it is written in code', () => {
    const found = [
      fused('src/a.ts', 1, { names: ['parseJson'] }),
      fused('src/b.ts', 0.95, { names: ['parseJSON'] }),
    ];
    expect(order('where parseJSON is called for settings', found)).toEqual([
      'src/b.ts',
      'src/a.ts',
    ]);
  });

  it('matches a file by its name, and an index file by the name of its folder', () => {
    const found = [fused('src/a.ts', 1), fused('src/retry.ts', 0.5)];
    expect(order('retry', found)).toEqual(['src/retry.ts', 'src/a.ts']);
    const folder = [fused('src/a.ts', 1), fused('src/retry/index.ts', 0.5)];
    expect(order('retry', folder)).toEqual(['src/retry/index.ts', 'src/a.ts']);
  });

  it('matches a file whose name any folder may have by the name of its folder', () => {
    const found = [fused('src/a.ts', 1), fused('src/retry/utils.ts', 0.5)];
    expect(order('retry', found)).toEqual(['src/retry/utils.ts', 'src/a.ts']);
  });

  it('matches the folder that a file is in', () => {
    const found = [fused('src/a.ts', 1), fused('retry/b.ts', 0.9)];
    expect(order('retry', found)).toEqual(['retry/b.ts', 'src/a.ts']);
  });

  it('prefers a file with more hits', () => {
    const found = [
      fused('src/a.ts', 1),
      fused('src/b.ts', 0.95),
      fused('src/b.ts', 0.9, { startLine: 20 }),
    ];
    expect(order('retry', found)).toEqual(['src/b.ts', 'src/a.ts', 'src/b.ts']);
  });

  it('shows other files before further hits of the same file', () => {
    const found = [
      fused('src/a.ts', 1),
      fused('src/a.ts', 0.9, { startLine: 20 }),
      fused('src/a.ts', 0.8, { startLine: 40 }),
      fused('src/b.ts', 0.7),
    ];
    expect(order('retry', found)).toEqual(['src/a.ts', 'src/b.ts', 'src/a.ts', 'src/a.ts']);
  });

  it.each([
    ['a test', 'src/x.ts', { traits: { isTest: true } }, 'tests of retry'],
    [
      'tests in a file of Rust',
      'src/x.rs',
      { language: 'rust', symbol: 'tests' },
      'tests of retry',
    ],
    ['a re-export', 'src/x.ts', { traits: { isReexport: true } }, 'retry in the public exports'],
    ['generated code', 'src/x.ts', { traits: { isGenerated: true } }, 'generated retry'],
    ['declarations', 'src/x.d.ts', { traits: { isDeclaration: true } }, 'typings of retry'],
    ['an example', 'examples/x.ts', {}, 'example of retry'],
    ['a page of documentation', 'docs/x.html', { language: 'html' }, 'documentation of retry'],
    ['a document', 'src/x.md', { language: 'markdown' }, 'documentation of retry'],
    ['data', 'src/x.yaml', { language: 'yaml' }, 'configuration of retry'],
  ])('ranks %s lower, unless the question is about it', (_what, path, of, askingForIt) => {
    const found = [fused(path, 1, of), fused('src/y.ts', 0.8)];
    expect(order('retry', found)).toEqual(['src/y.ts', path]);
    expect(order(askingForIt, found)).toEqual([path, 'src/y.ts']);
  });

  it('lets boosts fade as questions grow longer', () => {
    const found = [fused('src/a.ts', 1), fused('src/retry.ts', 0.5)];
    const long = 'what happens to requests that fail again and again while servers restart, retry';
    expect(order(long, found)).toEqual(['src/a.ts', 'src/retry.ts']);
  });

  it('ranks a test lower if the question is about tests as such', () => {
    const found = [
      fused('src/x.ts', 1, { traits: { isTest: true } }),
      fused('src/discover.ts', 0.8),
    ];
    expect(order('how test files are collected before a run', found)).toEqual([
      'src/discover.ts',
      'src/x.ts',
    ]);
  });

  it.each(['config.examples.ts', 'db/migrations/0001.py', 'assets/jquery.min.js', 'a/vendor/x.go'])(
    'ranks %s lower than the code',
    (path) => {
      const found = [fused(path, 1), fused('src/y.ts', 0.8)];
      expect(order('retry', found)).toEqual(['src/y.ts', path]);
    },
  );

  it('gives the reasons for the position of each hit', () => {
    const found = [fused('src/retry.ts', 1, { names: ['retry'] })];
    expect(
      rank(readQuery('retry'), found).map(({ score, explanation }) => ({ score, explanation })),
    ).toEqual([
      {
        score: expect.closeTo(3.35) as number,
        explanation: {
          base: 1,
          definition: 0.4,
          namedSymbol: 0.5,
          fileName: 1.25,
          folderName: 0,
          coherence: 0.2,
          sideFiles: 1,
          saturation: 1,
        },
      },
    ]);
  });

  it('keeps the order of the scores when all of its parts are left out', () => {
    const found = [fused('b.ts', 0.2), fused('retry.ts', 0.1), fused('a.ts', 0.9)];
    const ranked = rank(readQuery('retry'), found, { leaveOut: RANK_PARTS });
    expect(ranked.map(({ chunk, score }) => [chunk.path, score])).toEqual([
      ['a.ts', 0.9],
      ['b.ts', 0.2],
      ['retry.ts', 0.1],
    ]);
  });
});

const paths = fc.constantFrom(
  'src/a.ts',
  'src/retry.ts',
  'test/b.ts',
  'docs/c.md',
  'lib/net/index.js',
);
const candidates = fc.uniqueArray(
  fc.record({
    path: paths,
    base: fc.constantFrom(0, 0.25, 0.5, 1),
    startLine: fc.integer({ min: 1, max: 50 }),
    names: fc.subarray(['retry', 'Policy', 'parseJSON', '']),
    isTest: fc.boolean(),
  }),
  { selector: ({ path, startLine }) => `${path}:${startLine}`, maxLength: 20 },
);
const questions = fc.constantFrom(
  'retry policy',
  'parseJSON',
  'how is it',
  '',
  'tests for the net',
);

describe('the rank stage with any candidates', () => {
  const ranked = (question: string, all: readonly FusedHit[]): readonly RankedChunk[] =>
    rank(readQuery(question), all);

  it('neither adds nor drops a candidate, and does not depend on their order', () => {
    fc.assert(
      fc.property(questions, candidates, (question, found) => {
        const all = found.map(({ path, base, startLine, names, isTest }) =>
          fused(path, base, { startLine, names, traits: { isTest } }),
        );
        const result = ranked(question, all);
        const ids = (of: readonly { chunk: FusedHit['chunk'] }[]) =>
          of.map(({ chunk }) => chunk.id);
        expect(new Set(ids(result))).toEqual(new Set(ids(all)));
        expect(result).toHaveLength(all.length);
        expect(ids(ranked(question, all.toReversed()))).toEqual(ids(result));
        expect(result.every(({ score }) => Number.isFinite(score) && score >= 0)).toBe(true);
      }),
    );
  });

  it('sorts equal candidates by path and line', () => {
    const all = [fused('b.ts', 1), fused('a.ts', 1), fused('c.ts', 1)];
    expect(order('retry', all)).toEqual(['a.ts', 'b.ts', 'c.ts']);
  });
});
