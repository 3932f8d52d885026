import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoted, visible } from '../../src/print/visible.ts';

describe('visible text', () => {
  it.each([
    ['plain words, ünïcode, 日本語 and 👍', 'plain words, ünïcode, 日本語 and 👍'],
    ['a\nb\tc\r', 'a\\nb\\tc\\r'],
    ['\u001B[2J', '\\u001b[2J'],
    ['a\u0000b\u009Bc', 'a\\u0000b\\u009bc'],
    ['safe\u202Ecod.exe', 'safe\\u202ecod.exe'],
    ['a\u200Bb\u00ADc\uFEFF', 'a\\u200bb\\u00adc\\ufeff'],
    ['a\u00A0b\u3000c', 'a\\u00a0b\\u3000c'],
    ['a\u3164b\u2800c', 'a\\u3164b\\u2800c'],
    ['tag\u{E0041}', 'tag\\u{e0041}'],
    ['e\u0301', 'e\\u0301'],
    ['\uD800', '\\ud800'],
  ])('of %j is %s', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it('is one line without hidden characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visible(text)).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]|[^\P{Zs} ]/u);
      }),
    );
  });

  it('differs for different texts when it is quoted', () => {
    expect(quoted('a" "b')).toBe('"a\\" \\"b"');
    expect(quoted('\\n')).toBe('"\\\\n"');
    expect(quoted('\n')).toBe('"\\n"');
    const text = fc.string({ unit: fc.constantFrom('\\', '"', 'n', 'u', '0', '\n', '\0') });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(quoted(a) === quoted(b)).toBe(a === b);
      }),
    );
  });
});
