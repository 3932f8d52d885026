import { describe, expect, it } from 'vitest';
import { piecesOf, visible } from '../../src/text/visible.ts';

describe('a text of a server', () => {
  it('is unchanged if everything in it is visible', () => {
    const text = 'Grüße, 世界\n\tעברית 👩‍👩‍👧 ❤️ 1️⃣ नमस्ते';
    expect(piecesOf(text)).toEqual([{ kind: 'text', text }]);
  });

  it('shows characters that change the writing direction', () => {
    expect(piecesOf('a\u202Eb')).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'hidden', code: 'U+202E', name: 'right-to-left override' },
      { kind: 'text', text: 'b' },
    ]);
  });

  it.each([
    ['zero width space', 're\u200Bad', 're⟨U+200B⟩ad'],
    ['joiner between letters', 're\u200Dad', 're⟨U+200D⟩ad'],
    ['isolate', '\u2066x\u2069', '⟨U+2066⟩x⟨U+2069⟩'],
    ['tag characters', 'a\u{E0041}', 'a⟨U+E0041⟩'],
    ['escape sequence', '\u001B[31m', '⟨U+001B⟩[31m'],
    ['carriage return alone', 'a\rb', 'a⟨U+000D⟩b'],
    ['filler that looks like a space', 'a\u3164b', 'a⟨U+3164⟩b'],
    ['private use', '\uE000', '⟨U+E000⟩'],
    ['half of a pair', '\uD800', '⟨U+D800⟩'],
    ['selector after a letter', 'a\uFE0F', 'a⟨U+FE0F⟩'],
  ])('shows a character that is not seen: %s', (_, text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it('keeps the line ends of every system', () => {
    expect(visible('a\r\nb\nc')).toBe('a\nb\nc');
  });
});
