import { Scope } from '@plugboard/base';
import { descendants, ManualClock, verifies, waitUntil } from '@plugboard/testkit';
import { get } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serverOf } from '../cells.ts';
import { attackedGateway } from './attacked-gateway.ts';
import { initialize, RawSession, send } from './raw-http.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const ADA = { Authorization: 'Bearer token-of-ada' };
const BOB = { Authorization: 'Bearer token-of-bob' };
const tokens = new Map([
  ['token-of-ada', 'ada'],
  ['token-of-bob', 'bob'],
]);

const PING = { id: 7, method: 'ping' };

/** The status of each HTTP method with a session id. */
async function statuses(session: RawSession): Promise<readonly number[]> {
  const { url, headers } = session;
  const posted = await session.post(PING);
  const stream = await send(url, { method: 'GET', headers });
  const ended = await send(url, { method: 'DELETE', headers });
  return [posted.status, stream.status, ended.status];
}

describe('session ids', () => {
  verifies('GWY-01');

  it('are long, random and unique', async () => {
    const { url } = await attackedGateway(scope);
    const ids = new Set<string>();
    for (let count = 0; count < 50; count += 1) ids.add((await RawSession.begin(url)).id);
    expect(ids.size).toBe(50);
    for (const id of ids) expect(id).toMatch(/^[\w-]{32}$/);
    // Every position of the id varies, so it is neither a counter nor a time.
    for (let place = 0; place < 32; place += 1) {
      expect(new Set([...ids].map((id) => id[place])).size).toBeGreaterThan(10);
    }
  });

  it.each(['guessed', '0', '__proto__', 'constructor', 'a'.repeat(10_000)])(
    'are refused if they are guessed: %s',
    async (guessed) => {
      const { url } = await attackedGateway(scope);
      await RawSession.begin(url);
      expect(await statuses(new RawSession(url, guessed))).toEqual([404, 404, 404]);
    },
  );

  it('are refused for another principal, and stay valid for their own', async () => {
    const { url } = await attackedGateway(scope, { address: { tokens } });
    const ada = await RawSession.begin(url, { headers: ADA });
    expect(await statuses(new RawSession(url, ada.id, BOB))).toEqual([404, 404, 404]);
    expect((await ada.post(PING)).status).toBe(200);
  });

  it('are refused at another endpoint', async () => {
    const { url } = await attackedGateway(scope, {
      host: { servers: { one: serverOf('legacy') } },
    });
    const session = await RawSession.begin(url);
    expect(await statuses(new RawSession(`${url}/one`, session.id))).toEqual([404, 404, 404]);
    expect((await session.post(PING)).status).toBe(200);
  });

  it('are refused after the client has ended the session', async () => {
    const { url } = await attackedGateway(scope);
    const session = await RawSession.begin(url);
    const ended = await send(url, { method: 'DELETE', headers: session.headers });
    expect(ended.status).toBe(204);
    expect(await statuses(session)).toEqual([404, 404, 404]);
  });

  it('are required, exactly one per request', async () => {
    const { url } = await attackedGateway(scope);
    const session = await RawSession.begin(url);
    const { 'Mcp-Session-Id': id = '', ...others } = session.headers;
    const body = JSON.stringify({ jsonrpc: '2.0', ...PING });
    expect((await send(url, { headers: others, body })).status).toBe(400);
    const twice = { ...others, 'Mcp-Session-Id': [id, id] };
    expect((await send(url, { headers: twice, body })).status).toBe(404);
  });

  it('are refused together with an unknown protocol version', async () => {
    const { url } = await attackedGateway(scope);
    const session = await RawSession.begin(url);
    const body = JSON.stringify({ jsonrpc: '2.0', ...PING });
    const asked = async (version: string): Promise<number> =>
      (await send(url, { headers: { ...session.headers, 'MCP-Protocol-Version': version }, body }))
        .status;
    expect([await asked('2025-11-25'), await asked('1999-01-01')]).toEqual([200, 400]);
  });
});

describe('floods of sessions', () => {
  verifies('GWY-01');

  it('only end unused sessions of the same principal', async () => {
    const clock = new ManualClock();
    const { url } = await attackedGateway(scope, {
      clock,
      address: { tokens, limits: { sessionsOfPrincipal: 3, sessions: 4 } },
    });
    const ada = await RawSession.begin(url, { headers: ADA });
    const first = await RawSession.begin(url, { headers: BOB });
    const used = await RawSession.begin(url, { headers: BOB });
    await clock.advance(1);
    await used.post(PING);
    for (let count = 0; count < 2; count += 1) await RawSession.begin(url, { headers: BOB });
    const left = [ada, first, used].map(async (each) => (await each.post(PING)).status);
    expect(await Promise.all(left)).toEqual([200, 404, 200]);
  });

  it('are refused while all sessions of the principal are in use, also before their first reply', async () => {
    const { url } = await attackedGateway(scope, {
      address: { limits: { sessionsOfPrincipal: 2 } },
      host: { servers: { slow: serverOf('legacy', { silent: true }) } },
    });
    // At the endpoint of one server, `initialize` waits for that server.
    const waiting = [1, 2].map(() => initialize(`${url}/slow`).catch(() => undefined));
    const refused = await waitUntil(
      async () => {
        const { status, headers } = await initialize(url);
        const id = headers['mcp-session-id'];
        if (typeof id === 'string') {
          await send(url, { method: 'DELETE', headers: new RawSession(url, id).headers });
        }
        return status !== 200 && status;
      },
      { describe: 'the two sessions to be begun' },
    );
    expect(refused).toBe(503);
    const isServer = ({ command }: { readonly command: string }): boolean =>
      command.includes('"silent":true');
    await waitUntil(() => descendants().filter(isServer).length >= 2, {
      describe: 'the servers that both wait for to be started',
    });
    await scope.close();
    await Promise.all(waiting);
  });

  it('expire soon without a second request, later without use, and never with an open stream', async () => {
    const clock = new ManualClock();
    const limits = { followUpMs: 1000, idleMs: 10_000 };
    const { url } = await attackedGateway(scope, { clock, address: { limits } });
    const [never, idle, listening] = (await Promise.all(
      [1, 2, 3].map(() => RawSession.begin(url)),
    )) as [RawSession, RawSession, RawSession];
    await idle.post(PING);
    const stream = await new Promise<{ destroy(): void }>((resolve) => {
      const { headers } = listening;
      get(url, { headers, agent: false }, (response) => resolve(response.resume()));
    });
    await clock.advance(2000);
    expect((await never.post(PING)).status).toBe(404);
    expect((await idle.post(PING)).status).toBe(200);
    await clock.advance(15_000);
    expect((await idle.post(PING)).status).toBe(404);
    expect((await listening.post(PING)).status).toBe(200);
    stream.destroy();
  });
});
