import { codePoint } from '@plugboard/testkit/code-point';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeControls, oneLine, sanitise } from '../../src/print/sanitise.ts';
import { widthOf } from '../../src/print/width.ts';

const ACTIVE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/;

describe('sanitise', () => {
  it.each([
    ['colours', '\u001B[1;31mred\u001B[0m', 'red'],
    ['a cleared screen', 'a\u001B[2J\u001B[Hb', 'ab'],
    ['a window title', '\u001B]0;title\u0007text', 'text'],
    ['a link', '\u001B]8;;https://evil.example\u001B\\text\u001B]8;;\u001B\\', 'text'],
    ['a lone escape', 'a\u001B', 'a'],
    ['8-bit control codes', 'a\u009B31mb', 'a31mb'],
    ['a carriage return that would overwrite the line', 'safe\rrm -rf', 'saferm -rf'],
    ['marks that turn the direction', 'a\u202Eb\u2066c', 'abc'],
    ['invisible marks', 'a\u200Bb\uFEFF\u00AD\u3164', 'ab'],
    ['the mark of Arabic letters', 'a\u061Cb', 'ab'],
    ['letters that only machines read', 'a\u{E0041}\u{E0042}b\u{E0100}', 'ab'],
    ['other line ends', 'a\u2028b\u2029c', 'abc'],
  ])('removes %s', (_what, hostile, shown) => {
    expect(sanitise(hostile)).toBe(shown);
  });

  it('keeps lines, tabs and every script', () => {
    const text = 'ein\tWort\nдва слова\n三つの\n👩‍👩‍👧 naïve';
    expect(sanitise(text)).toBe(text.replaceAll('\u200D', ''));
    expect(sanitise('a\r\nb')).toBe('a\nb');
  });

  it('leaves no terminal sequences, and changes nothing the second time', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'\u001B[]0;mJ\u0007\\\u009Ba\n\r') }),
        (text) => {
          const once = sanitise(text);
          expect(once).not.toMatch(ACTIVE);
          expect(sanitise(once)).toBe(once);
        },
      ),
    );
  });
});

describe('oneLine', () => {
  it('returns one line with at most the given columns', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(30), (text, columns) => {
        const line = oneLine(text, columns);
        expect(line).not.toMatch(/[\n\r\t]/);
        expect(widthOf(line)).toBeLessThanOrEqual(columns);
      }),
    );
  });

  it('cuts between characters, and marks the cut', () => {
    expect(oneLine(' a \n b ', 10)).toBe('a b');
    expect(oneLine('abcdef', 4)).toBe('abc…');
    expect(oneLine('日本語です', 6)).toBe('日本…');
    expect(oneLine('🇩🇪🇫🇷🇮🇹', 5)).toBe('🇩🇪🇫🇷…');
    expect(oneLine('abc', 0)).toBe('');
  });
});

describe('escapeControls', () => {
  it('keeps the document and leaves no terminal sequences in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        const json = escapeControls(JSON.stringify(text));
        expect(json).not.toMatch(ACTIVE);
        expect(JSON.parse(json)).toBe(text);
      }),
    );
  });
});
