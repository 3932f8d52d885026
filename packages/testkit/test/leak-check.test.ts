import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkLeaks, describeLeaks, findLeaks, type Leak, ownAmong } from '../src/leak-check.ts';
import { isAlive } from '../src/processes.ts';
import { waitUntil } from '../src/wait-until.ts';

const linux = process.platform === 'linux';

async function listening(): Promise<Server> {
  const server = createServer((socket) => socket.unref());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

/** What the check reports, without the timers with which the runner reports progress. */
async function handlesAndProcesses(check: ReturnType<typeof checkLeaks>): Promise<Leak[]> {
  return (await leaksOf(check)).filter(({ kind }) => kind !== 'timer');
}

async function leaksOf(check: ReturnType<typeof checkLeaks>): Promise<readonly Leak[]> {
  try {
    await check.finish();
    return [];
  } catch (thrown) {
    return (thrown as { data: { leaks: readonly Leak[] } }).data.leaks;
  }
}

const brief = { graceMs: 60 };
/** Long enough for the timers of the runner to be over. */
const longer = { graceMs: 500 };

describe('the leaks of a test file', () => {
  it('are not processes of another program that got the number of a child that ended', () => {
    const orphan = { pid: 12, parent: 1, group: 10, session: 1, command: 'orphan' };
    const leader = { pid: 11, parent: 1, group: 11, session: 11, command: 'other program' };
    const member = { pid: 13, parent: 11, group: 11, session: 11, command: 'its helper' };
    const child = { pid: 14, parent: 2, group: 14, session: 14, command: 'child' };
    const grandchild = { pid: 15, parent: 1, group: 14, session: 14, command: 'its orphan' };
    const all = [leader, orphan, member, child, grandchild];
    const known = { below: new Set([14]), spawned: new Set([10, 11, 14]) };
    expect(ownAmong(all, known)).toEqual([orphan, child, grandchild]);
  });

  it('are none when all resources are closed', async () => {
    const check = checkLeaks();
    const server = await listening();
    const timer = setTimeout(() => {}, 60_000);
    clearTimeout(timer);
    server.close();
    expect(await leaksOf(check)).toEqual([]);
  });

  it('include a timer that keeps the process alive, but not an unreferenced one', async () => {
    const check = checkLeaks(longer);
    const quiet = setTimeout(() => {}, 60_000).unref();
    const timer = setTimeout(() => {}, 60_000);
    expect(await leaksOf(check)).toEqual([{ kind: 'timer', count: 1 }]);
    clearTimeout(timer);
    clearTimeout(quiet);
  });

  it('include a server, a socket and a watcher', async () => {
    const check = checkLeaks(brief);
    const server = await listening();
    const address = server.address() as { port: number };
    const socket = connect(address.port, '127.0.0.1');
    await once(socket, 'connect');
    const watcher = watch(tmpdir());
    expect(new Set(await handlesAndProcesses(check))).toEqual(
      new Set([
        { kind: 'handle', type: 'TCPServerWrap', count: 1 },
        { kind: 'handle', type: 'TCPSocketWrap', count: 1 },
        { kind: 'handle', type: 'FSEventWrap', count: 1 },
      ]),
    );
    watcher.close();
    socket.destroy();
    server.close();
    await once(server, 'close');
  });

  it.runIf(linux)('include a process, which is named and ended', async () => {
    const check = checkLeaks(brief);
    const child: ChildProcess = spawn('sleep', ['302'], { stdio: 'ignore' });
    const ended = once(child, 'exit');
    expect(await handlesAndProcesses(check)).toEqual([
      { kind: 'process', pid: child.pid, command: 'sleep 302' },
      { kind: 'handle', type: 'ProcessWrap', count: 1 },
    ]);
    expect(await ended).toEqual([null, 'SIGKILL']);
  });

  it.runIf(linux)('include an orphan of a child that has ended', async () => {
    const check = checkLeaks(brief);
    const child = spawn('sh', ['-c', 'sleep 303 & exit 0'], { stdio: 'ignore', detached: true });
    await once(child, 'exit');
    const leaks = await handlesAndProcesses(check);
    expect(leaks).toMatchObject([{ kind: 'process', command: 'sleep 303' }]);
    const { pid } = leaks[0] as { pid: number };
    await waitUntil(() => !isAlive(pid), { describe: 'the orphan to be killed' });
  });

  it('exclude resources that existed before', () => {
    const own = { pid: 5, parent: 1, group: 5, session: 5, command: 'runner' };
    const before = { processes: [own], resources: ['PipeWrap', 'ProcessWrap'] };
    expect(findLeaks(before, before)).toEqual([]);
    expect(findLeaks(before, { processes: [], resources: [] })).toEqual([]);
  });

  it('include a new timer, also when another existed before', () => {
    const always = { processes: [], resources: ['Timeout'] };
    expect(findLeaks(always, always)).toEqual([{ kind: 'timer', count: 1 }]);
  });

  it('are printed as a list', () => {
    const text = describeLeaks([
      { kind: 'process', pid: 7, command: 'sleep 9' },
      { kind: 'timer', count: 2 },
      { kind: 'handle', type: 'TCPSocketWrap', count: 1 },
    ]);
    expect(text).toBe(
      [
        'this suite left behind:',
        '- process 7: sleep 9',
        '- 2 × a timer that keeps the process alive',
        '- 1 × an open TCP socket (TCPSocketWrap)',
      ].join('\n'),
    );
  });
});

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
  }[];
}

it.runIf(linux)(
  'the leak check fails test files that leak, names the leaks, and passes the clean file',
  async () => {
    const config = fileURLToPath(new URL('fixtures/leaks/vitest.config.ts', import.meta.url));
    const vitest = fileURLToPath(new URL('../vitest.mjs', import.meta.resolve('vitest')));
    const args = [vitest, 'run', '--config', config, '--reporter=json'];
    const stdout = await new Promise<string>((resolve) => {
      // It exits with a failure, as it should; the report says which.
      execFile(process.execPath, args, { env: cleanEnv() }, (_, output) => resolve(output));
    });
    const report = JSON.parse(stdout.slice(stdout.indexOf('{'))) as Report;
    const results = new Map(report.testResults.map((file) => [basename(file.name), file]));
    expect(results.get('clean.fixture.ts')).toMatchObject({ status: 'passed' });
    expect(results.get('leaking.fixture.ts')).toMatchObject({ status: 'failed' });
    const { message } = results.get('leaking.fixture.ts')!;
    expect(message).toContain('sleep 300');
    expect(message).toContain('1 × a timer that keeps the process alive');
    expect(message).toContain('1 × a TCP server that still listens (TCPServerWrap)');
  },
);

/** Without what this vitest tells its own workers. */
function cleanEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST|NODE_OPTIONS)/.test(name)),
  );
}
