import { describe, expect, it } from 'vitest';
import { isUrl } from '../src/index.ts';

describe('isUrl', () => {
  it('distinguishes addresses from other text', () => {
    expect(
      ['https://a.example/', 'urn:x', 'a.example', '', 'https://'].map((text) => isUrl(text)),
    ).toEqual([true, true, false, false, false]);
    expect([isUrl('/path', 'https://a.example'), isUrl('/path', 'nothing')]).toEqual([true, false]);
  });

  it('accepts a host with an umlaut also after the function has been optimized', () => {
    for (let call = 0; call < 200_000; call += 1) isUrl(`https://a.example/${call % 10}`);
    expect(isUrl('https://exämple.com/')).toBe(true);
  });
});
