import { fileURLToPath } from 'node:url';
import { never, Scope } from '@plugboard/base';
import { describe, expect, it } from 'vitest';
import { type FrameRecord, open } from '../../src/protocol/index.ts';
import { ports, stdioLaunch } from './cells.ts';

const SERVER = fileURLToPath(new URL('fixtures/unsound-server.mjs', import.meta.url));
const frames: FrameRecord[] = [];
const recorder = {
  keeps: 'bodies' as const,
  frame: (record: FrameRecord): void => void frames.push(record),
  stderr(): void {},
  stray(): void {},
};

/** What the server received before it sent the result, or the failure of the call. */
async function callThat(does: { says: readonly string[]; waits: boolean }): Promise<unknown> {
  await using scope = new Scope();
  const launch = stdioLaunch({ command: process.execPath, args: [SERVER] });
  const limits = { signal: never, timeoutMs: 60_000 };
  const opened = await open(launch, limits, { ...ports, recorder });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  scope.defer(() => opened.value.close());
  const call = { name: 'x', arguments: { lines: [...does.says], waits: does.waits } };
  const patient = { signal: never, idleMs: 60_000, hardMs: 60_000 };
  const answered = await opened.value.callTool(call, patient);
  if (!answered.ok) return answered.error;
  const [block] = answered.value.content;
  return block?.type === 'text' ? JSON.parse(block.text) : block;
}

describe('a server that sends an invalid message during a call', () => {
  it.each([
    '{"jsonrpc":"2.0","id":null,"method":"roots/list"}',
    '{"jsonrpc":"2.0","id":{},"method":"ping"}',
    '{"jsonrpc":"2.0","method":42}',
    '{"jsonrpc":"2.0","method":"notifications/progress","params":null}',
    '{"jsonrpc":"2.0","method":"notifications/progress","params":[1]}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":ID}}',
    '{"jsonrpc":"2.0","id":null,"error":null}',
    '{"jsonrpc":"2.0","id":77,"error":null}',
    '{"jsonrpc":"2.0","error":{"code":-32700,"message":"what?"}}',
    '{"jsonrpc":"2.0","id":ID,"method":"ping"}',
    '{"jsonrpc":"1.0","id":ID,"result":{}}',
    '[null,[],5]',
    'null',
  ])('still has its result accepted: %s', async (line) => {
    expect(await callThat({ says: [line], waits: false })).toEqual({});
  });

  it.each([
    ['{"jsonrpc":"2.0","id":7,"method":42}', 7],
    ['{"jsonrpc":"2.0","id":"q","method":null}', 'q'],
    ['{"jsonrpc":"2.0","id":7,"method":"ping","params":"now"}', 7],
    ['{"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":[]}', 7],
    ['[{"jsonrpc":"2.0","id":7,"method":{}}]', 7],
  ])('receives an error at once: %s', async (line, id) => {
    expect(await callThat({ says: [line], waits: true })).toEqual({
      jsonrpc: '2.0',
      id,
      error: { code: -32_600, message: 'Invalid Request' },
    });
  });

  it('is answered although it sends null for no parameters', async () => {
    const ping = '{"jsonrpc":"2.0","id":7,"method":"ping","params":null}';
    expect(await callThat({ says: [ping], waits: true })).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: {},
    });
  });

  it.each([
    ['"result":{"content":[{"type":"text","text":"{}"}]},"error":null', {}],
    ['"error":null', invalid('the result is not an object')],
    ['"result":null', invalid('the result is not an object')],
    ['"result":null,"error":{"code":-5,"message":"no"}', { kind: 'rpc', code: -5 }],
    ['"error":"broken"', invalid('the error has no code or no message')],
    ['"error":{"code":"x","message":"y"}', invalid('the error has no code or no message')],
  ])('has an answer of %s interpreted as far as possible', async (answer, expected) => {
    const line = `{"jsonrpc":"2.0","id":ID,${answer}}`;
    expect(await callThat({ says: [line], waits: true })).toMatchObject(expected);
  });

  it('leaves only well-formed frames in the trace', () => {
    expect(frames.length).toBeGreaterThan(0);
    for (const { method, id, code } of frames) {
      expect(['string', 'undefined']).toContain(typeof method);
      expect(['string', 'number', 'undefined']).toContain(typeof id);
      expect(['number', 'undefined']).toContain(typeof code);
    }
  });
});

function invalid(detail: string): object {
  return { kind: 'invalid-result', detail };
}
