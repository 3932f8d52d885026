// The order in which calls run, as recorded by a server when each call begins and ends.

import { Scope } from '@plugboard/base';
import { scriptedServer, tempFolder, verifies, waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { CallOrder, waitFor } from '../../src/host/call-order.ts';
import type { Approver, Host } from '../../src/host/index.ts';
import { givenHost } from './given-host.ts';

const sleep = (host: Host, ms: number, server = 's') =>
  host.call({ server, tool: 'sleep' }, { ms });

/** The methods of a server's frames, in order. */
function calls(host: Host, server = 's'): readonly string[] {
  return host
    .trace(server)
    .filter(({ method }) => method === 'tools/call')
    .map(({ kind }) => kind);
}

describe('calls to one server', () => {
  verifies('CAL-03');

  it('that may change something run one after another', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, { s: scriptedServer({ builtIns: ['sleep'] }) });
    await Promise.all([sleep(host, 30), sleep(host, 1), sleep(host, 1)]);
    expect(calls(host)).toEqual(['request', 'result', 'request', 'result', 'request', 'result']);
  });

  it('run at once if the entry says so', async () => {
    await using scope = new Scope();
    const s = { ...scriptedServer({ builtIns: ['sleep'] }), parallel: true };
    const host = await givenHost(scope, { s });
    const giveUp = new AbortController();
    const stuck = host.call({ server: 's', tool: 'sleep' }, { ms: 600_000 }, giveUp);
    await waitUntil(() => calls(host).length === 1, { describe: 'the first call' });
    await sleep(host, 1);
    expect(calls(host)).toEqual(['request', 'request', 'result']);
    giveUp.abort();
    expect(await stuck).toMatchObject({ kind: 'cancelled' });
  });

  it('that only read do not wait', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, { s: scriptedServer({ builtIns: ['never', 'echo'] }) });
    const giveUp = new AbortController();
    const stuck = host.call({ server: 's', tool: 'never' }, {}, giveUp);
    await waitUntil(() => calls(host).length === 1, { describe: 'the first call' });
    const read = await host.call({ server: 's', tool: 'echo' }, { message: 'x' });
    expect(read).toMatchObject({ kind: 'result' });
    giveUp.abort();
    expect(await stuck).toMatchObject({ kind: 'cancelled' });
  });

  it('do not wait for calls to another server', async () => {
    await using scope = new Scope();
    const entry = scriptedServer({ builtIns: ['never', 'sleep'] });
    const host = await givenHost(scope, { s: entry, t: entry });
    const giveUp = new AbortController();
    const stuck = host.call({ server: 's', tool: 'never' }, {}, giveUp);
    expect(await sleep(host, 1, 't')).toMatchObject({ kind: 'result' });
    giveUp.abort();
    await stuck;
  });

  it('keep their order, although the first waits for an approval', async () => {
    await using scope = new Scope();
    await using folder = await tempFolder();
    let allow: () => void = () => {};
    const allowed = new Promise<void>((resolve) => {
      allow = resolve;
    });
    const approve: Approver = async ({ arguments: { ms } }) => {
      if (ms === 2) await allowed;
      return { kind: 'allow' };
    };
    const host = await givenHost(
      scope,
      { s: scriptedServer({ builtIns: ['sleep'] }) },
      { approve, cwd: folder.path },
    );
    await host.tools();
    const order: string[] = [];
    const first = sleep(host, 2).then(() => order.push('first'));
    const second = sleep(host, 1).then(() => order.push('second'));
    allow();
    await Promise.all([first, second]);
    expect(order).toEqual(['first', 'second']);
  });

  it('continue after one that was denied or aborted', async () => {
    await using scope = new Scope();
    const approve: Approver = ({ arguments: { ms } }) =>
      ms === 7 ? { kind: 'deny', reason: 'no' } : { kind: 'allow' };
    const host = await givenHost(
      scope,
      { s: scriptedServer({ builtIns: ['sleep', 'never'] }) },
      { approve },
    );
    const giveUp = new AbortController();
    const outcomes = Promise.all([
      host.call({ server: 's', tool: 'never' }, {}, giveUp),
      sleep(host, 7),
      host.call({ server: 's', tool: 'sleep' }, { ms: 1 }, giveUp),
      sleep(host, 1),
    ]);
    await waitUntil(() => calls(host).length === 1, { describe: 'the first call' });
    giveUp.abort();
    expect((await outcomes).map(({ kind }) => kind)).toEqual([
      'cancelled',
      'denied',
      'cancelled',
      'result',
    ]);
  });
});

describe('a place in the call order', () => {
  verifies('CAL-03');

  it('is not overtaken when a call between is aborted, and nothing is kept of it', async () => {
    const order = new CallOrder();
    const first = order.enter('s');
    const second = order.enter('s');
    second.leave();
    const third = order.enter('s');
    const state = { isReady: false };
    const waiting = third.before?.then(() => {
      state.isReady = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(state.isReady).toBe(false);
    first.leave();
    await waiting;
    third.leave();
    await waitUntil(() => order.size === 0, { describe: 'nobody to be left' });
    expect(order.enter('s').before).toBe(undefined);
  });

  it('can be aborted', async () => {
    const order = new CallOrder();
    order.enter('s');
    const { before = Promise.resolve() } = order.enter('s');
    expect(await waitFor(before, AbortSignal.abort())).toBe('cancelled');
  });
});
