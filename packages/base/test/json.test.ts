import { codePoint } from '@plugboard/testkit/code-point';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalJson,
  isObject,
  type Json,
  parseJson,
  pointerKeys,
  pointerTo,
} from '../src/json.ts';

const WIDE = { maxLength: 1_000_000, maxDepth: 1000 };

function depthOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value as Record<string, Json>).map(depthOf));
}

describe('parsing JSON', () => {
  it('agrees with JSON.parse inside the limits', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseJson(text, WIDE)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  it('refuses text that is nested too deeply, and only that', () => {
    // Brackets and quotes in strings and keys must not count.
    const tricky = fc.string({ unit: fc.constantFrom('[', ']', '{', '}', '"', '\\', 'u', 'a') });
    const values = fc.jsonValue({ stringUnit: codePoint, maxDepth: 6 });
    const { value: trickyValues } = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        tricky,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(tricky, tie('value'), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(fc.oneof(values, trickyValues), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        const depth = depthOf(JSON.parse(text) as Json);
        expect(parseJson(text, { ...WIDE, maxDepth: depth })).toEqual({
          ok: true,
          value: JSON.parse(text),
        });
        if (depth === 0) return;
        expect(parseJson(text, { ...WIDE, maxDepth: depth - 1 })).toEqual({
          ok: false,
          error: { kind: 'too-deep', limit: depth - 1 },
        });
      }),
    );
  });

  it('refuses text that is longer than allowed, exactly', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const { length } = text;
        expect(parseJson(text, { ...WIDE, maxLength: length }).ok).toBe(true);
        expect(parseJson(text, { ...WIDE, maxLength: length - 1 })).toEqual({
          ok: false,
          error: { kind: 'too-long', length, limit: length - 1 },
        });
      }),
    );
  });

  it('never throws, and accepts exactly what JSON.parse accepts', () => {
    const broken = fc.string({ unit: fc.constantFrom(...'[]{}",:\\0e-. tn'.split('')) });
    fc.assert(
      fc.property(fc.oneof(fc.string(), broken), (text) => {
        expect(parseJson(text, WIDE).ok).toBe(isValid(text));
      }),
    );
  });

  it('does not overflow on a million levels', () => {
    const text = '['.repeat(1_000_000);
    expect(parseJson(text, { maxLength: 2_000_000, maxDepth: 64 })).toEqual({
      ok: false,
      error: { kind: 'too-deep', limit: 64 },
    });
  });
});

describe('isObject', () => {
  it('rejects null, lists and plain values', () => {
    expect([{}, { a: 1 }, null, [], 'text', 1, undefined, () => {}].map(isObject)).toEqual([
      true,
      true,
      ...Array.from({ length: 6 }, () => false),
    ]);
  });
});

function isValid(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // JSON.parse throws only if the text is invalid.
    return false;
  }
}

describe('a JSON pointer', () => {
  it('is read as the keys that it was made of', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (keys) => {
        expect(pointerKeys(keys.map(pointerTo).join(''))).toEqual(keys);
      }),
    );
  });
});

describe('canonical JSON', () => {
  it('is the same for equal values, whatever the order of their keys', () => {
    const value = { b: [1, { d: null, c: 'x' }], a: undefined, 1: true };
    const other = { 1: true, b: [1, { c: 'x', d: null }] };
    expect(canonicalJson(value)).toBe('{"1":true,"b":[1,{"c":"x","d":null}]}');
    expect(canonicalJson(other)).toBe(canonicalJson(value));
  });

  it('is JSON of the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
