import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Scope, shared } from '@plugboard/base';
import {
  descendants,
  serveInProcess,
  startScriptedHttp,
  times,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { serverOf } from '../cells.ts';
import { attackedGateway, untilListed } from './attacked-gateway.ts';
import { answerIn, modernRequest, RawSession, send } from './raw-http.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const CALL = { name: 'one__echo', arguments: { message: 'hi' } };
/** Clients at a time; more would only wait for each other. */
const AT_A_TIME = 10;

/** Connects, lists, calls and disconnects. */
async function visitLegacy(url: string): Promise<void> {
  const session = await RawSession.begin(url);
  await session.post({ method: 'notifications/initialized' });
  await session.post({ id: 1, method: 'tools/list' });
  const answer = await session.post({ id: 2, method: 'tools/call', params: CALL });
  expect(answerIn(answer)).toHaveProperty('result.content');
  const left = await send(url, { method: 'DELETE', headers: session.headers });
  expect(left.status).toBe(204);
}

async function visitModern(url: string): Promise<void> {
  await send(url, modernRequest({ method: 'server/discover', params: {} }));
  await send(url, modernRequest({ method: 'tools/list', params: {} }));
  expect(answerIn(await send(url, modernRequest({ params: CALL })))).toHaveProperty(
    'result.content',
  );
}

async function visits(url: string, count: number): Promise<void> {
  let left = count;
  const visitors = Array.from({ length: AT_A_TIME }, async () => {
    while (left > 0) {
      left -= 1;
      await (left % 2 === 0 ? visitLegacy(url) : visitModern(url));
    }
  });
  await Promise.all(visitors);
}

function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

describe('many clients', () => {
  verifies('GWY-01');

  it(
    'that connect, list, call and disconnect leave no memory, handle or session behind',
    async () => {
      const one = {
        connect: async (transport: Parameters<typeof serveInProcess>[0]) => {
          await serveInProcess(transport);
        },
      };
      const { url } = await attackedGateway(scope, { host: { inProcess: { one } } });
      await untilListed(url, ['one__echo']);
      const clients = times(50, 1000);
      await visits(url, clients);
      await visits(url, clients);
      const handles = process.getActiveResourcesInfo().length;
      const first = heapAfterCollection();
      for (let round = 1; round < times(3, 10); round += 1) await visits(url, clients);
      await waitUntil(() => process.getActiveResourcesInfo().length <= handles, {
        describe: 'handles to be closed',
      });
      // Some objects of a call are freed a moment later.
      await expect.poll(() => heapAfterCollection() / first).toBeLessThan(1.05);
    },
    // The long form takes minutes.
    900_000,
  );

  it('with processes of their own leave no process behind', async () => {
    const mark = 'left-by-clients';
    const { url } = await attackedGateway(scope, {
      host: { servers: { one: serverOf('legacy', { instructions: mark }) } },
    });
    await untilListed(url, ['one__echo']);
    const running = (): number =>
      descendants().filter(({ command }) => command.includes(mark)).length;
    await Promise.all(Array.from({ length: times(5, 50) }, () => visitLegacy(url)));
    // The gateway's own process, which lists.
    await waitUntil(() => running() <= 1, { describe: 'the clients’ processes to end' });
  });
});

describe('two hundred servers', () => {
  verifies('GWY-01');

  it('are listed at once from stored lists, although none of them answers', async () => {
    let isSilent = false;
    const server = scope.use(
      await startScriptedHttp({ builtIns: ['echo', 'add'] }, async () => {
        if (isSilent) await new Promise(() => {});
        return 'passed';
      }),
    );
    const names = Array.from({ length: 200 }, (_, index) => `s${index}`);
    const servers = Object.fromEntries(
      names.map((name) => [name, { type: 'http' as const, url: `${server.url}?server=${name}` }]),
    );
    const home = await attackedGateway(scope, { host: { servers } });
    await untilListed(
      home.url,
      names.map((name) => `${name}__echo`),
    );
    await home.gateway.close();
    isSilent = true;
    // A list that waits for a server would exceed the time of the test.
    const again = await attackedGateway(scope, {
      host: { servers },
      home: home.home,
      listWaitMs: 600_000,
    });
    const { text } = await send(again.url, modernRequest({ method: 'tools/list', params: {} }));
    const { result } = JSON.parse(text) as { result: { tools: readonly unknown[] } };
    expect(result.tools).toHaveLength(400);
  });

  it('and as many clients do not make Node warn of a leak', async () => {
    const warnings: string[] = [];
    const onWarning = ({ name, message }: Error): void => void warnings.push(`${name}: ${message}`);
    process.on('warning', onWarning);
    scope.use({ [Symbol.dispose]: () => process.off('warning', onWarning) });
    const server = scope.use(await startScriptedHttp({ builtIns: ['echo'] }));
    const names = Array.from({ length: 60 }, (_, index) => `s${index}`);
    const servers = Object.fromEntries(
      names.map((name) => [name, { type: 'http' as const, url: `${server.url}?server=${name}` }]),
    );
    const { url } = await attackedGateway(scope, { host: { servers } });
    await untilListed(
      url,
      names.map((name) => `${name}__echo`),
    );
    // Each server has a session of the client, and all are opened at the same time.
    const session = await RawSession.begin(url);
    const calls = names.map((name, id) => {
      const params = { name: `${name}__echo`, arguments: { message: 'hi' } };
      return session.post({ id, method: 'tools/call', params });
    });
    for (const answer of await Promise.all(calls)) {
      expect(answerIn(answer)).toHaveProperty('result.content');
    }
    const gone = new AbortController();
    shared(gone.signal);
    scope.use({ [Symbol.dispose]: () => gone.abort() });
    const params = { notifications: { toolsListChanged: true } };
    const listening = names.map((_, id) =>
      fetch(url, {
        ...(modernRequest({ id, method: 'subscriptions/listen', params }) as RequestInit),
        method: 'POST',
        signal: gone.signal,
      }),
    );
    for (const { status } of await Promise.all(listening)) expect(status).toBe(200);
    expect(warnings).toEqual([]);
  });
});

describe('requests of one token', () => {
  verifies('GWY-01');

  it('are limited to 2500 at a time, also over one connection, and take no room from another token', async () => {
    const tokens = new Map([
      ['token-of-ada-lovelace', 'ada'],
      ['token-of-bob-kahn', 'bob'],
    ]);
    const { url } = await attackedGateway(scope, { address: { tokens } });
    const headers = { Authorization: 'Bearer token-of-ada-lovelace' };
    const socket = new WebSocket(url.replace('http', 'ws'), 'mcp', { headers });
    await once(socket, 'open');
    const answers: string[] = [];
    socket.on('message', (data: Buffer) => answers.push(data.toString('utf8')));
    const { body = '' } = modernRequest({ method: 'subscriptions/listen', params: {} });
    const asked = JSON.parse(String(body)) as object;
    for (let id = 0; id < 2600; id += 1) socket.send(JSON.stringify({ ...asked, id }));
    const refused = (): readonly string[] => answers.filter((each) => each.includes('Too many'));
    await waitUntil(() => refused().length === 100, { describe: 'a hundred to be refused' });
    const list = modernRequest({
      method: 'tools/list',
      params: {},
      headers: { Authorization: 'Bearer token-of-bob-kahn' },
    });
    expect(answerIn(await send(url, list))).toHaveProperty('result.tools');
    socket.terminate();
    const again = { ...list, headers: { ...list.headers, ...headers } };
    await waitUntil(async () => 'result' in answerIn(await send(url, again)), {
      describe: 'room once they have left',
    });
  });
});
