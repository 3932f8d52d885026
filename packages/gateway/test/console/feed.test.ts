// The state of the console, and the feed of changes.

import { Scope } from '@plugboard/base';
import { ManualClock, scriptedServer, verifies, waitUntil } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  modernRequest,
  openStream,
  RawSession,
  type RawStream,
  send,
} from '../attacks/raw-http.ts';
import { ADA, bearer, BOB, openConsole, openFeed, stateOf, stepsIn, TOKENS } from './console-of.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const untilStep = (feed: RawStream, kind: string): Promise<unknown> =>
  waitUntil(() => stepsIn(feed).some(({ event }) => event.kind === kind), { describe: kind });

describe('the state of the console', () => {
  verifies('CON-UI');

  it('has the servers, the clients and the statistics', async () => {
    const { url, at, secret } = await openConsole(scope, {
      host: { servers: { one: scriptedServer(), off: { ...scriptedServer(), disabled: true } } },
    });
    await using session = await begun(url);
    const called = await session.post({
      id: 1,
      method: 'tools/call',
      params: { name: 'one__echo', arguments: { message: 'hi' } },
    });
    expect(called.text).toContain('hi');
    await send(url, modernRequest({ method: 'tools/list', params: {} }));
    await send(url, modernRequest({ params: { name: 'none', arguments: {} } }));
    const state = await stateOf(at, bearer(secret));
    expect(state.gateway).toMatchObject({ url, profiles: [], isAdministrator: true });
    const [off, one] = state.servers;
    expect(off).toMatchObject({ name: 'off', state: 'disabled', command: 'plugboard enable off' });
    expect(one).toMatchObject({
      name: 'one',
      state: 'ready',
      transport: 'stdio',
    });
    expect(one?.command).toBeUndefined();
    expect(one?.tools).toBeGreaterThan(0);
    expect(one?.tokens).toBeGreaterThan(one?.tools ?? 0);
    const shown = { name: 'raw', version: '1', front: 'http', path: '/mcp', principal: 'anyone' };
    expect(state.clients).toMatchObject([
      { ...shown, era: 'legacy', requests: 1 },
      { ...shown, era: 'modern', requests: 2 },
    ]);
    expect(state.traffic).toEqual({ requests: 3, failed: 1, running: 0 });
  });

  it('reports why a server is not ready, and which command helps', async () => {
    const { at, secret, gateway } = await openConsole(scope, {
      host: { servers: { bad: { command: 'no-such-program-here' } } },
    });
    await gateway.host.tools();
    const { servers } = await stateOf(at, bearer(secret));
    expect(servers).toMatchObject([
      {
        name: 'bad',
        state: 'failed',
        problem:
          'could not be started: the command "no-such-program-here" is not installed, or not on the PATH.',
        command: 'plugboard doctor bad',
      },
    ]);
  });

  it('shows a principal its own clients, and an administrator all', async () => {
    const { url, at } = await openConsole(scope, {
      address: { tokens: TOKENS },
      console: { administrators: ['ada'] },
    });
    await using _ = await begun(url, ADA);
    await using __ = await begun(url, BOB);
    const principals = async (headers: Record<string, string>): Promise<readonly string[]> =>
      (await stateOf(at, headers)).clients.map(({ principal }) => principal);
    expect(await principals(ADA)).toEqual(['ada', 'bob']);
    expect(await principals(BOB)).toEqual(['bob']);
  });
});

describe('the feed of the console', () => {
  verifies('CON-UI');

  it('reports servers as they change', async () => {
    const { url, at, secret } = await openConsole(scope, {
      host: { servers: { one: scriptedServer() } },
    });
    const feed = await openFeed(at, bearer(secret));
    await send(url, modernRequest({ method: 'tools/list', params: {} }));
    await waitUntil(() => feed.text().includes('"state":"ready"'), { describe: 'the server' });
    feed.destroy();
  });

  it('continues after the last step that a reader has seen, given by header or address', async () => {
    const { url, at, secret } = await openConsole(scope);
    const { cursor } = await stateOf(at, bearer(secret));
    await using _ = await begun(url);
    const fromState = await openFeed(at, bearer(secret), `?after=${cursor}`);
    await untilStep(fromState, 'call');
    const [first] = stepsIn(fromState);
    await using __ = await begun(url);
    const resumed = await openFeed(at, { ...bearer(secret), 'Last-Event-ID': `${first?.id}` });
    await untilStep(resumed, 'call');
    const [next] = stepsIn(resumed);
    expect(next?.id).toBe((first?.id ?? 0) + 1);
    fromState.destroy();
    resumed.destroy();
  });

  it('resets a reader that was away too long, or that read another gateway', async () => {
    const { at, secret } = await openConsole(scope);
    const { cursor } = await stateOf(at, bearer(secret));
    for (const after of [1, cursor + 10]) {
      const feed = await openFeed(at, bearer(secret), `?after=${after}`);
      await untilStep(feed, 'reset');
      expect(stepsIn(feed)).toEqual([{ id: cursor, event: { kind: 'reset' } }]);
      feed.destroy();
    }
  });

  it('sends comments while nothing happens, and ends with the gateway', async () => {
    const clock = new ManualClock();
    const { at, secret, gateway } = await openConsole(scope, { clock });
    const feed = await openFeed(at, bearer(secret));
    await clock.advance(20_000);
    await waitUntil(() => feed.text().includes(': \n\n'), { describe: 'a beat' });
    await gateway.close();
    await waitUntil(() => feed.isEnded(), { describe: 'the end' });
  });

  it('drops a modern client that was silent for ten minutes, unless it has a subscription', async () => {
    const clock = new ManualClock();
    const { url, at, secret } = await openConsole(scope, { clock });
    await send(url, modernRequest({ method: 'tools/list', params: {} }));
    const filter = { params: { notifications: { toolsListChanged: true } } };
    const listening = modernRequest({ method: 'subscriptions/listen', ...filter });
    const stream = await openStream(url, {
      ...listening,
      body: String(listening.body).replace('"name":"raw"', '"name":"listener"'),
    });
    await waitUntil(() => stream.text().includes('acknowledged'), { describe: 'the stream' });
    await clock.advance(15 * 60_000);
    const { clients } = await stateOf(at, bearer(secret));
    expect(clients.map(({ name }) => name)).toEqual(['listener']);
    stream.destroy();
  });
});

async function begun(
  url: string,
  headers: Record<string, string> = {},
): Promise<RawSession & AsyncDisposable> {
  const session = await RawSession.begin(url, { headers });
  const end = async (): Promise<void> => {
    await send(url, { method: 'DELETE', headers: session.headers });
  };
  return Object.assign(session, { [Symbol.asyncDispose]: end });
}
