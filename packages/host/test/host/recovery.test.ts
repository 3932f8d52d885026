import { Scope } from '@plugboard/base';
import {
  isAlive,
  readTap,
  scriptedServer,
  startScriptedHttp,
  type TapFrame,
  tapped,
  tempFolder,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { Host } from '../../src/host/index.ts';
import { givenHost } from './given-host.ts';

async function pidOf(host: Host): Promise<number> {
  const outcome = await host.call({ server: 's', tool: 'pids' }, {});
  const part = outcome.kind === 'result' ? outcome.parts[0] : undefined;
  if (part?.kind !== 'structured') throw new Error(`no pids: ${JSON.stringify(outcome)}`);
  return (part.value as { pid: number }).pid;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
}

/** The number of list requests, and the maximum number at once. */
function listsIn(frames: readonly TapFrame[]): { readonly lists: number; readonly most: number } {
  const open = new Set<unknown>();
  let [lists, most] = [0, 0];
  for (const { text } of frames) {
    const { id, method } = JSON.parse(text) as Message;
    if (method === 'tools/list') {
      open.add(id);
      lists += 1;
      most = Math.max(most, open.size);
    } else if (method === undefined) open.delete(id);
  }
  return { lists, most };
}

describe('the recovery of a host', () => {
  it('opens a new session for one that the server has forgotten, and repeats the call once', async () => {
    verifies('CON-07');
    await using scope = new Scope();
    await using server = await startScriptedHttp({ eras: ['legacy'] });
    const host = await givenHost(scope, { s: { type: 'http', url: server.url } });
    await host.tools();
    server.forgetSessions();
    expect(await host.call({ server: 's', tool: 'error' }, {})).toMatchObject({
      kind: 'tool-error',
    });
    const initialised = server.requests.filter(({ rpcMethod }) => rpcMethod === 'initialize');
    expect(initialised).toHaveLength(2);
  });

  it('starts a killed server again at the next call', async () => {
    verifies('CON-06');
    await using scope = new Scope();
    const host = await givenHost(scope, { s: scriptedServer() });
    const pid = await pidOf(host);
    process.kill(pid, 'SIGKILL');
    await waitUntil(() => !isAlive(pid), { describe: 'the server to be gone' });
    await waitUntil(() => host.servers[0]?.state.kind === 'failed', { describe: 'it noticed' });
    expect(await pidOf(host)).not.toBe(pid);
  });

  it('reconnects on request, also to a healthy server', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, { s: scriptedServer() });
    const pid = await pidOf(host);
    const { problems, tools } = await host.reconnect('s');
    expect(problems).toEqual([]);
    expect(tools.map(({ tool }) => tool)).toContain('pids');
    expect(isAlive(pid)).toBe(false);
    expect(await pidOf(host)).not.toBe(pid);
  });

  it.each([
    ['read-only', { readOnlyHint: true }, 'result'],
    ['idempotent', { idempotentHint: true }, 'result'],
    ['other', {}, 'not-connected'],
  ])('decides about a lost call of a tool that is %s', async (_, annotations, kind) => {
    verifies('CON-06');
    await using folder = await tempFolder();
    await using scope = new Scope();
    const tools = [{ name: 'work', annotations, result: { content: [] } }];
    const crashOn = { tool: 'work', exit: 1, onceAt: `${folder.path}/crashed` };
    const host = await givenHost(scope, { s: scriptedServer({ tools, crashOn }) });
    expect(await host.call({ server: 's', tool: 'work' }, {})).toMatchObject({ kind });
  });

  it('does not restart a server that dies as fast as it starts', async () => {
    verifies('CON-06');
    await using scope = new Scope();
    const host = await givenHost(scope, {
      s: scriptedServer({ exitAtStart: { exit: 1, stderr: 'no database\n' } }),
    });
    for (let start = 0; start < 5; start += 1) await host.tools();
    const { problems } = await host.tools();
    expect(problems).toMatchObject([
      {
        kind: 'not-connected',
        reason: {
          kind: 'crash-loop',
          crashes: 5,
          last: { kind: 'exited', evidence: { stderr: ['no database'] } },
        },
      },
    ]);
  });

  it('lists again when a server reports a change, and keeps the old list when that fails', async () => {
    verifies('CON-09');
    await using scope = new Scope();
    const script = {
      capabilities: { tools: { listChanged: true } },
      growOn: { tool: 'echo' },
      failListFrom: 3,
    };
    const host = await givenHost(scope, { s: scriptedServer(script) }, { pins: 'off' });
    const before = (await host.tools()).tools.map(({ tool }) => tool);
    const events: string[] = [];
    using _ = host.on(({ kind }) => events.push(kind));
    await host.call({ server: 's', tool: 'echo' }, { message: 'grow' });
    await waitUntil(() => events.includes('tools'), { describe: 'the new list' });
    const after = (await host.tools()).tools.map(({ tool }) => tool);
    expect(after).toEqual([...before, `grown-${before.length}`].toSorted());
    await host.call({ server: 's', tool: 'echo' }, { message: 'grow' });
    await waitUntil(() => events.includes('stale-tools'), { describe: 'the failed listing' });
    expect((await host.tools()).tools.map(({ tool }) => tool)).toEqual(after);
  });

  it('lists a server with many changes one request at a time, and less often', async () => {
    verifies('CON-09');
    await using scope = new Scope();
    const folder = scope.use(await tempFolder());
    const tap = `${folder.path}/tap`;
    const script = { capabilities: { tools: { listChanged: true } }, growOn: { tool: 'echo' } };
    const entry = { ...tapped(tap, scriptedServer(script)), parallel: true };
    const host = await givenHost(scope, { s: entry }, { pins: 'off' });
    const before = (await host.tools()).tools.length;
    const calls = Array.from({ length: 30 }, () =>
      host.call({ server: 's', tool: 'echo' }, { message: 'grow' }),
    );
    await Promise.all(calls);
    await waitUntil(async () => (await host.tools()).tools.length === before + calls.length, {
      describe: 'the last list',
    });
    const { lists, most } = listsIn(await readTap(tap));
    expect(lists).toBeLessThan(calls.length);
    expect(most).toBe(1);
  });

  it.each(['legacy', 'modern'] as const)(
    'passes on the log messages of %s servers',
    async (protocol) => {
      verifies('CAL-04');
      await using scope = new Scope();
      const script = { capabilities: { tools: {}, logging: {} }, logsOnCall: 'working on it' };
      const host = await givenHost(scope, { s: { ...scriptedServer(script), protocol } });
      const logs: unknown[] = [];
      using _ = host.on((event) => {
        if (event.kind === 'log') logs.push(event.log);
      });
      await host.call({ server: 's', tool: 'echo' }, { message: 'x' });
      await waitUntil(() => logs.length > 0, { describe: 'the log' });
      expect(logs).toEqual([{ level: 'info', logger: 'scripted', data: 'working on it' }]);
    },
  );
});
