import { Scope } from '@plugboard/base';
import { ManualClock, verifies, waitUntil } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serverOf } from '../cells.ts';
import { attackedGateway } from './attacked-gateway.ts';
import { answerIn, openStream, RawSession, type RawStream, send } from './raw-http.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const TOKEN = 'progress';

/** A call during which the server sends many notifications. */
function saying(id: number, times: number, data: string): object {
  const params = { level: 'info', data };
  return {
    id,
    method: 'tools/call',
    params: {
      name: 'say',
      arguments: { method: 'notifications/message', params, times },
      _meta: { progressToken: TOKEN },
    },
  };
}

/** Changes of a list belong to no request, so they go to the stream of the session. */
const ANNOUNCE = { name: 'say', arguments: { method: 'notifications/custom', params: {} } };

function announcing(id: number, n: number): object {
  const given = { ...ANNOUNCE.arguments, params: { n } };
  return { id, method: 'tools/call', params: { ...ANNOUNCE, arguments: given } };
}

function heardOn(stream: RawStream): readonly unknown[] {
  return stream
    .events()
    .filter(({ method }) => method === 'notifications/custom')
    .map(({ params }) => (params as { n: number }).n);
}

async function sayingServer(limits = {}, clock?: ManualClock) {
  const { gateway, url } = await attackedGateway(scope, {
    host: { servers: { one: serverOf('legacy', { asking: true }) } },
    address: { limits },
    ...(clock === undefined ? {} : { clock }),
  });
  // The announcement of the first list would count as one of the messages.
  await gateway.host.tools();
  return `${url}/one`;
}

function listenOn(session: RawSession, lastSeen?: number): Promise<RawStream> {
  const resumed = lastSeen === undefined ? {} : { 'Last-Event-ID': String(lastSeen) };
  return openStream(session.url, { method: 'GET', headers: { ...session.headers, ...resumed } });
}

describe('event streams', () => {
  verifies('GWY-01');

  it('are cut off at a limit if the client does not read, and other clients are served', async () => {
    const url = await sayingServer({ unreadBytes: 100_000 });
    const [slow, quick] = await Promise.all([RawSession.begin(url), RawSession.begin(url)]);
    const message = saying(1, 2000, 'x'.repeat(20_000));
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    const stream = await openStream(url, { headers: slow.headers, body });
    stream.pause();
    const served = await quick.post(saying(1, 3, 'short'));
    expect(served.text.match(/short/g)).toHaveLength(3);
    // The client does not read until its call has ended.
    await waitUntil(async () => 'result' in answerIn(await slow.post({ id: 1, method: 'ping' })), {
      describe: 'the id of the call to be free',
    });
    stream.resume();
    await waitUntil(stream.isEnded, { describe: 'the stream to be cut' });
    expect(stream.events().some(({ id }) => id === 1)).toBe(false);
    expect(stream.text().length).toBeLessThan(2000 * 20_000);
  });

  it('and complete responses wait only a limited time for a client to read', async () => {
    const url = await sayingServer({ unreadMs: 100, unreadBytes: 100_000_000 });
    const session = await RawSession.begin(url);
    const connections = (): number =>
      process.getActiveResourcesInfo().filter((each) => each === 'TCPSocketWrap').length;
    const body = JSON.stringify({ jsonrpc: '2.0', ...saying(1, 20, 'x'.repeat(1_000_000)) });
    const stream = await openStream(url, { headers: session.headers, body });
    stream.pause();
    // Both ends of the stream; the gateway closes its own.
    await waitUntil(() => connections() === 1, { describe: 'the gateway to let go' });
    stream.resume();
    await waitUntil(stream.isEnded, { describe: 'the end' });
    expect(stream.text().length).toBeLessThan(20_000_000);
  });

  it('may carry one message that is larger than the limit', async () => {
    const url = await sayingServer({ unreadBytes: 1000 });
    const session = await RawSession.begin(url);
    const { text } = await session.post(saying(1, 1, 'x'.repeat(3_000_000)));
    expect(text.length).toBeGreaterThan(3_000_000);
    expect(text).toContain('"said"');
  });

  it('of a session replace each other, so that only one is open', async () => {
    const url = await sayingServer();
    const session = await RawSession.begin(url);
    const first = await listenOn(session);
    const second = await listenOn(session);
    await waitUntil(first.isEnded, { describe: 'the first stream to end' });
    await session.post(announcing(1, 1));
    await waitUntil(() => heardOn(second).length === 1, { describe: 'the message' });
    expect(heardOn(first)).toEqual([]);
    second.destroy();
  });

  it('deliver earlier messages in order, and lose none when a stream breaks', async () => {
    const url = await sayingServer();
    const session = await RawSession.begin(url);
    for (const n of [1, 2, 3]) await session.post(announcing(n, n));
    const first = await listenOn(session);
    await waitUntil(() => heardOn(first).length === 3, { describe: 'what waited' });
    expect(heardOn(first)).toEqual([1, 2, 3]);
    first.destroy();
    await session.post(announcing(4, 4));
    await session.post(announcing(5, 5));
    // The client reports the second last event, so the last one is sent again.
    const second = await listenOn(session, 2);
    await waitUntil(() => heardOn(second).length === 3, { describe: 'what was lost' });
    expect(heardOn(second)).toEqual([3, 4, 5]);
    second.destroy();
  });

  it.each(['-1', 'x', '99999999999999999999', '1e3', ''])(
    'continue after the last sent message for a client with the last event id %j',
    async (lastSeen) => {
      const url = await sayingServer();
      const session = await RawSession.begin(url);
      await session.post(announcing(1, 1));
      const headers = { ...session.headers, 'Last-Event-ID': lastSeen };
      const stream = await openStream(url, { method: 'GET', headers });
      await waitUntil(() => heardOn(stream).length === 1, { describe: 'what waited' });
      stream.destroy();
    },
  );

  it('keep a bounded number of messages and bytes while no client has opened them', async () => {
    const url = await sayingServer({ kept: 3, keptBytes: 10_000 });
    const [many, large] = await Promise.all([RawSession.begin(url), RawSession.begin(url)]);
    for (let n = 1; n <= 10; n += 1) await many.post(announcing(n, n));
    const stream = await listenOn(many);
    await waitUntil(() => heardOn(stream).length === 3, { describe: 'what was kept' });
    expect(heardOn(stream)).toEqual([8, 9, 10]);
    stream.destroy();
    const given = {
      method: 'notifications/custom',
      params: { n: 1, text: 'x'.repeat(8000) },
      times: 3,
    };
    await large.post({ id: 1, method: 'tools/call', params: { name: 'say', arguments: given } });
    const other = await listenOn(large);
    await waitUntil(() => heardOn(other).length > 0, { describe: 'what was kept' });
    await large.post(announcing(2, 2));
    await waitUntil(() => heardOn(other).includes(2), { describe: 'the next message' });
    expect(heardOn(other)).toEqual([1, 2]);
    other.destroy();
  });

  it('send a comment regularly, so that a dead one is detected', async () => {
    const clock = new ManualClock();
    const url = await sayingServer({ beatMs: 1000 }, clock);
    const session = await RawSession.begin(url);
    const stream = await listenOn(session);
    await clock.advance(3000);
    await waitUntil(() => stream.text() === ': \n\n'.repeat(3), { describe: 'three beats' });
    const pending = clock.pending;
    stream.destroy();
    await waitUntil(() => clock.pending === pending - 1, { describe: 'the beat to end' });
  });

  it('are opened only if the client accepts their type', async () => {
    const url = await sayingServer();
    const session = await RawSession.begin(url);
    const headers = { ...session.headers, Accept: 'application/json' };
    expect((await send(url, { method: 'GET', headers })).status).toBe(406);
  });
});
