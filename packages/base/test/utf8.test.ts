import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeUtf8 } from '../src/index.ts';

describe('decoding UTF-8', () => {
  it('returns every text that was encoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const bytes = new TextEncoder().encode(text);
        expect(decodeUtf8(bytes, { byteOrderMark: 'keep' })).toBe(text);
      }),
    );
  });

  it('returns nothing for other bytes, and replaces none', () => {
    expect(decodeUtf8(Uint8Array.of(0x61, 0xff))).toBeUndefined();
  });

  it('removes a byte order mark, unless it is to be kept', () => {
    const bytes = new TextEncoder().encode('\uFEFFa');
    expect([decodeUtf8(bytes), decodeUtf8(bytes, { byteOrderMark: 'keep' })]).toEqual([
      'a',
      '\uFEFFa',
    ]);
  });
});
