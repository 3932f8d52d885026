import { codePoint } from '@plugboard/testkit/code-point';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headOf, signatureOf } from '../../src/chunk/signature.ts';

describe('the signature of a chunk', () => {
  it('has words of the path, declared names, comments and other identifiers, in this order', () => {
    const text = `/**
 * Parses one request.
 * @param rawBody what came in
 */
export function parseHTTPRequest(rawBody: string): ParsedRequest {
  // Empty bodies are fine.
  return decoder.decode(rawBody, "text // no comment");
}
`;
    expect(signature('packages/server/src/http/requestParser.ts', text, ['parseHTTPRequest'])).toBe(
      'src http request parser. parse http request. ' +
        'Parses one request. @param rawBody what came in Empty bodies are fine.. ' +
        'raw body parsed request decoder decode',
    );
  });

  it('includes doc strings and hash comments', () => {
    const text = `def load(path):
    """Reads orders."""
    # One a line.
    return rows(path)
`;
    expect(signature('orders.py', text, ['load'])).toBe(
      'orders. load. Reads orders. One a line.. path rows',
    );
  });

  it('uses the name of the declaration that the chunk is a piece of', () => {
    const text = 'return total;';
    const chunk = { start: 0, end: text.length, names: [], symbol: 'Order.total' };
    expect(signatureOf({ path: 'a.ts', text, head: '', chunk })).toBe('a. order. total');
  });

  it('ends with the first comments of the file, unless they are in the chunk', () => {
    const top = '// Copyright 2024 Somebody\n\n// Reads orders.\nrows;\n';
    const text = `${top}export function load() {}\n`;
    const head = headOf('a.ts', text);
    const of = (start: number) =>
      signatureOf({
        path: 'a.ts',
        text,
        head,
        chunk: { start, end: text.length, names: ['load'] },
      });
    expect(of(top.length)).toBe('a. load. Reads orders.');
    expect(of(0)).toBe('a. load. Reads orders.. rows');
  });

  it('leaves out licences', () => {
    const text = '// Copyright 2024 Somebody\n// Opens it.\nopen();\n';
    expect(signature('a.go', text, [])).toBe('a. Opens it.. open');
  });

  it('is bounded and deterministic', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 4000 }), fc.string(), (text, name) => {
        const made = signature('x/y/z.ts', text, [name]);
        expect(made.length).toBeLessThanOrEqual('x y z. '.length + 160 + 2 + 240 + 2 + 300);
        expect(signature('x/y/z.ts', text, [name])).toBe(made);
      }),
    );
  });

  it('is bounded in each part', () => {
    const words = Array.from(
      { length: 300 },
      (_, index) => `word${'abcdefghij'[index % 10]}${index}`,
    );
    const text = `// ${words.join(' ')}\n${words.map((word) => `${word}X`).join(' ')}`;
    const [, names = '', comments = '', identifiers = ''] = signature('a.ts', text, words).split(
      '. ',
    );
    expect([names.length <= 160, comments.length <= 240, identifiers.length <= 300]).toEqual([
      true,
      true,
      true,
    ]);
    expect([names.length > 140, comments.length > 220, identifiers.length > 280]).toEqual([
      true,
      true,
      true,
    ]);
  });
});

function signature(path: string, text: string, names: readonly string[]): string {
  return signatureOf({ path, text, head: '', chunk: { start: 0, end: text.length, names } });
}
