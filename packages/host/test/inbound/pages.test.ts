import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { readPage } from '../../src/inbound/read-page.ts';

describe('the address of a page', () => {
  verifies('INB-02');

  it.each([
    ['https://example.com', 'https://example.com/', 'example.com', undefined, []],
    [
      'https://example.com:8443/a?b#c',
      'https://example.com:8443/a?b#c',
      'example.com:8443',
      undefined,
      [],
    ],
    [
      'https://bücher.example/',
      'https://xn--bcher-kva.example/',
      'xn--bcher-kva.example',
      'bücher.example',
      ['punycode'],
    ],
    ['https://203.0.113.7/', 'https://203.0.113.7/', '203.0.113.7', undefined, ['ip-address']],
    [
      'https://[2001:db8::1]/',
      'https://[2001:db8::1]/',
      '[2001:db8::1]',
      undefined,
      ['ip-address'],
    ],
    // The same address in a misleading notation.
    ['https://0xCB007107/', 'https://203.0.113.7/', '203.0.113.7', undefined, ['ip-address']],
    [
      'http://127.0.0.1:3000/',
      'http://127.0.0.1:3000/',
      '127.0.0.1:3000',
      undefined,
      ['this-machine'],
    ],
    ['http://localhost/', 'http://localhost/', 'localhost', undefined, ['this-machine']],
  ])('%s is shown as it would be opened', (url, href, host, readsAs, warnings) => {
    expect(readPage(url)).toEqual({ ok: true, value: { url: href, host, readsAs, warnings } });
  });

  it.each([
    ['http://example.com/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['vscode://open', 'scheme'],
    ['https://user@example.com/', 'credentials'],
    ['https://:secret@example.com/', 'credentials'],
    ['https://exa\u200Bmple.com/', 'control-characters'],
    ['https://example.com/a b', 'control-characters'],
    ['example.com', 'not-a-url'],
  ])('%j is refused', (url, error) => {
    expect(readPage(url)).toEqual({ ok: false, error });
  });
});
