import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { DEFAULT_RESULT_LIMITS, type EntryOutput, limitsFor } from '../../src/output/budget.ts';
import { endingOf, mediaTypeOf } from '../../src/output/media-type.ts';

function limits(entry: EntryOutput | undefined, asked?: unknown, raiseCap = 500_000) {
  const _meta = asked === undefined ? {} : { 'anthropic/maxResultSizeChars': asked as number };
  return limitsFor({
    program: DEFAULT_RESULT_LIMITS,
    raiseCap,
    entry,
    tool: { name: 'search', _meta },
  });
}

describe('the budget of a result', () => {
  it('is 100,000 characters and 25,000 tokens by default', () => {
    verifies('OUT-02');
    expect([
      limits(undefined),
      limits({ maxCharacters: 5000 }),
      limits({ maxTokens: 700, tools: { search: { maxTokens: 900 } } }),
      limits({ tools: { other: { maxTokens: 900 } } }),
      limits({ maxCharacters: 5000, tools: { search: { maxCharacters: 200_000 } } }),
    ]).toEqual([
      { maxCharacters: 100_000, maxTokens: 25_000 },
      { maxCharacters: 5000, maxTokens: 25_000 },
      { maxCharacters: 100_000, maxTokens: 900 },
      { maxCharacters: 100_000, maxTokens: 25_000 },
      { maxCharacters: 200_000, maxTokens: 25_000 },
    ]);
  });

  it('may be raised by the tool itself, up to a maximum', () => {
    verifies('OUT-02');
    expect([
      limits(undefined, 200_000),
      limits(undefined, 9_000_000),
      limits(undefined, Number.POSITIVE_INFINITY),
      limits(undefined, 10),
      limits(undefined, -5),
      limits(undefined, '200000'),
      limits(undefined, 200_000, 0),
    ]).toEqual([
      { maxCharacters: 200_000, maxTokens: 50_000 },
      { maxCharacters: 500_000, maxTokens: 125_000 },
      { maxCharacters: 500_000, maxTokens: 125_000 },
      DEFAULT_RESULT_LIMITS,
      DEFAULT_RESULT_LIMITS,
      DEFAULT_RESULT_LIMITS,
      DEFAULT_RESULT_LIMITS,
    ]);
  });

  it('is not raised if the user has set it', () => {
    verifies('OUT-02');
    expect(limits({ maxCharacters: 5000 }, 400_000).maxCharacters).toBe(5000);
    expect(limits({ tools: { search: { maxTokens: 600 } } }, 400_000)).toEqual({
      maxCharacters: 100_000,
      maxTokens: 600,
    });
  });
});

describe('the extension of a result file', () => {
  it.each([
    ['audio/wav', 'wav'],
    ['Audio/MPEG; rate=44100', 'mp3'],
    ['application/pdf', 'pdf'],
    ['application/ld+json', 'json'],
    ['text/x-log', 'txt'],
    ['text/html', 'txt'],
    ['image/svg+xml', 'txt'],
    ['application/x-sh', 'bin'],
    ['application/x-msdownload', 'bin'],
    ['../../etc/passwd', 'bin'],
    ['audio/wav\0.exe', 'bin'],
    ['a/'.repeat(100_000), 'bin'],
    ['', 'bin'],
    [undefined, 'bin'],
  ])('of %j is %s', (stated, ending) => {
    verifies('OUT-03');
    expect(endingOf(mediaTypeOf(stated))).toBe(ending);
  });
});
