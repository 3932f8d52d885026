import { describe, expect, it } from 'vitest';
import { verifies } from '@plugboard/testkit';
import { cleanedText } from '../../src/policy/index.ts';

describe('cleaned text for a model', () => {
  verifies('POL-14');

  it('loses invisible characters, and reports which', () => {
    const tags = '\u{E0068}\u{E0069}\u{E0068}';
    expect(cleanedText(`a\u200Bb${tags} c\u202Ed\u001B[31m`)).toEqual({
      text: 'ab cd[31m',
      removed: [
        { name: 'U+E0068', count: 2 },
        { name: 'U+200B', count: 1 },
        { name: 'U+E0069', count: 1 },
        { name: 'U+202E', count: 1 },
        { name: 'U+001B', count: 1 },
      ],
    });
  });

  it.each([
    'plain\n\ttext – with “signs”, 日本語 and\u00A0spaces',
    'family 👨\u200D👩\u200D👧 and ❤\uFE0F',
    'flag \u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
    'نمی\u200Cخواهم',
  ])('keeps ordinary writing: %j', (text) => {
    expect(cleanedText(text)).toEqual({ text, removed: [] });
  });

  it('has one kind of line ending', () => {
    expect(cleanedText('a\r\nb\rc').text).toBe('a\nb\nc');
  });
});
