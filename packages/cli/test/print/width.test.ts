import { describe, expect, it } from 'vitest';
import { charactersOf, widthOf } from '../../src/print/width.ts';

describe('the width of a text', () => {
  it('is two columns for wide characters, and one for others', () => {
    const widths = [
      'a',
      'é',
      '→',
      '│',
      '日',
      'か',
      '한',
      '㈱',
      '、',
      'Ａ',
      '👍',
      '🇩🇪',
      '❤️',
      '❤',
      '✓',
    ].map(widthOf);
    expect(widths).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1]);
  });

  it('is one column for half-width letters, and two for wide scripts outside the first plane', () => {
    expect(['ｱｲｳ', 'ﾡ', 'ｶﾞ', '𗀀', '𖿠'].map(widthOf)).toEqual([3, 1, 2, 2, 2]);
  });

  it('is zero for characters that are not drawn, and counts marks with a column', () => {
    expect(['a\u200Bb', '\u0301', 'e\u0301', 'क्षि', '☝', '☝🏽', '1️⃣'].map(widthOf)).toEqual([
      2, 0, 1, 2, 1, 2, 2,
    ]);
  });

  it('is the same for a symbol alone as beside a wide character', () => {
    const ranges = [
      [0x25a0, 0x25fc],
      [0x2713, 0x2718],
      [0x276e, 0x276f],
      [0x2800, 0x28ff],
    ] as const;
    const signs = ranges.flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)),
    );
    expect(signs.map((sign) => widthOf(`${sign}👍`) - 2)).toEqual(signs.map(widthOf));
    expect(signs.flatMap((sign) => charactersOf(`${sign}👍`).slice(0, -1))).toEqual(signs);
  });

  it('is the sum of the widths of its characters', () => {
    const text = 'Grüße, 日本 👍 é́ → 🇩🇪'.repeat(50);
    expect(charactersOf(text).join('')).toBe(text);
    expect(widthOf(text)).toBe(charactersOf(text).reduce((sum, one) => sum + widthOf(one), 0));
  });
});
