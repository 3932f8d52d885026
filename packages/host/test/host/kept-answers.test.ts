import { type Clock, Emitter, never, ok, Scope, silentLogger } from '@plugboard/base';
import { ManualClock, startScriptedHttp, verifies, waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { DEFAULT_DEADLINES } from '../../src/connection/index.ts';
import { toParts } from '../../src/output/index.ts';
import { Primitives } from '../../src/host/primitives.ts';
import { open, type AuthorizationPort, type Session } from '../../src/protocol/index.ts';
import { ports } from '../protocol/cells.ts';
import { startBareHttp } from '../protocol/bare-http-server.ts';
import { givenHost } from './given-host.ts';

const library = { resources: [{ uri: 'memo://a', name: 'a' }], prompts: [{ name: 'p' }] };

/** Primitives over one session with a real server. */
async function over(
  scope: Scope,
  script: Parameters<typeof startScriptedHttp>[0],
  clock = new ManualClock(),
) {
  const server = scope.use(await startScriptedHttp({ library, eras: ['modern'], ...script }));
  const launch = { kind: 'http', url: server.url, headers: {}, era: 'modern' } as const;
  const session = await opened(scope, launch);
  return { clock, server, session, ...primitivesOver(session, clock) };
}

async function opened(scope: Scope, launch: Parameters<typeof open>[0]): Promise<Session> {
  const got = await open(launch, { signal: never, timeoutMs: 60_000 }, ports);
  if (!got.ok) throw new Error(JSON.stringify(got.error));
  scope.defer(() => got.value.close());
  return got.value;
}

function primitivesOver(session: Session, clock: Clock) {
  const primitives = new Primitives({
    clock,
    logger: silentLogger,
    servers: {
      names: ['a'],
      usable: ['a'],
      get: () => undefined,
      connect: () => Promise.resolve(ok(session)),
      deadlinesOf: () => DEFAULT_DEADLINES,
    },
    events: new Emitter(() => {}),
    permission: { permitRead: () => Promise.resolve(undefined) },
    output: { fitContent: (content) => Promise.resolve(toParts({ content, isError: false })) },
  });
  const read = async (): Promise<unknown> => {
    const outcome = await primitives.resources.read({ server: 'a', uri: 'memo://a' });
    if (outcome.kind !== 'result') return outcome;
    const [part] = outcome.parts;
    return part?.kind === 'resource' && part.body.kind === 'text' ? part.body.text : part;
  };
  return { primitives, read };
}

describe('a cacheable answer of a server', () => {
  verifies('CAT-08');

  it('is not requested again before it expires', async () => {
    await using scope = new Scope();
    const { clock, server, primitives, read } = await over(scope, { ttlMs: 60_000 });
    expect([await read(), await read()]).toEqual(['read 1', 'read 1']);
    await primitives.resources.list();
    await primitives.resources.list();
    await primitives.prompts.list();
    await primitives.prompts.list();
    const count = (method: string) =>
      server.requests.filter(({ rpcMethod }) => rpcMethod === method).length;
    expect([count('resources/list'), count('prompts/list')]).toEqual([1, 1]);
    await clock.advance(60_000);
    expect(await read()).toBe('read 2');
    await primitives.resources.list();
    await primitives.resources.list({ fresh: true });
    expect(count('resources/list')).toBe(3);
  });

  it('is requested every time if caching is not allowed, and by legacy servers', async () => {
    await using scope = new Scope();
    const { read } = await over(scope, { ttlMs: 0 });
    expect([await read(), await read()]).toEqual(['read 1', 'read 2']);
    const server = scope.use(await startScriptedHttp({ library, eras: ['legacy'] }));
    const launch = { kind: 'http', url: server.url, headers: {}, era: 'legacy' } as const;
    const old = primitivesOver(await opened(scope, launch), new ManualClock());
    expect([await old.read(), await old.read()]).toEqual(['read 1', 'read 2']);
  });

  it('is dropped as soon as the server reports a change', async () => {
    await using scope = new Scope();
    const script = { ttlMs: 60_000, library: { ...library, listChanged: true } };
    const { server, session, primitives, read } = await over(scope, script, new ManualClock());
    const call = (name: string, given: Record<string, string>) =>
      session.callTool({ name, arguments: given }, { signal: never, idleMs: 5000, hardMs: 5000 });
    let updates = 0;
    const reference = { server: 'a', uri: 'memo://a' };
    const watched = await primitives.resources.subscribe(reference, () => void (updates += 1));
    expect(watched.kind).toBe('subscribed');
    expect(await read()).toBe('read 1');
    await call('touch', { uri: 'memo://a' });
    await waitUntil(() => updates > 0, { describe: 'word of the change' });
    expect(await read()).toBe('read 2');
    await primitives.resources.list();
    const lists = () =>
      server.requests.filter(({ rpcMethod }) => rpcMethod === 'resources/list').length;
    await waitUntil(
      async () => {
        await call('announce', { list: 'resources' });
        await primitives.resources.list();
        return lists() > 1;
      },
      { describe: 'the list to be asked for again' },
    );
    if (watched.kind === 'subscribed') watched[Symbol.dispose]();
  });

  it('is dropped with the session', async () => {
    await using scope = new Scope();
    const { session, read } = await over(scope, { ttlMs: 60_000 });
    expect(await read()).toBe('read 1');
    await session.close();
    expect(await read()).not.toBe('read 1');
  });

  it('is returned for no other account, unless it is public', async () => {
    await using scope = new Scope();
    let cacheScope = 'private';
    const server = await startBareHttp(
      'modern',
      ({ method, headers }) => {
        const cache = { resultType: 'complete', ttlMs: 60_000, cacheScope };
        if (method === 'server/discover') {
          const capabilities = { resources: {} };
          const result = { ...cache, supportedVersions: ['2026-07-28'], capabilities };
          return { kind: 'result', result };
        }
        if (method !== 'resources/read') return undefined;
        const text = `for ${headers.authorization ?? 'nobody'}`;
        return { kind: 'result', result: { ...cache, contents: [{ uri: 'memo://a', text }] } };
      },
      scope,
    );
    let who = 'ann';
    const authorization: AuthorizationPort = {
      headersFor: () => Promise.resolve({ Authorization: `Bearer ${who}` }),
      judge: () => Promise.resolve({ kind: 'pass' }),
    };
    const session = await opened(scope, { ...server.launch, authorization });
    const { read } = primitivesOver(session, new ManualClock());
    expect([await read(), await read()]).toEqual(['for Bearer ann', 'for Bearer ann']);
    who = 'bob';
    expect(await read()).toBe('for Bearer bob');
    who = 'ann';
    expect(await read()).toBe('for Bearer ann');
    const reads = server.requests.filter(({ method }) => method === 'resources/read');
    expect(reads).toHaveLength(3);
    cacheScope = 'public';
    who = 'cid';
    expect(await read()).toBe('for Bearer cid');
    who = 'dee';
    expect(await read()).toBe('for Bearer cid');
  });

  it('is not cached if the server asked a question first', async () => {
    await using scope = new Scope();
    let rounds = 0;
    const cache = { resultType: 'complete', ttlMs: 60_000, cacheScope: 'public' };
    const server = await startBareHttp(
      'modern',
      ({ method, params }) => {
        if (method === 'server/discover') {
          const capabilities = { resources: {} };
          const result = { ...cache, supportedVersions: ['2026-07-28'], capabilities };
          return { kind: 'result', result };
        }
        if (method !== 'resources/read') return undefined;
        if (params['requestState'] === undefined) {
          return { kind: 'result', result: { resultType: 'input_required', requestState: 's' } };
        }
        rounds += 1;
        const text = `round ${rounds}`;
        return { kind: 'result', result: { ...cache, contents: [{ uri: 'memo://a', text }] } };
      },
      scope,
    );
    const session = await opened(scope, server.launch);
    const { read } = primitivesOver(session, new ManualClock());
    expect([await read(), await read()]).toEqual(['round 1', 'round 2']);
  });

  it('about tools is requested again once it expires, and reported only if it changed', async () => {
    await using scope = new Scope();
    const clock = new ManualClock();
    const servers = await Promise.all(
      [{ ttlMs: 60_000 }, { ttlMs: 0 }, { eras: ['legacy'] as const }].map((script) =>
        startScriptedHttp({ eras: ['modern'], builtIns: ['echo'], ...script }),
      ),
    );
    for (const server of servers) scope.use(server);
    const names = ['kept', 'never', 'old'];
    const entries = names.map((name, index) => [name, { type: 'http', url: servers[index]?.url }]);
    const host = await givenHost(scope, Object.fromEntries(entries), { clock });
    const told: string[] = [];
    using _listening = host.on((event) => void (event.kind === 'tools' && told.push(event.server)));
    const lists = () =>
      servers.map(
        ({ requests }) => requests.filter(({ rpcMethod }) => rpcMethod === 'tools/list').length,
      );
    await host.tools();
    await host.tools();
    expect(lists()).toEqual([1, 2, 1]);
    await clock.advance(60_000);
    await host.tools();
    expect(lists()).toEqual([2, 3, 1]);
    expect(told.toSorted()).toEqual(names);
  });
});
