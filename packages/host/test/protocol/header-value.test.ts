import { codePoint } from '@plugboard/testkit/code-point';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerValue } from '../../src/protocol/modern/parameter-headers.ts';

/** Decodes a header as a server does. */
function decoded(value: string): string {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8');
}

describe('a text as a header value', () => {
  it.each(['us-west1', 'us west 1', '42', '=', '?=', 'a=?base64?', 'x'])(
    'stays unchanged if a header can contain it: %j',
    (text) => {
      expect(headerValue(text)).toBe(text);
    },
  );

  it.each([
    ['', '=?base64??='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['a ', '=?base64?YSA=?='],
    ['\tindented', '=?base64?CWluZGVudGVk?='],
    ['a\tb', '=?base64?YQli?='],
    ['line1\r\nline2', '=?base64?bGluZTENCmxpbmUy?='],
    ['世界', '=?base64?5LiW55WM?='],
    ['\u007f', '=?base64?fw==?='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
  ])('is encoded in base64 if a header cannot: %j', (text, written) => {
    expect(headerValue(text)).toBe(written);
  });

  it('is decoded to the same text, whatever it was', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: codePoint }),
      fc.string().map((text) => `=?base64?${text}?=`),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(decoded(headerValue(text))).toBe(text);
      }),
    );
  });

  it('never contains what could end a header or be stripped from it', () => {
    // Any UTF-16 code units, including lone surrogates.
    const texts = fc
      .array(fc.integer({ min: 0, max: 0xff_ff }))
      .map((units) => String.fromCharCode(...units));
    fc.assert(
      fc.property(texts, (text) => {
        expect(headerValue(text)).toMatch(/^[!-~](?:[ -~]*[!-~])?$/);
      }),
    );
  });
});
