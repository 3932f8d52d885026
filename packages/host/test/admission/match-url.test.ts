import { verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesUrl } from '../../src/admission/judge-policy.ts';
import { canonicalUrl } from '../../src/config/settings/canonical-url.ts';
import { parseUrlPattern } from '../../src/config/settings/url-pattern.ts';

function matches(pattern: string, text: string): boolean {
  const parsed = parseUrlPattern(pattern);
  if (!parsed.ok) throw new TypeError(`${pattern} ${parsed.error}`);
  const url = canonicalUrl(text);
  if (url === undefined) throw new TypeError(`no url: ${text}`);
  return matchesUrl(parsed.value, url);
}

describe('a URL rule for *.example.com', () => {
  verifies('CFG-10');
  const pattern = 'https://*.example.com/*';

  it.each([
    'https://a.example.com/',
    'https://a.b.example.com/mcp?x=1#y',
    'https://A.EXAMPLE.COM:443/mcp',
    'https://a.example.com./mcp',
    'https://user:secret@a.example.com/',
    'https:\\\\a.example.com\\mcp',
    'https://a.ex%61mple.com/',
    'https://a。example.com/',
    'https://evil.com.example.com/',
  ])('matches %s', (url) => {
    expect(matches(pattern, url)).toBe(true);
  });

  it.each([
    'https://example.com/',
    'https://evil.com/.example.com/',
    'https://evil.com/a.example.com/',
    'https://evil.com?.example.com',
    'https://evil.com/?a.example.com/',
    'https://evil.com#.example.com/',
    'https://a.example.com.evil.com/',
    'https://a.example.com@evil.com/',
    'https://user@evil.com#.example.com',
    'https://user:.example.com@evil.com/x',
    'https://evil.com\\.example.com/',
    'https://evil.com\\@a.example.com/',
    'https://evil.com%2F.example.com@evil.com/',
    'https://evil.com:8443/.example.com/',
    'https://a.example.com:8443/',
    'http://a.example.com/',
    'wss://a.example.com/',
    'https://aexample.com/',
    'https://a.example.com.de/',
    'https://a.examp1e.com/',
    'https://a.еxample.com/',
    'https://[::1]/.example.com/',
  ])('does not match %s', (url) => {
    expect(matches(pattern, url)).toBe(false);
  });
});

describe('a URL pattern', () => {
  it.each([
    // Parts that the pattern leaves out at its end may be anything.
    ['https://a.com', 'https://a.com/any/path?query', true],
    ['https://a.com', 'https://a.com:8443/', false],
    ['https://a.com/', 'https://a.com', true],
    ['https://a.com/', 'https://a.com/mcp', false],
    ['https://a.com/mcp', 'https://a.com/mcp?tenant=1', true],
    ['https://a.com/mcp', 'https://a.com/mcp/', false],
    ['https://a.com/mcp?tenant=1', 'https://a.com/mcp?tenant=1', true],
    ['https://a.com/mcp?tenant=*', 'https://a.com/mcp?tenant=2&x', true],
    ['https://a.com/mcp?tenant=1', 'https://a.com/mcp', false],
    ['https://a.com?x', 'https://a.com/?x', true],
    // The path.
    ['https://a.com/api/*', 'https://a.com/api/v1/mcp', true],
    ['https://a.com/api/*', 'https://a.com/api/../admin', false],
    ['https://a.com/api/*', 'https://a.com/api/%2e%2e/admin', false],
    ['https://a.com/api/*', 'https://a.com/x/..\\api/y', true],
    ['https://a.com/*/mcp', 'https://a.com/a/b/mcp', true],
    ['https://a.com/%7euser/ä', 'https://a.com/~user/%c3%a4', true],
    ['https://a.com/a%2fb', 'https://a.com/a%2Fb', true],
    ['https://a.com/a/b', 'https://a.com/a%2Fb', false],
    ['https://a.com/API', 'https://a.com/api', false],
    // The scheme and the port.
    ['*://a.com', 'http://a.com/', true],
    ['*://a.com', 'wss://a.com/', true],
    ['*://a.com', 'http://a.com:443/', false],
    ['HTTPS://A.com:0443', 'https://a.com/', true],
    ['http://localhost:*', 'http://localhost:3000/mcp', true],
    ['http://localhost:*', 'http://localhost/mcp', true],
    ['http://localhost:3000', 'http://localhost:30001/', false],
    // The host.
    ['https://*', 'https://anything.at.all/', true],
    ['https://*.example.com', 'https://example.com.evil.com/', false],
    ['https://*example.com', 'https://evilexample.com/', true],
    ['https://a.com.', 'https://a.com/', true],
    ['https://exämple.com', 'https://xn--exmple-cua.com/', true],
    ['http://127.0.0.1', 'http://0x7f000001/', true],
    ['http://127.0.0.1', 'http://[::ffff:7f00:1]/', true],
    ['http://[0:0:0:0::1]:80', 'http://[::1]/', true],
    ['https://a?.com', 'https://a.com/', false],
    ['https://a.c[o]m', 'https://a.com/', 'none'],
  ])('%s and %s: %s', (pattern, url, expected) => {
    if (expected === 'none') expect(parseUrlPattern(pattern).ok).toBe(false);
    else expect(matches(pattern, url)).toBe(expected);
  });

  it('for one host never matches an address that leads to another', () => {
    const tail = fc.string({ unit: fc.constantFrom(...'./\\@:#?%a.example.com1'), maxLength: 24 });
    fc.assert(
      fc.property(tail, fc.constantFrom('https://', 'https:', 'https:/\\'), (text, start) => {
        const url = canonicalUrl(`${start}evil${text}`);
        if (url === undefined || !matches('https://*.example.com/*', `${start}evil${text}`)) return;
        expect(new URL(`${start}evil${text}`).hostname.replace(/\.$/, '')).toMatch(
          /^[^/?#@:]+\.example\.com$/,
        );
      }),
      { numRuns: 3000 },
    );
  });
});
