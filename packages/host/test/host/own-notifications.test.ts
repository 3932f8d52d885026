import { Scope } from '@plugboard/base';
import {
  inProcessServer,
  scriptedServer,
  startScriptedHttp,
  startScriptedSse,
  startScriptedWs,
  type TempFolder,
  tempFolder,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { allowAll, createHost, type Host, type HostEvent } from '../../src/index.ts';
import { testEnvironment } from '../config/test-environment.ts';

const TOKEN = '550e8400-e29b-41d4';
const MANY = { timeoutMs: 30_000 };

type HeardNotification = Extract<HostEvent, { readonly kind: 'notification' }>;

function heardBy(host: Host): readonly HeardNotification[] {
  const heard: HeardNotification[] = [];
  host.on((event) => {
    if (event.kind === 'notification') heard.push(event);
  });
  return heard;
}

/** An editor with an MCP server, which leaves its lock file. */
async function editor(
  scope: Scope,
  folder: TempFolder,
  transport: 'ws' | 'sse',
): Promise<{ readonly url: string }> {
  const script = { asking: true, builtIns: [] } as const;
  const peer = scope.use(
    transport === 'ws' ? await startScriptedWs(script) : await startScriptedSse(script),
  );
  const { port } = new URL(peer.url);
  const { cwd } = testEnvironment(folder.path);
  const lock = { pid: process.pid, workspaceFolders: [cwd], transport, authToken: TOKEN };
  await folder.write(`home/.claude/ide/${port}.lock`, JSON.stringify(lock));
  return peer;
}

async function hostIn(scope: Scope, folder: TempFolder): Promise<Host> {
  const environment = testEnvironment(folder.path, { env: { TMPDIR: folder.path } });
  return scope.use(await createHost({ environment, ide: 'discover', approve: allowAll }));
}

async function toldTo(host: Host, server: string): Promise<unknown> {
  const outcome = await host.call({ server, tool: 'heard' }, {});
  const part = outcome.kind === 'result' ? outcome.parts[0] : undefined;
  return part?.kind === 'structured' ? part.value : outcome;
}

describe('notifications outside of the protocol', () => {
  it.each(['ws', 'sse'] as const)('are exchanged with an editor over %s', async (transport) => {
    verifies('TRN-07');
    await using scope = new Scope();
    const folder = scope.use(await tempFolder());
    await editor(scope, folder, transport);
    const host = await hostIn(scope, folder);
    const heard = heardBy(host);
    expect(host.servers.map(({ name, origin }) => [name, origin])).toEqual([
      ['ide', { kind: 'given', by: 'your editor' }],
    ]);
    const params = { filePath: '/a.ts', selection: { start: { line: 1 } } };
    await host.call({ server: 'ide', tool: 'say' }, { method: 'selection_changed', params });
    await waitUntil(() => heard.length > 0, { ...MANY, describe: 'the notification' });
    expect(heard).toEqual([
      { kind: 'notification', server: 'ide', method: 'selection_changed', params },
    ]);
    expect(await host.notify('ide', 'file_updated', { filePath: '/a.ts' })).toEqual({
      kind: 'sent',
    });
    expect(await host.notify('ide', 'log_event')).toEqual({ kind: 'sent' });
    expect(await toldTo(host, 'ide')).toMatchObject({
      notifications: expect.arrayContaining(['file_updated', 'log_event']) as unknown,
    });
  });

  it('are exchanged with a server of this process', async () => {
    verifies('TRN-06');
    await using scope = new Scope();
    const server = await inProcessServer();
    const told: unknown[] = [];
    server.server.fallbackNotificationHandler = (notification) => {
      told.push(notification);
      return Promise.resolve();
    };
    const host = scope.use(
      await createHost({ files: 'none', inProcess: { mine: server }, approve: allowAll }),
    );
    const heard = heardBy(host);
    expect(await host.notify('mine', 'log_event', { eventName: 'run' })).toEqual({ kind: 'sent' });
    await waitUntil(() => told.length > 0, { ...MANY, describe: 'the notification' });
    expect(told).toMatchObject([{ method: 'log_event', params: { eventName: 'run' } }]);
    await server.server.transport?.send({
      jsonrpc: '2.0',
      method: 'file_updated',
      params: { path: 'a' },
    });
    await waitUntil(() => heard.length > 0, { ...MANY, describe: 'the notification' });
    expect(heard).toEqual([
      { kind: 'notification', server: 'mine', method: 'file_updated', params: { path: 'a' } },
    ]);
  });

  it('are neither accepted from nor sent to any other server', async () => {
    verifies('TRN-06');
    await using scope = new Scope();
    const http = scope.use(await startScriptedHttp({ asking: true, builtIns: [] }));
    const host = scope.use(
      await createHost({
        files: 'none',
        servers: { s: scriptedServer({ asking: true }), h: { type: 'http', url: http.url } },
        approve: allowAll,
      }),
    );
    const heard = heardBy(host);
    for (const server of ['s', 'h']) {
      await host.call({ server, tool: 'say' }, { method: 'selection_changed', params: {} });
      expect(await host.notify(server, 'log_event', {})).toEqual({ kind: 'not-for-this-server' });
      expect(JSON.stringify(await toldTo(host, server))).not.toContain('log_event');
    }
    expect(heard).toEqual([]);
    expect(await host.notify('nobody', 'log_event')).toEqual({ kind: 'unknown-server' });
  });

  it('are refused if the method is one of the protocol’s, or they are too large', async () => {
    verifies('TRN-06');
    const inProcess = { mine: await inProcessServer() };
    await using host = await createHost({ files: 'none', inProcess, approve: allowAll });
    const bad = { kind: 'bad-notification' };
    expect(await host.notify('mine', 'notifications/cancelled', { requestId: 1 })).toEqual(bad);
    expect(await host.notify('mine', '', {})).toEqual(bad);
    expect(await host.notify('mine', 'a b', {})).toEqual(bad);
    expect(await host.notify('mine', 'a\u001B[2J', {})).toEqual(bad);
    expect(await host.notify('mine', 'a', { text: 'x'.repeat(300_000) })).toEqual(bad);
    expect(await host.notify('mine', 'a', ['list'] as never)).toEqual(bad);
    const round: Record<string, unknown> = {};
    round['self'] = round;
    expect(await host.notify('mine', 'a', round as never)).toEqual(bad);
  });

  it('of a hostile editor are bounded in size, depth and number', async () => {
    verifies('TRN-07');
    await using scope = new Scope();
    const folder = scope.use(await tempFolder());
    await editor(scope, folder, 'ws');
    const host = await hostIn(scope, folder);
    const heard = heardBy(host);
    const say = (given: object) => host.call({ server: 'ide', tool: 'say' }, { ...given });
    let deep: object = {};
    for (let level = 0; level < 50; level += 1) deep = { deep };
    await say({ method: 'large', params: { text: 'x'.repeat(300_000) } });
    await say({ method: 'deep', params: deep });
    await say({ method: 'bad\u001B[2Jname', params: {} });
    await say({ method: 'notifications/progress', params: { progressToken: 'no', progress: 1 } });
    await say({ method: 'flood', params: {}, times: 5000 });
    await waitUntil(() => heard.length >= 1, { ...MANY, describe: 'the first of the flood' });
    expect(await host.call({ server: 'ide', tool: 'heard' }, {})).toMatchObject({ kind: 'result' });
    expect(new Set(heard.map(({ method }) => method))).toEqual(new Set(['flood']));
    expect(heard.length).toBeLessThan(2500);
  });
});
