import { parseJSONRPCMessage } from '@modelcontextprotocol/client';
import { never } from '@plugboard/base';
import { expect, it } from 'vitest';
import { classify } from '../../src/protocol/classify.ts';
import { sdkFailureOf } from '../../src/protocol/classify-sdk.ts';

it('an invalid message is reported as such, not with the error text of the SDK', () => {
  const context = { signal: never, timeoutMs: 1000, url: '', end: () => undefined };
  const failure = (): unknown => {
    try {
      return parseJSONRPCMessage({ jsonrpc: '2.0', id: 1, error: null });
    } catch (thrown) {
      return classify(thrown, context, sdkFailureOf);
    }
  };
  expect(failure()).toEqual({
    kind: 'invalid-result',
    detail: 'the message is not sound, or nests too deep',
  });
});
