// Recorded calls over the console's API and feed.

import { Scope } from '@plugboard/base';
import { ManualClock, scriptedServer, verifies, waitUntil } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallDetail, CallView } from '../../src/console-api.ts';
import { modernRequest, send } from '../attacks/raw-http.ts';
import {
  ADA,
  bearer,
  BOB,
  exchange,
  openConsole,
  openFeed,
  stateOf,
  stepsIn,
  TOKENS,
} from './console-of.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

async function read<T>(address: string, headers: Record<string, string>): Promise<T> {
  const { status, text } = await send(address, { method: 'GET', headers });
  if (status !== 200) throw new Error(`${status} ${text}`);
  return JSON.parse(text) as T;
}

const echo = (message: string, headers: Record<string, string> = {}) =>
  modernRequest({ params: { name: 'one__echo', arguments: { message } }, headers });

describe('the recorded calls of the console', () => {
  verifies('CON-UI');

  it('are listed in pages, each with its messages', async () => {
    const { url, at, secret } = await openConsole(scope, {
      host: { servers: { one: scriptedServer() } },
    });
    for (const message of ['a', 'b', 'c']) await send(url, echo(message));
    const all = await read<CallView[]>(`${at}/api/calls`, bearer(secret));
    expect(all.map(({ id, subject, state }) => [id, subject, state])).toEqual([
      ['3', 'echo', 'ok'],
      ['2', 'echo', 'ok'],
      ['1', 'echo', 'ok'],
    ]);
    const page = await read<CallView[]>(`${at}/api/calls?before=3&limit=1`, bearer(secret));
    expect(page).toEqual([all[1]]);
    const detail = await read<CallDetail>(`${at}/api/calls/2`, bearer(secret));
    expect(detail).toMatchObject(page[0] ?? {});
    expect(detail.trace).toHaveLength(4);
    const gone = await send(`${at}/api/calls/4`, { method: 'GET', headers: bearer(secret) });
    expect(gone.status).toBe(404);
    const { servers, traffic, clients } = await stateOf(at, bearer(secret));
    expect(servers).toMatchObject([{ name: 'one', calls: 3, failed: 0 }]);
    expect(servers[0]?.latencies).toHaveLength(3);
    expect(traffic).toEqual({ requests: 3, failed: 0, running: 0 });
    expect(all[0]?.client).toBe(clients[0]?.id);
  });

  it('begin when the page is opened, if configured', async () => {
    const { url, at, secret, launch } = await openConsole(scope, {
      host: { servers: { one: scriptedServer() } },
      console: { records: 'once-opened' },
    });
    await send(url, echo('a'));
    expect(await read(`${at}/api/calls`, bearer(secret))).toEqual([]);
    expect((await exchange(at, launch())).status).toBe(200);
    await send(url, echo('b'));
    const calls = await read<CallView[]>(`${at}/api/calls`, bearer(secret));
    expect(calls.map(({ id }) => id)).toEqual(['1']);
    const { traffic } = await stateOf(at, bearer(secret));
    expect(traffic).toEqual({ requests: 2, failed: 0, running: 0 });
  });

  it('are only those of the reader, except for administrators', async () => {
    const { url, at } = await openConsole(scope, {
      host: { servers: { one: scriptedServer() } },
      address: { tokens: TOKENS },
      console: { administrators: ['ada'] },
    });
    const feed = await openFeed(at, BOB);
    await send(url, echo('of ada', ADA));
    await send(url, echo('of bob', BOB));
    const ids = async (headers: Record<string, string>): Promise<readonly string[]> =>
      (await read<CallView[]>(`${at}/api/calls`, headers)).map(({ id }) => id);
    expect({ ada: await ids(ADA), bob: await ids(BOB) }).toEqual({ ada: ['2', '1'], bob: ['2'] });
    const foreign = await send(`${at}/api/calls/1`, { method: 'GET', headers: BOB });
    expect(foreign.status).toBe(404);
    const calls = () =>
      stepsIn(feed).flatMap(({ event }) => (event.kind === 'call' ? [event.call] : []));
    await waitUntil(() => calls().some(({ state }) => state === 'ok'), { describe: 'the call' });
    expect(new Set(calls().map(({ id }) => id))).toEqual(new Set(['2']));
    feed.destroy();
  });

  it('are reported in the feed, with the statistics of their server', async () => {
    const { url, at, secret } = await openConsole(scope, {
      host: { servers: { one: scriptedServer() } },
    });
    const feed = await openFeed(at, bearer(secret));
    await send(url, echo('hi'));
    const events = () => stepsIn(feed).map(({ event }) => event);
    await waitUntil(
      () => events().some((event) => event.kind === 'server' && event.server.calls === 1),
      { describe: 'the server' },
    );
    const [call] = events().flatMap((event) => (event.kind === 'call' ? [event.call] : []));
    expect(call).toMatchObject({ method: 'tools/call', server: 'one' });
    feed.destroy();
  });

  it('are too many for the feed if over a hundred change at a time, which it reports', async () => {
    const clock = new ManualClock();
    const { url, at, secret } = await openConsole(scope, { clock });
    const feed = await openFeed(at, bearer(secret));
    const list = modernRequest({ method: 'tools/list', params: {} });
    await Promise.all(Array.from({ length: 101 }, () => send(url, list)));
    await clock.advance(100);
    const kinds = () => stepsIn(feed).map(({ event }) => event.kind);
    await waitUntil(() => kinds().includes('calls-skipped'), { describe: 'the report' });
    expect(kinds()).toEqual([...Array.from({ length: 100 }, () => 'call'), 'calls-skipped']);
    feed.destroy();
  });
});
