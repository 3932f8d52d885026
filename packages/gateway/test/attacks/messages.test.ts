import { type Json, Scope } from '@plugboard/base';
import { times, verifies, waitUntil } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serverOf } from '../cells.ts';
import { hasDuplicateKeys } from '../../src/message/duplicate-keys.ts';
import { attackedGateway, untilListed } from './attacked-gateway.ts';
import {
  answerIn,
  modernRequest,
  openStream,
  RawSession,
  type RawStream,
  send,
} from './raw-http.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const DEEP = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;

describe('invalid messages', () => {
  verifies('GWY-01');

  it.each([
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32_600],
    ['an empty batch', '[]', -32_600],
    ['a text', '"ping"', -32_600],
    ['no JSON', '{"jsonrpc":"2.0",', -32_700],
    ['two messages', '{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0"}', -32_700],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}', -32_600],
    ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32_600],
    ['an id with a fraction', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32_600],
    [
      'an id that no number can hold',
      '{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}',
      -32_600,
    ],
    ['an id beyond all numbers', '{"jsonrpc":"2.0","id":1e999,"method":"ping"}', -32_600],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32_600],
    [
      'an id of many characters',
      `{"jsonrpc":"2.0","id":"${'x'.repeat(1000)}","method":"ping"}`,
      -32_600,
    ],
    ['a key in another case', '{"jsonrpc":"2.0","id":1,"Method":"ping"}', -32_600],
    [
      'a key with a look-alike',
      '{"jsonrpc":"2.0","id":1,"method":"ping","param\u017f":{},"params":[]}',
      -32_600,
    ],
    [
      'a method of the prototype',
      '{"jsonrpc":"2.0","id":1,"__proto__":{"method":"ping"}}',
      -32_600,
    ],
    ['parameters in a list', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', -32_600],
    ['a method twice', '{"jsonrpc":"2.0","id":1,"method":"tools/call","method":"ping"}', -32_600],
    [
      'a name twice',
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"name":"a","\\u006eame":"b"}}',
      -32_600,
    ],
    [
      'a result and an error',
      '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}',
      -32_600,
    ],
    ['a message of great depth', DEEP, -32_700],
  ])('are refused: %s', async (_, body, code) => {
    const { url } = await attackedGateway(scope);
    const session = await RawSession.begin(url);
    const answer = await send(url, { headers: session.headers, body });
    const { error } = answerIn(answer) as { error: { code: number } };
    expect([answer.status, error.code]).toEqual([400, code]);
    expect((await session.post({ id: 1, method: 'ping' })).status).toBe(200);
  });

  it('include objects with a duplicate key at any depth, and no valid ones', () => {
    const value = fc.jsonValue();
    fc.assert(
      fc.property(value, fc.boolean(), (each, isIndented) => {
        const text = JSON.stringify(each, undefined, isIndented ? 2 : 0);
        return !hasDuplicateKeys(text, JSON.parse(text) as Json);
      }),
    );
    fc.assert(
      fc.property(fc.string(), value, value, value, (key, one, other, around) => {
        const name = JSON.stringify(key);
        const twice = `{${name}:${JSON.stringify(one)} , ${name} : ${JSON.stringify(other)}}`;
        const text = `{"a":[${JSON.stringify(around)},${twice}],"b":${JSON.stringify(around)}}`;
        return hasDuplicateKeys(text, JSON.parse(text) as Json);
      }),
    );
  });

  it('change no prototype between client and server', async () => {
    const { url } = await attackedGateway(scope, {
      host: { servers: { one: serverOf('legacy') } },
    });
    const session = await RawSession.begin(`${url}/one`);
    const body =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"__proto__":{"polluted":1},"name":"echo",' +
      '"_meta":{"__proto__":{"polluted":2}},"arguments":{"message":"hi","__proto__":{"polluted":3}}}}';
    const answer = await send(session.url, { headers: session.headers, body });
    expect(answer.text).toContain('"hi"');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

/** Waits for a question of the gateway in a stream. */
function questionIn(stream: RawStream): Promise<{ readonly id: string }> {
  return waitUntil(
    () =>
      stream.events().find(({ method }) => method === 'elicitation/create') as
        | { id: string }
        | undefined,
    { describe: 'the question to come' },
  );
}

const ASK = {
  name: 'ask',
  arguments: {
    method: 'elicitation/create',
    params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
  },
};
const capabilities = { elicitation: { form: {} } };

describe('clients of one gateway', () => {
  verifies('GWY-01');

  it('never get messages for another client, although all use the same ids at the same time', async () => {
    const servers = { one: serverOf('legacy'), two: serverOf('modern') };
    const { url } = await attackedGateway(scope, { host: { servers } });
    const sessions = await Promise.all(Array.from({ length: 4 }, () => RawSession.begin(url)));
    await untilListed(url, ['one__echo', 'two__echo']);
    const call = fc.record({
      client: fc.integer({ min: 0, max: 7 }),
      server: fc.constantFrom('one', 'two'),
      id: fc.constantFrom<string | number>(0, 1, '1'),
    });
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 8, maxLength: 24 }), async (calls) => {
        // A client does not use an id twice at the same time.
        const distinct = new Map(
          calls.map((each) => [JSON.stringify([each.client, each.id]), each]),
        );
        const echoes = [...distinct.values()].map(async ({ client, server, id }) => {
          const message = `payload-${(count += 1)}`;
          const params = { name: `${server}__echo`, arguments: { message } };
          const answer = await (sessions[client]?.post({ id, method: 'tools/call', params }) ??
            send(url, modernRequest({ params, id })));
          const { id: answered, result } = answerIn(answer) as {
            id: unknown;
            result: { content: readonly { text: string }[] };
          };
          expect([answered, result.content[0]?.text]).toEqual([id, message]);
        });
        await Promise.all(echoes);
      }),
      { numRuns: times(10, 200) },
    );
  });

  it('cannot answer the question of another client', async () => {
    const { url } = await askingServer();
    const [ada, mallory] = await Promise.all([
      RawSession.begin(url, { capabilities }),
      RawSession.begin(url, { capabilities }),
    ]);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: ASK };
    const body = JSON.stringify(call);
    const stream = await openStream(url, { headers: ada.headers, body });
    const { id } = await questionIn(stream);
    await mallory.post({ id, result: { action: 'accept', content: { name: 'mallory' } } });
    await ada.post({ id, result: { action: 'accept', content: { name: 'ada' } } });
    await waitUntil(stream.isEnded, { describe: 'the call to be answered' });
    expect(stream.text()).toContain('"ada"');
    expect(stream.text()).not.toContain('mallory');
  });

  it('cancel only their own requests', async () => {
    const { url } = await askingServer();
    const [ada, mallory] = await Promise.all([
      RawSession.begin(url, { capabilities }),
      RawSession.begin(url, { capabilities }),
    ]);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: ASK });
    const stream = await openStream(url, { headers: ada.headers, body });
    const { id } = await questionIn(stream);
    const cancel = { method: 'notifications/cancelled', params: { requestId: 1 } };
    await mallory.post(cancel);
    await ada.post({ id, result: { action: 'decline' } });
    await waitUntil(stream.isEnded, { describe: 'the call to be answered' });
    expect(stream.events().at(-1)).toHaveProperty('result.structuredContent');
    const again = await openStream(url, { headers: ada.headers, body });
    await questionIn(again);
    await ada.post(cancel);
    await waitUntil(again.isEnded, { describe: 'the call to be given up' });
    expect(again.events().at(-1)).not.toHaveProperty('result.structuredContent');
  });

  it('keep the stream of a running request when its id is used again', async () => {
    const { url } = await askingServer();
    const ada = await RawSession.begin(url, { capabilities });
    const twice = { ...ASK, arguments: { ...ASK.arguments, times: 1 } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: twice });
    const stream = await openStream(url, { headers: ada.headers, body });
    const { id } = await questionIn(stream);
    const second = answerIn(await ada.post({ id: 1, method: 'ping' }));
    expect(second).toHaveProperty('error.code', -32_600);
    const wrong = answerIn(await ada.post({ id: 1, method: 'tools/list' }));
    expect(wrong).toHaveProperty('error.code', -32_600);
    await ada.post({ id, result: { action: 'decline' } });
    await waitUntil(stream.isEnded, { describe: 'the call to be answered' });
    expect(stream.events().at(-1)).toHaveProperty('result.structuredContent');
  });
});

/** The endpoint of a server that asks. */
async function askingServer(): Promise<{ readonly url: string }> {
  const servers = { one: serverOf('legacy', { asking: true }) };
  const { url } = await attackedGateway(scope, { host: { servers } });
  return { url: `${url}/one` };
}
