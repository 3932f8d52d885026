import { describe, expect, it } from 'vitest';
import type { CallDetail, MessageView } from '@plugboard/gateway/console-api';
import { comparable, requestOf, resultOf } from '../../src/compare/recorded-call.ts';

function message(part: Partial<MessageView> & { readonly body: string }): MessageView {
  return {
    at: 0,
    hop: 'client',
    direction: 'to-server',
    era: 'modern',
    kind: 'request',
    method: 'tools/call',
    bytes: part.body.length,
    headers: undefined,
    server: undefined,
    isCut: false,
    ...part,
  };
}

function call(...trace: readonly MessageView[]): CallDetail {
  return {
    id: '1',
    at: 0,
    ms: 1,
    client: 'x',
    clientName: 'x',
    clientEra: 'modern',
    method: 'tools/call',
    subject: 'echo',
    server: 'demo',
    serverEra: 'modern',
    state: 'ok',
    problem: undefined,
    bytes: 1,
    messages: 1,
    replayOf: undefined,
    decision: undefined,
    hooks: [],
    attempts: 1,
    trace,
  };
}

const asked = message({
  body: '{"params":{"name":"demo__echo","arguments":{"__proto__":1,"message":"hi"}}}',
});

describe('a recorded call', () => {
  it('is run again with its arguments, by the server’s own name of the tool', () => {
    const request = requestOf(call(asked));
    expect(request).toMatchObject({ kind: 'tool', server: 'demo', tool: 'echo', replayOf: '1' });
    expect(JSON.stringify(request?.kind === 'tool' && request.arguments)).toBe(
      '{"__proto__":1,"message":"hi"}',
    );
  });

  it('cannot be run again if its request was cut', () => {
    expect(requestOf(call({ ...asked, isCut: true }))).toBeUndefined();
    expect(requestOf({ ...call(asked), server: undefined })).toBeUndefined();
    expect(requestOf({ ...call(asked), method: 'tools/list' })).toBeUndefined();
  });

  it('has the answer that the client received', () => {
    const answer = { direction: 'to-client', kind: 'result' } as const;
    const trace = [
      asked,
      message({ ...answer, hop: 'server', body: '{"result":{"content":[]}}' }),
      message({ ...answer, body: '{"result":{"content":[{"type":"text","text":"hi"}]}}' }),
    ];
    expect(resultOf({ trace })).toEqual({
      kind: 'result',
      result: { content: [{ type: 'text', text: 'hi' }] },
    });
    expect(resultOf({ trace: [asked] })).toMatchObject({ kind: 'unknown' });
    expect(resultOf({ trace: [message({ ...answer, isCut: true, body: '{"res' })] })).toMatchObject(
      {
        kind: 'unknown',
      },
    );
  });

  it('is compared by the parsed JSON of its text, without the metadata of the request', () => {
    const result = {
      _meta: { a: 1 },
      content: [
        { type: 'text', text: '{"b":1}' },
        { type: 'text', text: 'x' },
      ],
    };
    expect(comparable({ kind: 'result', result })).toEqual({
      content: [
        { type: 'text', text: { b: 1 } },
        { type: 'text', text: 'x' },
      ],
    });
  });
});
