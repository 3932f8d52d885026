import { Scope } from '@plugboard/base';
import { startEverythingHttp, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { CallOutcome, Host } from '../../src/host/index.ts';
import { givenHost } from '../host/given-host.ts';

const IDLE_MS = 60_000;

function echo(host: Host): Promise<CallOutcome> {
  return host.call({ server: 's', tool: 'echo' }, { message: 'hi' });
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

describe('a published HTTP server that is killed', () => {
  it('fails the running call, without waiting for the deadline', async () => {
    verifies('CON-05', 'CAL-05');
    await using scope = new Scope();
    await using server = await startEverythingHttp();
    const { url } = server;
    const host = await givenHost(scope, { s: { type: 'http', url, timeout: IDLE_MS } });
    await host.tools();
    let isKilled = false;
    const onProgress = (): void => {
      if (!isKilled) process.kill(-server.pid, 'SIGKILL');
      isKilled = true;
    };
    const long = { server: 's', tool: 'trigger-long-running-operation' };
    expect(await host.call(long, { duration: 60, steps: 600 }, { onProgress })).toMatchObject({
      kind: 'not-connected',
      reason: { kind: 'unreachable', url },
    });
  });

  it('serves the next call after a restart', async () => {
    verifies('CON-07');
    await using scope = new Scope();
    const first = await startEverythingHttp();
    const { url } = first;
    const host = await givenHost(scope, { s: { type: 'http', url, timeout: IDLE_MS } });
    expect(await echo(host)).toMatchObject({ kind: 'result' });
    await first[Symbol.asyncDispose]();
    await using _ = await startEverythingHttp({ port: portOf(url) });
    expect(await echo(host)).toMatchObject({ kind: 'result', parts: [{ text: 'Echo: hi' }] });
  });

  it('serves the next call after it was unreachable for some', async () => {
    verifies('CON-05');
    await using scope = new Scope();
    const first = await startEverythingHttp();
    const { url } = first;
    const host = await givenHost(scope, { s: { type: 'http', url, timeout: IDLE_MS } });
    expect(await echo(host)).toMatchObject({ kind: 'result' });
    await first[Symbol.asyncDispose]();
    for (let call = 0; call < 4; call += 1) {
      expect(await echo(host)).toMatchObject({ kind: 'not-connected' });
    }
    await using _ = await startEverythingHttp({ port: portOf(url) });
    expect(await echo(host)).toMatchObject({ kind: 'result', parts: [{ text: 'Echo: hi' }] });
  });
});
