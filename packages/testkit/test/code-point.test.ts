import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoint } from '../src/code-point.ts';

describe('an arbitrary code point', () => {
  it('is a character that can also be shrunk when a test gives it as an example', () => {
    fc.assert(
      fc.property(codePoint, (character) => {
        expect([...character]).toHaveLength(1);
        expect(character).not.toMatch(/\p{Cs}/u);
        expect(codePoint.canShrinkWithoutContext(character)).toBe(true);
      }),
    );
  });

  it.each(['\0', '\uD7FF', '\uE000', '\u{10FFFF}'])('can be %j', (character) => {
    expect(codePoint.canShrinkWithoutContext(character)).toBe(true);
  });

  it.each(['', 'ab', '\uD800', '\uDFFF'])('cannot be %j', (text) => {
    expect(codePoint.canShrinkWithoutContext(text)).toBe(false);
  });
});
