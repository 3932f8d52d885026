import { codePoint } from '@plugboard/testkit/code-point';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { condensed, quoted, visible } from '../../src/print/visible.ts';

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
      fc.property(fc.string({ unit: codePoint }), (text) => {
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

describe('condensed text for an approval', () => {
  it('shows a long run of spaces or tabs as its length', () => {
    expect(condensed(`a${' '.repeat(300)}b`)).toBe('a[300 spaces]b');
    expect(condensed(`a${'\t'.repeat(25)}b`)).toBe('a[25 spaces]b');
    expect(condensed(`${' '.repeat(60)}b`)).toBe('[60 spaces]b');
  });

  it('shows many empty lines as their number', () => {
    expect(condensed(`a\n${'\n'.repeat(40)}b`)).toBe('a\n[40 empty lines]\nb');
    expect(condensed(`${' \n'.repeat(9)}b`)).toBe('[9 empty lines]\nb');
  });

  it('keeps the indentation of ordinary code', () => {
    const code = `if (a) {\n${' '.repeat(24)}b();      // why\n\n\n}`;
    expect(condensed(code)).toBe(code);
  });
});
