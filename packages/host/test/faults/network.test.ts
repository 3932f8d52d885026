import { Scope } from '@plugboard/base';
import {
  atSomePace,
  type HttpScript,
  type ScriptedHttpServer,
  startScriptedHttp,
  startTcpProxy,
  type TcpProxy,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { CallOutcome, Host } from '../../src/host/index.ts';
import { givenHost } from '../host/given-host.ts';

/** Far beyond what anything here takes, yet an end. */
const PATIENT_MS = 100_000;

interface GivenNetwork {
  readonly host: Host;
  readonly server: ScriptedHttpServer;
  readonly proxy: TcpProxy;
}

/** A host that has listed the tools of a server, all of which went through the proxy. */
async function givenProxied(
  scope: Scope,
  script: HttpScript,
  options: { readonly timeout?: number } = {},
): Promise<GivenNetwork> {
  const server = scope.use(await startScriptedHttp(script));
  const proxy = scope.use(await startTcpProxy({ target: server.url }));
  const entry = { type: 'http', url: proxy.url(), timeout: PATIENT_MS, ...options };
  const host = await givenHost(scope, { s: entry });
  // A session that is ended takes no call that is under way with it; one that is forgotten does.
  scope.defer(() => server.forgetSessions());
  expect((await host.tools()).problems).toEqual([]);
  return { host, server, proxy };
}

function echo(host: Host, message: string): Promise<CallOutcome> {
  return host.call({ server: 's', tool: 'echo' }, { message });
}

function echoed(text: string): object {
  return { kind: 'result', server: 's', tool: 'echo', parts: [{ kind: 'text', text }] };
}

function countOf(server: ScriptedHttpServer, method: string): number {
  return server.requests.filter(({ rpcMethod }) => rpcMethod === method).length;
}

const ERAS = [
  ['legacy', { eras: ['legacy'] }],
  ['modern', { eras: ['modern'] }],
] as const;

/** Whether the answer has begun when the fault strikes. */
const PHASES = ['before the answer', 'in the middle of the answer'] as const;

/** Makes a call that the server takes long over, and resolves when that is in the phase. */
async function slowCall(
  { host, server }: GivenNetwork,
  phase: (typeof PHASES)[number],
): Promise<{ readonly outcome: Promise<CallOutcome> }> {
  if (phase === 'before the answer') {
    const outcome = host.call({ server: 's', tool: 'never' }, {});
    await waitUntil(() => countOf(server, 'tools/call') === 1, { describe: 'the call to arrive' });
    return { outcome };
  }
  let isAnswering = false;
  const onProgress = (): void => {
    isAnswering = true;
  };
  const slow = { ms: 60_000, steps: 2 };
  const outcome = host.call({ server: 's', tool: 'sleep' }, slow, { onProgress });
  await waitUntil(() => isAnswering, { describe: 'the first progress' });
  return { outcome };
}

describe.each(ERAS)('the network over HTTP in the %s era', (_, script) => {
  describe.each(PHASES)('a connection that ends %s', (phase) => {
    it.each(['cut', 'reset'] as const)(
      'fails the call at once (%s), and the next works',
      async (fault) => {
        verifies('CON-05', 'CAL-05');
        await using scope = new Scope();
        const given = await givenProxied(scope, script);
        const { outcome } = await slowCall(given, phase);
        const began = performance.now();
        given.proxy[fault]();
        expect(await outcome).toMatchObject({
          kind: 'not-connected',
          reason: { kind: 'unreachable', url: given.proxy.url() },
        });
        expect(performance.now() - began).toBeLessThan(PATIENT_MS / 2);
        given.proxy.resume();
        expect(await echo(given.host, 'back')).toEqual(echoed('back'));
      },
    );
  });

  it('fails calls while the server cannot be reached', async () => {
    verifies('CAL-05');
    await using scope = new Scope();
    const { host, proxy } = await givenProxied(scope, script);
    proxy.cut();
    for (let call = 0; call < 5; call += 1) {
      expect(await echo(host, 'lost')).toMatchObject({
        kind: 'not-connected',
        reason: { kind: 'unreachable', url: proxy.url() },
      });
    }
    proxy.resume();
    expect(await echo(host, 'back')).toEqual(echoed('back'));
  });

  it.each([
    [500, { kind: 'http', status: 500 }],
    [502, { kind: 'http', status: 502 }],
    ['html', { kind: 'not-mcp', contentType: 'text/html; charset=utf-8' }],
    ['empty', { kind: 'not-mcp', contentType: '' }],
  ] as const)(
    'reports that a call is answered with %s, and the next works',
    async (answer, failure) => {
      verifies('CAL-05');
      await using scope = new Scope();
      const { host, proxy, server } = await givenProxied(scope, script);
      proxy.answer(answer);
      expect(await echo(host, 'lost')).toMatchObject({
        kind: 'protocol-error',
        failure: { ...failure, url: proxy.url() },
      });
      expect(countOf(server, 'tools/call')).toBe(0);
      expect(await echo(host, 'back')).toEqual(echoed('back'));
    },
  );

  it('fails a call by its idle deadline when nothing gets through, and the next works', async () => {
    verifies('CON-04');
    await atSomePace(async (idleMs) => {
      await using scope = new Scope();
      const { host, proxy } = await givenProxied(scope, script, { timeout: idleMs });
      proxy.hold();
      const began = performance.now();
      expect(await echo(host, 'lost')).toEqual({
        kind: 'timeout',
        server: 's',
        tool: 'echo',
        ms: idleMs,
      });
      expect(performance.now() - began).toBeGreaterThanOrEqual(idleMs - 1);
      proxy.resume();
      expect(await echo(host, 'back')).toEqual(echoed('back'));
    });
  });

  it('waits for a slow network as long as there is progress', async () => {
    verifies('CON-04');
    await atSomePace(async (unitMs) => {
      await using scope = new Scope();
      const { host, proxy } = await givenProxied(scope, script, { timeout: 4 * unitMs });
      proxy.delay(unitMs / 2);
      const slow = { ms: 8 * unitMs, steps: 8 };
      expect(await host.call({ server: 's', tool: 'sleep' }, slow)).toMatchObject({
        kind: 'result',
        parts: [{ text: `slept ${slow.ms} ms` }],
      });
    });
  });

  it('lets the host close within its bounds when nothing gets through', async () => {
    verifies('CON-10');
    await using scope = new Scope();
    const { host, proxy } = await givenProxied(scope, script);
    proxy.hold();
    const call = echo(host, 'lost');
    const began = performance.now();
    await host.close();
    expect(performance.now() - began).toBeLessThan(PATIENT_MS / 2);
    expect((await call).kind).toBe('not-connected');
  });
});

describe('a call answered with 404', () => {
  it('opens a new session for a forgotten one, and is repeated once', async () => {
    verifies('CON-07');
    await using scope = new Scope();
    const { host, server } = await givenProxied(scope, { eras: ['legacy'] });
    server.forgetSessions();
    expect(await echo(host, 'again')).toEqual(echoed('again'));
    expect([countOf(server, 'initialize'), countOf(server, 'tools/call')]).toEqual([2, 2]);
  });

  it('shares one new session with all other calls that lost theirs', async () => {
    verifies('CON-07');
    await using scope = new Scope();
    const { host, server } = await givenProxied(scope, { eras: ['legacy'] });
    server.forgetSessions();
    const messages = ['a', 'b', 'c', 'd', 'e'];
    const outcomes = await Promise.all(messages.map((message) => echo(host, message)));
    expect(outcomes).toEqual(messages.map(echoed));
    expect(countOf(server, 'initialize')).toBe(2);
  });

  it('is not repeated forever', async () => {
    verifies('CON-07');
    await using scope = new Scope();
    const http = { status: 404, methods: ['tools/call'] } as const;
    const { host, server, proxy } = await givenProxied(scope, { eras: ['legacy'], http });
    expect(await echo(host, 'lost')).toEqual({
      kind: 'not-connected',
      server: 's',
      tool: 'echo',
      reason: { kind: 'session-expired', url: proxy.url(), status: 404 },
    });
    expect(countOf(server, 'tools/call')).toBe(2);
  });

  it('is a separate failure in the modern era, which has no sessions', async () => {
    verifies('CAL-05');
    await using scope = new Scope();
    const { host, proxy } = await givenProxied(scope, { eras: ['modern'] });
    proxy.answer(404);
    expect(await echo(host, 'lost')).toMatchObject({
      kind: 'protocol-error',
      failure: { kind: 'http', status: 404, url: proxy.url() },
    });
    expect(await echo(host, 'back')).toEqual(echoed('back'));
  });
});

describe('a session over HTTP', () => {
  it('is replaced after three consecutive requests that do not get through', async () => {
    verifies('CON-05');
    await using scope = new Scope();
    const { host, proxy, server } = await givenProxied(scope, { eras: ['legacy'] });
    proxy.cut();
    for (let call = 0; call < 3; call += 1) await echo(host, 'lost');
    proxy.resume();
    expect(await echo(host, 'back')).toEqual(echoed('back'));
    expect(countOf(server, 'initialize')).toBe(2);
  });
});
