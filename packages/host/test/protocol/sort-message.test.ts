import { parseJSONRPCMessage } from '@modelcontextprotocol/client';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortMessage } from '../../src/protocol/frame/sort-message.ts';

const odd = fc.oneof(
  fc.constantFrom(null, 0, 1.5, 7, 'x', true, {}, [], { code: 1, message: 'm' }, { code: 'c' }),
  fc.constant(undefined),
);
const likeMessages = fc
  .record({ id: odd, method: odd, params: odd, result: odd, error: odd }, { requiredKeys: [] })
  .map((fields): unknown => JSON.parse(JSON.stringify({ jsonrpc: '2.0', ...fields })));

describe('a classified message', () => {
  it('is valid by the rules of the protocol, whatever was sent', () => {
    fc.assert(
      fc.property(likeMessages, (value) => {
        const sorted = sortMessage(value);
        if (sorted.kind === 'message') parseJSONRPCMessage(sorted.message);
      }),
      { numRuns: 2000 },
    );
  });

  it('is passed on unchanged if nothing is wrong with it', () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const sorted = sortMessage(ping);
    expect(sorted.kind === 'message' && sorted.message).toBe(ping);
  });
});
