import { join } from 'node:path';
import { Scope } from '@plugboard/base';
import { isAlive, ManualClock, tempFolder, verifies, waitUntil } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serverOf } from '../cells.ts';
import { attackedGateway } from './attacked-gateway.ts';
import {
  answerIn,
  JSON_HEADERS,
  modernRequest,
  openStream,
  type RawAnswer,
  type RawRequest,
  RawSession,
  send,
} from './raw-http.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const ERAS = ['legacy', 'modern'] as const;
type Era = (typeof ERAS)[number];
type Call = Readonly<Record<string, unknown>>;

/** A client of either era that makes one call at a time. */
async function clientOf(era: Era, url: string, capabilities: object = {}) {
  const session = era === 'legacy' ? await RawSession.begin(url, { capabilities }) : undefined;
  const requestOf = (params: Call): RawRequest =>
    session === undefined
      ? modernRequest({ params, capabilities })
      : {
          headers: session.headers,
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
        };
  return {
    session,
    requestOf,
    call: (params: Call): Promise<RawAnswer> => send(url, requestOf(params)),
  };
}

/** The process of the server that works for a client. */
async function pidOf(client: { call(params: Call): Promise<RawAnswer> }): Promise<number> {
  const answer = await client.call({ name: 'pids', arguments: {} });
  const { result } = answerIn(answer) as { result: { structuredContent: { pid: number } } };
  return result.structuredContent.pid;
}

/** Disconnects without ending the session, by closing the stream. */
async function letGo({ url, headers }: RawSession): Promise<void> {
  const stream = await openStream(url, { method: 'GET', headers });
  stream.destroy();
}

function errorIn(answer: RawAnswer): unknown {
  return (answerIn(answer) as { result: { isError?: true } }).result.isError;
}

describe.each(ERAS)('a %s client', (era) => {
  verifies('GWY-01');

  it.each([
    ['fails and is not made again, since it may have had its effect', 'sleep', true],
    ['is made again, since it only reads', 'echo', undefined],
  ])('whose server is killed in a call: the call %s', async (_, tool, isError) => {
    const home = scope.use(await tempFolder());
    const crashOn = { tool, exit: 'SIGKILL', onceAt: join(home.path, 'crashed') } as const;
    const server = serverOf('legacy', { crashOn });
    const { url } = await attackedGateway(scope, { host: { servers: { one: server } } });
    const client = await clientOf(era, `${url}/one`);
    const params = { name: tool, arguments: { ms: 0, message: 'hi' } };
    expect(errorIn(await client.call(params))).toBe(isError);
    expect(errorIn(await client.call(params))).toBeUndefined();
  });

  it('that disconnects during a call has it cancelled at the server', async () => {
    const server = serverOf('legacy', { asking: true });
    const { url } = await attackedGateway(scope, { host: { servers: { one: server } } });
    const client = await clientOf(era, `${url}/one`);
    const asked = client.requestOf({
      name: 'sleep',
      arguments: { ms: 600_000, steps: 1000 },
      _meta: { progressToken: 'p' },
    });
    const stream = await openStream(`${url}/one`, asked);
    stream.destroy();
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'heard' },
    });
    const heard =
      client.session === undefined
        ? modernRequest({ params: { name: 'heard', arguments: {} } })
        : { headers: client.session.headers, body };
    await waitUntil(
      async () => (await send(`${url}/one`, heard)).text.includes('notifications/cancelled'),
      { describe: 'the server to hear that the call is cancelled' },
    );
  });

  it('that waits for a reply when the gateway ends gets one', async () => {
    const { url, gateway } = await attackedGateway(scope, {
      host: { servers: { one: serverOf('legacy', { asking: true }) } },
    });
    const client = await clientOf(era, `${url}/one`);
    const stream = await openStream(
      `${url}/one`,
      client.requestOf({
        name: 'sleep',
        arguments: { ms: 600_000, steps: 1000 },
        _meta: { progressToken: 'p' },
      }),
    );
    const listening =
      client.session === undefined
        ? await openStream(
            `${url}/one`,
            modernRequest({ method: 'subscriptions/listen', params: { notifications: {} } }),
          )
        : await openStream(`${url}/one`, { method: 'GET', headers: client.session.headers });
    await gateway.close();
    await waitUntil(() => stream.isEnded() && listening.isEnded(), {
      describe: 'both streams to end',
    });
  });

  it('that never answers a question does not extend the deadline of the call', async () => {
    const clock = new ManualClock();
    const server = serverOf('legacy', { asking: true });
    const { url } = await attackedGateway(scope, {
      clock,
      host: { servers: { one: server } },
      address: { limits: { idleMs: 60_000 } },
    });
    const client = await clientOf(era, `${url}/one`, { elicitation: { form: {} } });
    const pid = await pidOf(client);
    const params = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
    const stream = await openStream(
      `${url}/one`,
      client.requestOf({ name: 'ask', arguments: { method: 'elicitation/create', params } }),
    );
    const isAsked = (): boolean => /elicitation\/create/.test(stream.text());
    await waitUntil(isAsked, { describe: 'the question' });
    await clock.advance(11 * 60_000);
    await waitUntil(stream.isEnded, { describe: 'the answer' });
    await clock.advance(60 * 60_000);
    await waitUntil(() => !isAlive(pid), { describe: 'the process of its server to end' });
  });
});

describe('a legacy client', () => {
  verifies('GWY-01');

  it('that ends its session during a call frees the process of its server', async () => {
    const server = serverOf('legacy');
    const { url } = await attackedGateway(scope, { host: { servers: { one: server } } });
    const client = await clientOf('legacy', `${url}/one`);
    const pid = await pidOf(client);
    const params = { name: 'sleep', arguments: { ms: 600_000 }, _meta: { progressToken: 'p' } };
    const running = await openStream(`${url}/one`, client.requestOf(params));
    const { headers } = client.session as RawSession;
    await send(`${url}/one`, { method: 'DELETE', headers });
    await waitUntil(running.isEnded, { describe: 'the call to be given up' });
    await waitUntil(() => !isAlive(pid), { describe: 'the process to end' });
  });

  it('that disconnects without ending its session soon frees the process of its server, and gets a new one when it returns', async () => {
    const clock = new ManualClock();
    const { url } = await attackedGateway(scope, {
      clock,
      host: { servers: { one: serverOf('legacy') } },
    });
    const client = await clientOf('legacy', `${url}/one`);
    const there = await clientOf('legacy', `${url}/one`);
    const pids = [await pidOf(client), await pidOf(there)] as const;
    await letGo(client.session as RawSession);
    await waitUntil(() => clock.advance(60_000).then(() => !isAlive(pids[0])), {
      describe: 'the process of the client that is gone to end',
    });
    expect(isAlive(pids[1])).toBe(true);
    expect(await pidOf(client)).not.toBe(pids[0]);
  });

  it.each([
    ['tools/call', { name: 'echo', arguments: { message: 'hi' }, task: {} }],
    ['resources/subscribe', { uri: 'file:///one' }],
  ])('that has something going on there by %s keeps the process', async (method, params) => {
    const clock = new ManualClock();
    const library = { resources: [{ uri: 'file:///one', name: 'one' }] };
    const server = serverOf('legacy', { tasks: true, library });
    const { url } = await attackedGateway(scope, { clock, host: { servers: { one: server } } });
    const client = await clientOf('legacy', `${url}/one`);
    const other = await clientOf('legacy', `${url}/one`);
    const pids = [await pidOf(client), await pidOf(other)] as const;
    const session = client.session as RawSession;
    expect((await session.post({ id: 2, method, params })).text).toContain('"result"');
    await letGo(session);
    await letGo(other.session as RawSession);
    await waitUntil(() => clock.advance(60_000).then(() => !isAlive(pids[1])), {
      describe: 'the process of the other client to end',
    });
    expect(isAlive(pids[0])).toBe(true);
    expect(await pidOf(client)).toBe(pids[0]);
  });

  it('gets a process however many other clients disconnected without ending their sessions', async () => {
    const { url } = await attackedGateway(scope, {
      host: { servers: { one: serverOf('legacy') } },
      address: { limits: { awayOfPrincipal: 2 } },
    });
    const pids: number[] = [];
    for (let count = 0; count < 4; count += 1) {
      const client = await clientOf('legacy', `${url}/one`);
      pids.push(await pidOf(client));
      await letGo(client.session as RawSession);
    }
    await waitUntil(
      async () => {
        await RawSession.begin(url);
        return pids.filter(isAlive).length <= 2;
      },
      { describe: 'the processes of those that went first to end' },
    );
    expect(pids.map(isAlive)).toEqual([false, false, true, true]);
  });

  it('whose gateway was restarted gets an error that tells it to start again', async () => {
    const first = await attackedGateway(scope);
    const session = await RawSession.begin(first.url);
    await first.gateway.close();
    const again = await attackedGateway(scope, {
      address: { port: Number(new URL(first.url).port) },
    });
    expect(again.url).toBe(first.url);
    expect((await session.post({ id: 1, method: 'ping' })).status).toBe(404);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect((await send(first.url, { headers: JSON_HEADERS, body })).status).toBe(400);
  });
});
