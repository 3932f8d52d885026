import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Semaphore, never } from '@plugboard/base';
import {
  isAlive,
  scriptedServer,
  tempFolder,
  times,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('./fixtures/host-process.mjs', import.meta.url));

/** Ends neither by itself nor on request, and has a child process: only force ends both. */
const STUBBORN = scriptedServer({
  builtIns: ['pids', 'never'],
  grandchildren: 1,
  ignoreSignals: ['SIGINT', 'SIGTERM'],
  ignoreStdinEnd: true,
});
const POLITE = scriptedServer({ builtIns: ['pids', 'never'] });

interface HostRun {
  readonly host: ChildProcess;
  /** The processes of its server. */
  readonly pids: readonly number[];
}

async function start(entry: object, mode: 'stop' | 'hang', state: string): Promise<HostRun> {
  const host = spawn(process.execPath, [PROGRAM, JSON.stringify(entry), mode], {
    env: { ...process.env, XDG_STATE_HOME: state },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve, reject) => {
    host.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString()));
    host.once('exit', (code) => reject(new Error(`the host ended first, with ${code}`)));
  });
  const { pid, grandchildren } = JSON.parse(line) as { pid: number; grandchildren: number[] };
  return { host, pids: [pid, ...grandchildren] };
}

async function end({ host }: HostRun, how: 'wait' | 'kill'): Promise<void> {
  const ended = new Promise((resolve) => host.once('exit', resolve));
  if (how === 'kill') host.kill('SIGKILL');
  if (host.exitCode === null && host.signalCode === null) await ended;
}

/** A third of them is stubborn, and has a child. */
const STARTS = times(12, 99);

describe('repeated starts and stops', () => {
  it('leave no process, although some hosts were killed in the middle of a call', async () => {
    verifies('CON-10');
    await using folder = await tempFolder();
    const lanes = new Semaphore(4);
    const pids: number[] = [];
    await Promise.all(
      Array.from({ length: STARTS }, (_, index) =>
        lanes.run(never, async () => {
          const isKilled = index % 4 === 0;
          const entry = index % 3 === 0 ? STUBBORN : POLITE;
          const run = await start(entry, isKilled ? 'hang' : 'stop', folder.path);
          pids.push(...run.pids);
          await end(run, isKilled ? 'kill' : 'wait');
        }),
      ),
    );
    // The next host ends the processes of killed hosts.
    await end(await start(POLITE, 'stop', folder.path), 'wait');
    await waitUntil(() => !pids.some(isAlive), {
      describe: () => `the end of ${pids.filter(isAlive).join(', ')}`,
    });
    expect(pids).toHaveLength(STARTS + STARTS / 3);
  });
});
