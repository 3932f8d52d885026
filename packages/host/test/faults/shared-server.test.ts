import { Scope } from '@plugboard/base';
import {
  isAlive,
  readTap,
  scriptedServer,
  tapped,
  tempFolder,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { chmod } from 'node:fs/promises';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { toModelText } from '../../src/host/index.ts';
import { callUnderWay, pidOf, type SharedHosts, sharedHosts } from '../host/shared-hosts.ts';

const ASKING = fileURLToPath(new URL('../protocol/fixtures/asking-server.mjs', import.meta.url));
const BUILT_HOST = fileURLToPath(new URL('../../dist/index.js', import.meta.url));

/** A host that is a process of its own, once it waits for a call that is never answered. */
async function waitingProcess(scope: Scope, { state }: SharedHosts, servers: object) {
  const folder = scope.use(await tempFolder());
  const script = await folder.write(
    'host.mjs',
    `
      import { allowAll, createHost } from ${JSON.stringify(BUILT_HOST)};
      const paths = { home: '/', config: '/none', state: ${JSON.stringify(state)}, cache: ${JSON.stringify(state)} };
      const environment = { env: { PATH: process.env.PATH }, cwd: process.cwd(), home: '/', platform: process.platform, paths };
      const host = await createHost({ files: 'none', servers: ${JSON.stringify(servers)}, approve: allowAll, environment });
      const first = await host.call({ server: 's', tool: 'echo' }, { message: 'here' });
      if (first.kind !== 'result') throw new Error(JSON.stringify(first));
      await host.call({ server: 's', tool: 'sleep' }, { ms: 600_000, steps: 2 }, { onProgress: () => process.stdout.write('!') });
    `,
  );
  const child = spawn(process.execPath, [script], {
    cwd: process.cwd(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  scope.defer(() => void child.kill('SIGKILL'));
  // Four programs start one after the other until then: on a busy machine no one knows how long that takes.
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve());
    child.once('exit', (code, signal) => reject(new Error(`it ended: ${code ?? signal}`)));
  });
  return child;
}

describe('a shared server with a killed process', () => {
  verifies('CON-12');

  it('cancels the calls of a killed host, and continues for the others', async () => {
    await using scope = new Scope();
    const hosts = await sharedHosts(scope);
    const folder = scope.use(await tempFolder());
    const tap = `${folder.path}/tap`;
    const servers = {
      s: {
        ...tapped(tap, scriptedServer()),
        env: { PATH: process.env['PATH'] ?? '' },
        shared: true,
      },
    };
    const child = await waitingProcess(scope, hosts, servers);
    const [before] = await hosts.running();
    child.kill('SIGKILL');
    await once(child, 'exit');
    const isCancelled = async (): Promise<boolean> =>
      JSON.stringify(await readTap(tap)).includes('notifications/cancelled');
    await waitUntil(isCancelled, { describe: 'the server to be told' });
    await waitUntil(async () => (await hosts.running())[0]?.clients === 0, {
      describe: 'the broker to notice',
    });
    const [after] = await hosts.running();
    expect(after?.pid).toBe(before?.pid);
  });

  it('fails the running calls and serves the next when the server is killed', async () => {
    await using scope = new Scope();
    const hosts = await sharedHosts(scope);
    const entry = { s: { ...scriptedServer(), shared: true } };
    const all = await Promise.all([hosts.host(entry), hosts.host(entry)]);
    const pid = await pidOf(all[0]);
    const calls = await Promise.all(all.map((host) => callUnderWay(host)));
    process.kill(pid, 'SIGKILL');
    for (const outcome of await Promise.all(calls.map((call) => call.outcome))) {
      expect(outcome).toMatchObject({
        kind: 'not-connected',
        reason: { kind: 'exited', exit: { signal: 'SIGKILL' } },
      });
    }
    const [one, other] = await Promise.all(all.map((host) => pidOf(host)));
    expect(one).toBe(other);
    expect(one).not.toBe(pid);
  });

  it('fails the running calls when the broker is killed, ends its server, and starts again', async () => {
    await using scope = new Scope();
    const hosts = await sharedHosts(scope);
    // Neither the end of its input nor a polite signal ends it: only the sweep does.
    const script = { ignoreStdinEnd: true, ignoreSignals: ['SIGINT', 'SIGTERM'] as const };
    const entry = { s: { ...scriptedServer(script), shared: true } };
    const host = await hosts.host(entry);
    const pid = await pidOf(host);
    const [broker] = await hosts.running();
    const call = await callUnderWay(host);
    process.kill(broker?.pid ?? 0, 'SIGKILL');
    expect(await call.outcome).toMatchObject({ kind: 'not-connected', reason: { kind: 'exited' } });
    const next = await pidOf(host);
    expect(next).not.toBe(pid);
    await waitUntil(() => !isAlive(pid), { describe: 'what the broker left to be ended' });
    expect(await hosts.running()).toMatchObject([{ serverPid: next }]);
  });

  it('is not started if other users could enter the folder of its socket', async () => {
    await using scope = new Scope();
    const hosts = await sharedHosts(scope);
    const entry = { s: { ...scriptedServer(), shared: true } };
    await pidOf(await hosts.host(entry));
    await chmod(hosts.sockets, 0o755);
    const outcome = await (await hosts.host(entry)).call({ server: 's', tool: 'pids' }, {});
    await chmod(hosts.sockets, 0o700);
    expect(outcome).toMatchObject({
      kind: 'not-connected',
      reason: { kind: 'broker-failed', reason: { kind: 'unsafe', why: 'open-to-others' } },
    });
  });

  it('refuses a client that does not know its launch', async () => {
    await using scope = new Scope();
    const hosts = await sharedHosts(scope);
    await pidOf(await hosts.host({ s: { ...scriptedServer(), shared: true } }));
    const [broker] = await hosts.running();
    const stranger = connect(broker?.socket ?? '');
    let heard = '';
    stranger.on('data', (piece: Buffer) => {
      heard += piece.toString();
    });
    stranger.on('error', () => {});
    stranger.write('{"plugboard":"join","proof":"guessed"}\n');
    stranger.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
    await once(stranger, 'close');
    expect(heard).toContain('"refused"');
    expect(heard).not.toContain('inputSchema');
  });

  it('is given up for all hosts when it asks without end and accepts no answer', async () => {
    verifies('POL-15');
    await using scope = new Scope();
    const folder = scope.use(await tempFolder());
    const file = await folder.write('taken', '0');
    const hosts = await sharedHosts(scope);
    const entry = { s: { command: process.execPath, args: [ASKING, file], shared: true } };
    const host = await hosts.host({ ...entry, other: scriptedServer() });
    const second = await hosts.host(entry);
    expect(await second.call({ server: 's', tool: 'echo' }, {})).toMatchObject({ kind: 'result' });
    const flooded = host.call({ server: 's', tool: 'flood' }, { count: 60_000 });
    const echo = await host.call({ server: 'other', tool: 'echo' }, { message: 'on' });
    expect(echo).toMatchObject({ kind: 'result' });
    const outcome = await flooded;
    expect(outcome).toMatchObject({
      kind: 'not-connected',
      reason: { kind: 'answers-untaken', limit: { answers: 10_000 } },
    });
    expect(toModelText(outcome)).toContain('it asked for more answers than it took');
  });
});
