// What a relay reports about one request: with real servers of both eras, a rule and a hook.

import { never, Scope } from '@plugboard/base';
import { scriptedServer, verifies } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Approver, allowAll, type Host } from '../../src/host/index.ts';
import type { RelayObserver } from '../../src/relay.ts';
import { ruledHost } from './ruled-host.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const PASSING = [process.execPath, '-e', 'process.stdin.resume()'];

function observer(): { readonly seen: unknown[]; readonly observer: RelayObserver } {
  const seen: unknown[] = [];
  return {
    seen,
    observer: {
      message: (direction, message, era) => {
        const { method, result, error } = message as Record<string, unknown>;
        seen.push([direction, method ?? (result === undefined ? error : 'result'), era]);
      },
      decided: ({ kind, because }) => seen.push(['decided', kind, because.kind]),
      approved: (by, answer) => seen.push(['approved', by, answer]),
      hook: ({ event, outcome }) => seen.push(['hook', event, outcome]),
    },
  };
}

async function called(
  era: 'legacy' | 'modern',
  settings: object,
  approve: Approver = allowAll,
): Promise<{
  readonly host: Host;
  readonly seen: unknown[];
  readonly call: () => Promise<unknown>;
}> {
  const s = scriptedServer({ builtIns: ['echo'], eras: [era] });
  const { host } = await ruledHost(
    scope,
    { user: { mcpServers: { s }, ...settings } },
    { approve },
  );
  const relay = scope.use(
    host.relay({
      clientInfo: { name: 'test', version: '1' },
      capabilities: {},
      request: () => Promise.resolve({ result: {} }),
      notification: () => {},
    }),
  );
  const { seen, observer: watching } = observer();
  const params = { name: 'echo', arguments: { message: 'hi' } };
  const options = { signal: never, observer: watching };
  return { host, seen, call: () => relay.call({ server: 's', tool: 'echo' }, params, options) };
}

describe.each(['legacy', 'modern'] as const)('a relay to a %s server', (era) => {
  it('tells the decision, the hooks and the messages of a call in their order', async () => {
    verifies('CON-UI');
    const hooks = { beforeCall: [{ command: PASSING }], afterCall: [{ command: PASSING }] };
    const { seen, call } = await called(era, { permissions: { allow: ['s/echo'] }, hooks });
    await call();
    expect(seen).toEqual([
      ['hook', 'beforeCall', 'pass'],
      ['decided', 'allow', 'rule'],
      ['sent', 'tools/call', era],
      ['received', 'result', era],
      ['hook', 'afterCall', 'pass'],
    ]);
  });
});

describe('a relay to a server', () => {
  it('tells what a person said, and later that it was said before', async () => {
    verifies('CON-UI');
    const approve: Approver = () => ({ kind: 'allow', remember: 'session' });
    const { seen, call } = await called('legacy', {}, approve);
    await call();
    await call();
    const sent = [
      ['sent', 'tools/call', 'legacy'],
      ['received', 'result', 'legacy'],
    ];
    expect(seen).toEqual([
      ['decided', 'ask', 'default'],
      ['approved', 'person', 'allow'],
      ...sent,
      ['decided', 'ask', 'default'],
      ['approved', 'earlier-approval', 'allow'],
      ...sent,
    ]);
  });

  it('tells of a hook that blocks a call, which is not sent', async () => {
    verifies('CON-UI');
    const hooks = { beforeCall: [{ shell: 'exit 3' }] };
    const { seen, call } = await called('legacy', { permissions: { allow: ['s/echo'] }, hooks });
    await call();
    expect(seen).toEqual([['hook', 'beforeCall', 'failed']]);
  });
});
