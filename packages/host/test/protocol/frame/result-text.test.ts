import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noteLine, resultText, resultTextIn } from '../../../src/protocol/frame/result-text.ts';

describe('the text of a result', () => {
  it('is found as it was written, in any order of the members', () => {
    const text = String.raw`{"n":12345678901234567890,"f":1.0,"s":"\u0041\"}","deep":[{"a":[]}]}`;
    expect(resultTextIn(`{"jsonrpc":"2.0","id":7,"result":${text}}`)).toBe(text);
    expect(resultTextIn(`{"jsonrpc":"2.0","id":"a","result":${text}}`)).toBe(text);
    expect(resultTextIn(`{"result":${text},"jsonrpc":"2.0","id":7}`)).toBe(text);
  });

  it.each([
    ['a second result', '{"jsonrpc":"2.0","id":1,"result":{},"id":2,"result":{}}'],
    ['another member', '{"jsonrpc":"2.0","id":1,"result":{},"x":{}}'],
    ['a second result after the first', '{"result":{},"result":{},"jsonrpc":"2.0","id":1}'],
    ['a line break between members', '{"jsonrpc":"2.0","id":1,"result":{"a":\r1}}'],
    ['an error', '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}'],
    ['several messages', '[{"jsonrpc":"2.0","id":1,"result":{}}]'],
    ['a result that is no object', '{"jsonrpc":"2.0","id":1,"result":[]}'],
  ])('is not taken from a message with %s', (_, line) => {
    expect(resultTextIn(line)).toBeUndefined();
  });

  it('equals the JSON of any result', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (result, id) => {
        const text = JSON.stringify(result);
        const line = JSON.stringify({ jsonrpc: '2.0', id, result });
        expect(resultTextIn(line)).toBe(text);
        expect(resultTextIn(JSON.stringify({ result, jsonrpc: '2.0', id }))).toBe(text);
      }),
    );
  });

  it('is known for the parsed result itself, and not for a copy', () => {
    const result = { a: 1 };
    noteLine(result, '{"jsonrpc":"2.0","id":1,"result":{"a":1.0}}');
    expect(resultText(result)).toBe('{"a":1.0}');
    expect(resultText({ ...result })).toBeUndefined();
  });
});
