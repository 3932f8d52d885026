import type { Json } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { codePoint } from '@plugboard/testkit/code-point';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutToFit, fits } from '../../src/output/fit-texts.ts';
import { estimateTokens } from '../../src/output/estimate-tokens.ts';
import { jsonLength } from '../../src/output/json-length.ts';
import type { Part } from '../../src/output/index.ts';
import { shortenText } from '../../src/output/shorten-text.ts';
import { shortenValue } from '../../src/output/shorten-value.ts';
import { toText } from '../../src/output/to-text.ts';

const json = fc.jsonValue({ maxDepth: 5 }) as fc.Arbitrary<Json>;
const long = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 3000 }),
  fc.array(fc.string({ maxLength: 80 }), { maxLength: 60 }).map((lines) => lines.join('\n')),
);

describe('a shortened text', () => {
  it('is never longer than allowed, and unchanged if it fits', () => {
    verifies('OUT-02');
    fc.assert(
      fc.property(long, fc.integer({ min: 0, max: 2000 }), (text, most) => {
        const once = shortenText(text, most);
        expect(once.length).toBeLessThanOrEqual(most);
        expect(shortenText(once, most)).toBe(once);
        if (text.length <= most) expect(once).toBe(text);
      }),
    );
  });

  it('keeps complete lines of its beginning and its end, and states how much is missing', () => {
    verifies('OUT-02');
    const text = Array.from({ length: 1000 }, (_, index) => `line ${index}\n`).join('');
    const cut = shortenText(text, 300);
    const lines = cut.split('\n');
    expect(lines.slice(0, 2)).toEqual(['line 0', 'line 1']);
    expect(lines.slice(-2)).toEqual(['line 999', '']);
    expect(lines.filter((line) => !/^(?:line \d+|)$/.test(line))).toEqual([
      '[… 8677 characters in 973 lines left out …]',
    ]);
  });

  it('never splits a surrogate pair', () => {
    const isWellFormed = (text: string): boolean =>
      !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 900 }), (most) => {
        expect(isWellFormed(shortenText(`x${'😀'.repeat(600)}`, most))).toBe(true);
      }),
    );
  });
});

describe('a shortened value', () => {
  it('is never longer than allowed as JSON, and unchanged if it fits', () => {
    verifies('OUT-02');
    fc.assert(
      fc.property(json, fc.integer({ min: 4, max: 600 }), (value, most) => {
        const once = shortenValue(value, most);
        const written = JSON.stringify(once, undefined, 2);
        expect(written.length).toBeLessThanOrEqual(most);
        expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(once)));
        expect(shortenValue(once, most)).toBe(once);
      }),
    );
  });

  it('keeps its keys, and cuts long lists and long texts', () => {
    verifies('OUT-02');
    const rows = Array.from({ length: 5000 }, (_, id) => ({ id, name: `name ${id}` }));
    const value = { total: 5000, rows, log: 'x'.repeat(50_000), next: 'cursor' };
    const short = shortenValue(value, 3000) as typeof value;
    expect(Object.keys(short)).toEqual(['total', 'rows', 'log', 'next']);
    expect({ total: short.total, next: short.next }).toEqual({ total: 5000, next: 'cursor' });
    expect(short.rows[0]).toEqual({ id: 0, name: 'name 0' });
    expect(short.rows.at(-1)).toMatch(/^… \d+ more items$/);
    expect(short.log).toMatch(/^x+… \d+ more characters$/);
    expect(JSON.stringify(short, undefined, 2).length).toBeGreaterThan(1000);
  });

  it('is measured as it is written', () => {
    fc.assert(
      fc.property(json, (value) => {
        const { length } = JSON.stringify(value, undefined, 2);
        expect(jsonLength(value, Number.POSITIVE_INFINITY)).toBe(length);
        expect(jsonLength(value, length)).toBe(length);
        if (length > 0) expect(jsonLength(value, length - 1)).toBeGreaterThan(length - 1);
      }),
    );
  });
});

describe('the texts of a result', () => {
  const rows = fc.array(fc.record({ id: fc.integer(), name: fc.string() }), { maxLength: 200 });
  const parts = fc.array(
    fc.oneof(
      long.map((text): Part => ({ kind: 'text', text })),
      json.map((value): Part => ({ kind: 'structured', value })),
      rows.map((value): Part => ({ kind: 'text', text: JSON.stringify(value) })),
      fc.webUrl().map((uri): Part => ({ kind: 'link', uri, name: 'x', mimeType: undefined })),
      long.map((text): Part => {
        return { kind: 'resource', uri: 'a:b', mimeType: undefined, body: { kind: 'text', text } };
      }),
    ),
    { maxLength: 12 },
  );

  it('are together never more than the budget, in characters and in tokens', () => {
    verifies('OUT-02');
    const limits = fc.record({
      maxCharacters: fc.integer({ min: 500, max: 4000 }),
      maxTokens: fc.integer({ min: 250, max: 1500 }),
    });
    const texts = fc.constantFrom('data', 'verbatim');
    fc.assert(
      fc.property(parts, limits, texts, (given, { maxCharacters, maxTokens }, kind) => {
        const room = { limits: { maxCharacters, maxTokens }, countTokens: undefined, texts: kind };
        const cut = cutToFit(given, room);
        expect(toText(cut).length).toBeLessThanOrEqual(maxCharacters);
        expect(estimateTokens(toText(cut))).toBeLessThanOrEqual(maxTokens + cut.length);
        expect(fits(cut, { maxCharacters, maxTokens }, undefined)).toBe(true);
      }),
    );
  });

  it('keep small parts complete beside a large one', () => {
    const given: Part[] = [
      { kind: 'text', text: 'first' },
      { kind: 'text', text: 'x'.repeat(10_000) },
      { kind: 'text', text: 'last' },
    ];
    const limits = { maxCharacters: 1000, maxTokens: 10_000 };
    const cut = cutToFit(given, { limits, countTokens: undefined, texts: 'data' });
    expect([cut[0], cut[2], cut.length]).toEqual([given[0], given[2], 3]);
    expect(toText(cut).length).toBeGreaterThan(900);
  });

  it('are counted by the program if possible, and by the host if that counter fails', () => {
    verifies('OUT-02');
    const given: Part[] = [{ kind: 'text', text: 'word '.repeat(1000) }];
    const limits = { maxCharacters: 10_000, maxTokens: 1200 };
    const broken = (): number => {
      throw new Error('no');
    };
    expect([
      fits(given, limits, undefined),
      fits(given, limits, (text) => text.length),
      fits(given, limits, () => Number.NaN),
      fits(given, limits, broken),
    ]).toEqual([true, false, true, true]);
  });
});

describe('the estimate of tokens', () => {
  it.each([
    ['English', 'The quick brown fox jumps over the lazy dog, twice. '.repeat(20), 3, 5],
    ['Chinese', '敏捷的棕色狐狸跳过了懒狗。'.repeat(20), 0.6, 1],
    ['Base64', 'aGVsbG8gd29ybGQgaGVsbG8gd29ybGQ'.repeat(40), 1.5, 2.5],
    ['numbers', '31415926 27182818 '.repeat(40), 1.5, 2.5],
  ])('assumes about as many characters per token as %s has', (_, text, least, most) => {
    const characters = text.length / estimateTokens(text);
    expect(characters).toBeGreaterThanOrEqual(least);
    expect(characters).toBeLessThanOrEqual(most);
  });
});
