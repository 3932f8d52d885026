import { describe, expect, it } from 'vitest';
import { isUrl } from '../src/index.ts';

describe('isUrl', () => {
  it('tells addresses from other text', () => {
    expect(
      ['https://a.example/', 'urn:x', 'a.example', '', 'https://'].map((text) => isUrl(text)),
    ).toEqual([true, true, false, false, false]);
    expect([isUrl('/path', 'https://a.example'), isUrl('/path', 'nothing')]).toEqual([true, false]);
  });

  it('takes a host with an umlaut also after so many calls that it has been compiled', () => {
    for (let call = 0; call < 200_000; call += 1) isUrl(`https://a.example/${call % 10}`);
    expect(isUrl('https://exämple.com/')).toBe(true);
  });
});
