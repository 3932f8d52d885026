import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, type Json } from '@plugboard/base';
import { countsOf, jsonDiff, type JsonDiff } from '../../../src/parts/diff/json-diff.ts';
import { textDiff, type TextPiece } from '../../../src/parts/diff/text-diff.ts';

function sideOf(pieces: readonly TextPiece[], without: TextPiece['kind']): string {
  return pieces
    .filter(({ kind }) => kind !== without)
    .map(({ text }) => text)
    .join('');
}

describe('the difference of two texts', () => {
  it('is found word by word', () => {
    expect(textDiff('Reads a file.\nSafe.\n', 'Reads any file.\nSafe.\n')).toEqual([
      { kind: 'same', text: 'Reads ' },
      { kind: 'removed', text: 'a' },
      { kind: 'added', text: 'any' },
      { kind: 'same', text: ' file.\nSafe.\n' },
    ]);
  });

  it('contains both texts, whatever they are', () => {
    const text = fc
      .array(fc.constantFrom('a', 'bc', ' ', '\n', '.', 'é', '\u200B', '👩‍👩‍👧'), { maxLength: 40 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const pieces = textDiff(before, after);
        expect(sideOf(pieces, 'added')).toBe(before);
        expect(sideOf(pieces, 'removed')).toBe(after);
      }),
      { numRuns: 500 },
    );
  });

  it('consists of both texts if they are large and have nothing in common', () => {
    const before = Array.from({ length: 60_000 }, (_, index) => `a${index}`).join('\n');
    const after = Array.from({ length: 60_000 }, (_, index) => `b${index}`).join('\n');
    const pieces = textDiff(before, after);
    expect(sideOf(pieces, 'added')).toBe(before);
    expect(sideOf(pieces, 'removed')).toBe(after);
    expect(pieces.filter(({ kind }) => kind === 'removed').length).toBeLessThan(5);
  });

  it('is the one changed word in a large text', () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => `line ${index} of many`);
    const before = lines.join('\n');
    const after = lines.with(25_000, 'line 25000 of few').join('\n');
    expect(textDiff(before, after).filter(({ kind }) => kind !== 'same')).toEqual([
      { kind: 'removed', text: 'many' },
      { kind: 'added', text: 'few' },
    ]);
  });
});

/** Rebuilds one side of a difference. */
function rebuilt(diff: JsonDiff, side: 'before' | 'after'): Json | undefined {
  switch (diff.kind) {
    case 'same':
      return diff.value;
    case 'added':
      return side === 'after' ? diff.after : undefined;
    case 'removed':
      return side === 'before' ? diff.before : undefined;
    case 'changed':
      return diff[side];
    case 'list':
      return diff.entries
        .map((entry) => rebuilt(entry.diff, side))
        .filter((one) => one !== undefined);
    case 'object':
      return Object.fromEntries(
        diff.entries
          .map(({ key, diff: one }) => [String(key), rebuilt(one, side)] as const)
          .filter((entry): entry is readonly [string, Json] => entry[1] !== undefined),
      );
    default:
      return diff satisfies never;
  }
}

describe('the difference of two JSON values', () => {
  it('names properties that were added, removed and changed', () => {
    expect(jsonDiff({ a: 1, b: [1, 2], c: 'x' }, { a: 1, b: [1, 3, 2], d: null })).toEqual({
      kind: 'object',
      entries: [
        { key: 'a', diff: { kind: 'same', value: 1 } },
        {
          key: 'b',
          diff: {
            kind: 'list',
            entries: [
              { key: 0, diff: { kind: 'same', value: 1 } },
              { key: 1, diff: { kind: 'added', after: 3 } },
              { key: 2, diff: { kind: 'same', value: 2 } },
            ],
          },
        },
        { key: 'd', diff: { kind: 'added', after: null } },
        { key: 'c', diff: { kind: 'removed', before: 'x' } },
      ],
    });
  });

  it('recognises a changed list item by its name', () => {
    const before = [
      { name: 'a', v: 1 },
      { name: 'b', v: 1 },
    ];
    const diff = jsonDiff(before, [{ name: 'b', v: 2 }]);
    expect(countsOf(diff)).toEqual({ added: 0, removed: 1, changed: 1 });
  });

  it('contains both values, whatever they are', () => {
    const value = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<Json>(null, true, 0, 1, 'a', 'b'),
        fc.array(tie('value'), { maxLength: 5 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'id', 'name', '__proto__'), tie('value'), {
          maxKeys: 4,
        }),
      ),
    })).value;
    fc.assert(
      fc.property(value, value, (before, after) => {
        const diff = jsonDiff(before, after);
        expect(canonicalJson(rebuilt(diff, 'before'))).toBe(canonicalJson(before));
        expect(canonicalJson(rebuilt(diff, 'after'))).toBe(canonicalJson(after));
        expect(diff.kind === 'same').toBe(canonicalJson(before) === canonicalJson(after));
      }),
      { numRuns: 500 },
    );
  });

  it('is a change of the whole for two long lists with nothing in common', () => {
    const before = Array.from({ length: 20_000 }, (_, index) => index);
    const after = before.map((one) => -one - 1);
    expect(jsonDiff(before, after)).toEqual({ kind: 'changed', before, after });
  });

  it('ends at the maximum depth', () => {
    const nest = (inner: Json): Json => {
      let value = inner;
      // Messages have at most 200 levels. At 5,000, whether the stack is large enough depends on what V8 has compiled.
      for (let depth = 0; depth < 1000; depth += 1) value = [value];
      return value;
    };
    expect(countsOf(jsonDiff(nest(1), nest(2)))).toEqual({ added: 0, removed: 0, changed: 1 });
  });
});
