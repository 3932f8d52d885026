import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalUrl } from '../../../src/config/settings/canonical-url.ts';

function spelt(text: string): string | undefined {
  const url = canonicalUrl(text);
  if (url === undefined) return undefined;
  return `${url.scheme}://${url.host}:${url.port}${url.path}?${url.query}`;
}

describe('a canonical url', () => {
  it.each([
    ['https://example.com', 'https://example.com:443/?'],
    ['HTTPS://EXAMPLE.COM:443/A', 'https://example.com:443/A?'],
    ['http://example.com:0080/', 'http://example.com:80/?'],
    ['ws://example.com:443/', 'ws://example.com:443/?'],
    ['wss://example.com./x', 'wss://example.com:443/x?'],
    ['https://example.com../', 'https://example.com:443/?'],
    ['https://me:secret@example.com/#part', 'https://example.com:443/?'],
    ['https://example.com\\@evil.com/', 'https://example.com:443/@evil.com/?'],
    ['https:example.com', 'https://example.com:443/?'],
    [' https://exa\tmple.com/\n', 'https://example.com:443/?'],
    ['https://ex%61mple.com/', 'https://example.com:443/?'],
    ['https://ｅｘａｍｐｌｅ。com/', 'https://example.com:443/?'],
    ['https://exämple.com/', 'https://xn--exmple-cua.com:443/?'],
    ['http://0x7f.1/', 'http://127.0.0.1:80/?'],
    ['http://2130706433/', 'http://127.0.0.1:80/?'],
    ['http://[::FFFF:127.0.0.1]/', 'http://127.0.0.1:80/?'],
    ['http://[0:0::1]/', 'http://[::1]:80/?'],
    ['https://a.com/x/../y/./%2e%2E/z', 'https://a.com:443/z?'],
    ['https://a.com/%7Euser/%61%2fb', 'https://a.com:443/~user/a%2Fb?'],
    ['https://a.com/%zz|^', 'https://a.com:443/%25zz%7C%5E?'],
    ['https://a.com/ä?q=%c3%a4%41 "', 'https://a.com:443/%C3%A4?q=%C3%A4A%20%22'],
  ])('of %j is %s', (text, canonical) => {
    expect(spelt(text)).toBe(canonical);
  });

  it.each([
    '',
    'example.com',
    'https://',
    'https://${HOST}/',
    'https://${HOST}.example.com/',
    'https://./',
    'file:///etc/x',
    'data:,x',
    'https://a b/',
  ])('is undefined for %j', (text) => {
    expect(canonicalUrl(text)).toBeUndefined();
  });

  it('is its own canonical url', () => {
    const hostile = fc.string({
      unit: fc.constantFrom(...'ab./\\@:#?%2eE*[]1~ \t'),
      maxLength: 20,
    });
    fc.assert(
      fc.property(
        hostile.map((rest) => `https://a${rest}`),
        (text) => {
          const once = spelt(text);
          if (once !== undefined) expect(spelt(once)).toBe(once);
        },
      ),
    );
  });
});
