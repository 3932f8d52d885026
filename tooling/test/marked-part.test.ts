import { describe, expect, it } from 'vitest';
import { writeMarkedPart } from '../source/marked-part.ts';

describe('the generated part of a page', () => {
  it('is replaced between its marks, and the text around them stays', () => {
    const page = 'Before.\n<!-- a:begin -->\nOLD\n<!-- a:end -->\nAfter.\n';
    const written = 'Before.\n<!-- a:begin -->\n\nNEW\n\n<!-- a:end -->\nAfter.\n';
    expect(writeMarkedPart(page, 'a', 'NEW')).toBe(written);
    expect(writeMarkedPart(written, 'a', 'NEW')).toBe(written);
  });

  it.each(['# Nothing\n', '<!-- a:end --><!-- a:begin -->', '<!-- b:begin --><!-- b:end -->'])(
    'is an error without both marks: %s',
    (page) => {
      expect(() => writeMarkedPart(page, 'a', '')).toThrow('lacks <!-- a:begin -->');
    },
  );
});
