import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@plugboard/base';
import {
  isAlive,
  ManualClock,
  type TempFolder,
  tempFolder,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { SpawnSpec } from '../../src/platform/index.ts';
import { ProcessLedger } from '../../src/platform/process-ledger.ts';
import { processFacts } from '@plugboard/base/platform';
import { newMark } from '../../src/platform/process-mark.ts';
import {
  BUILT_ROOM,
  firstLine,
  membersOf,
  node,
  shell,
  start,
  STUBBORN,
} from './started-programs.ts';

/** Starts a real host with a program, by default a stubborn one, and kills the host; the program keeps running. */
async function killedHost(
  folder: TempFolder,
  spec: SpawnSpec = STUBBORN,
): Promise<{ host: number; leader: number }> {
  const script = await folder.write(
    'host.mjs',
    `
      import { once } from 'node:events';
      import { ProcessLedger, spawnProcess } from '${BUILT_ROOM}';
      const ledger = new ProcessLedger({ directory: ${JSON.stringify(ledgerOf(folder))} });
      const { value: program } = await spawnProcess(${JSON.stringify(spec)}, { ledger });
      await once(program.stdout, 'data');
      console.log(program.pid);
    `,
  );
  const host = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const leader = Number(await firstLine(host.stdout));
  host.kill('SIGKILL');
  await once(host, 'exit');
  return { host: host.pid ?? 0, leader };
}

function ledgerOf(folder: TempFolder): string {
  return join(folder.path, 'ledger');
}

/** The file name of an earlier, ended host with the number of this process. */
async function nameOfDeadHost(): Promise<string> {
  await using folder = await tempFolder();
  const ledger = new ProcessLedger({ directory: folder.path });
  ledger.record(process.pid, newMark());
  const [own = ''] = await readdir(folder.path);
  const since = startOf(process.pid);
  return own.replace(`-${since}-`, `-${since - 1}-`);
}

/** A ledger with one file of an ended host, which contains `text`. */
async function forgedLedger(folder: TempFolder, text: string): Promise<ProcessLedger> {
  await folder.write(join('ledger', await nameOfDeadHost()), text);
  return new ProcessLedger({ directory: ledgerOf(folder) });
}

function startOf(pid: number): number {
  const facts = processFacts(pid);
  if (facts === undefined) throw new Error(`process ${pid} is not there`);
  return facts.start;
}

/** The record of a program in a ledger. */
function written(pid: number): object {
  return {
    pid,
    start: startOf(pid),
    mark: expect.stringMatching(/^[0-9a-f]{16}$/),
    session: processFacts(process.pid)?.session,
  };
}

/** The record of a process without the mark. */
function forged(pid: number, since = startOf(pid)): object {
  return { pid, start: since, mark: newMark() };
}

const filesIn = (folder: TempFolder): Promise<string[]> => readdir(ledgerOf(folder));

const gone = (leader: number): Promise<boolean> =>
  waitUntil(() => membersOf(leader).length === 0, { describe: `group ${leader} to end` });

describe('recording started programs', () => {
  it('keeps one private file in a private folder as long as something runs', async () => {
    await using folder = await tempFolder();
    const ledger = new ProcessLedger({ directory: ledgerOf(folder) });
    const programs = [await start(shell('cat'), { ledger }), await start(shell('cat'), { ledger })];

    const [name = '', ...others] = await filesIn(folder);
    expect(others).toEqual([]);
    expect(JSON.parse(await folder.read(join('ledger', name)))).toEqual(
      programs.map(({ pid }) => written(pid)),
    );
    const modes = [await stat(ledgerOf(folder)), await stat(join(ledgerOf(folder), name))];
    expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o600]);

    await Promise.all(programs.map((program) => program.stop()));
    expect(await filesIn(folder)).toEqual([]);
  });

  it('removes a program that ended by itself', async () => {
    await using folder = await tempFolder();
    const ledger = new ProcessLedger({ directory: ledgerOf(folder) });
    await using program = await start(shell('exit 0'), { ledger });
    await program.exited;
    const isEmpty = async (): Promise<boolean> => (await filesIn(folder)).length === 0;
    expect(await waitUntil(isEmpty, { describe: 'the file to go' })).toBe(true);
  });

  it('reports that it cannot write, and affects nothing else', async () => {
    await using folder = await tempFolder();
    await folder.write('ledger', 'a file where the folder should be');
    const reports: unknown[] = [];
    const logger = { log: (...report: unknown[]) => void reports.push(report) };
    const ledger = new ProcessLedger({ directory: ledgerOf(folder), logger });
    await using program = await start(shell('exit 0'), { ledger });
    await program.stop();
    expect(reports[0]).toEqual([
      'warn',
      'the process ledger cannot be written',
      { directory: ledgerOf(folder), reason: expect.stringContaining('EEXIST') },
    ]);
    expect(await ledger.sweep()).toEqual([]);
  });

  it('removes a program that survived the stop ladder once it has ended', async () => {
    await using folder = await tempFolder();
    const ledger = new ProcessLedger({ directory: ledgerOf(folder) });
    const clock = new ManualClock();
    // As after a sleep of the machine: every step of the ladder is late, and SIGKILL has no time to work.
    let asleepMs = 0;
    const late: Clock = {
      now: () => clock.now(),
      elapsed: () => (asleepMs += 1000),
      after: (ms, task) => clock.after(ms, task),
    };
    const program = await start(STUBBORN, { ledger, clock: late });
    await firstLine(program.stdout);
    const stopping = program.stop();
    await program.exited;
    await waitUntil(() => membersOf(program.pid).length === 0, { describe: 'an empty group' });
    const isStruckOut = async (): Promise<boolean> => {
      await clock.advance(1000);
      return (await filesIn(folder)).length === 0;
    };
    await waitUntil(isStruckOut, { describe: 'the file to go' });
    await stopping;
    expect(clock.pending).toBe(0);
  });

  it('keeps the ledgers of two hosts in one process apart', async () => {
    await using folder = await tempFolder();
    const first = new ProcessLedger({ directory: ledgerOf(folder) });
    const second = new ProcessLedger({ directory: ledgerOf(folder) });
    await using one = await start(shell('cat'), { ledger: first });
    const other = await start(shell('cat'), { ledger: second });
    expect((await filesIn(folder)).length).toBe(2);
    await other.stop();
    const [left = '', ...others] = await filesIn(folder);
    expect(others).toEqual([]);
    expect(JSON.parse(await folder.read(join('ledger', left)))).toEqual([written(one.pid)]);
  });
});

describe('cleaning up after a killed host', () => {
  verifies('CON-10');

  it('ends its programs, grandchildren included', async () => {
    await using folder = await tempFolder();
    const { host, leader } = await killedHost(folder);
    expect(membersOf(leader).length).toBeGreaterThan(1);

    const ledger = new ProcessLedger({ directory: ledgerOf(folder) });
    expect(await ledger.sweep()).toEqual([{ pid: leader, host }]);
    await gone(leader);
    expect(await filesIn(folder)).toEqual([]);
    expect(await ledger.sweep()).toEqual([]);
  });

  it('ends the rest of a group whose leader has ended meanwhile', async () => {
    await using folder = await tempFolder();
    const { host, leader } = await killedHost(folder);
    process.kill(leader, 'SIGKILL');
    await waitUntil(() => !isAlive(leader), { describe: 'the leader to end' });
    expect(membersOf(leader).length).toBeGreaterThan(0);

    const ledger = new ProcessLedger({ directory: ledgerOf(folder) });
    expect(await ledger.sweep()).toEqual([{ pid: leader, host }]);
    await gone(leader);
  });

  it('ends processes that left the group, by the mark of their program', async () => {
    await using folder = await tempFolder();
    const left = join(folder.path, 'left');
    const program = shell(`
      setsid sh -c 'trap "" HUP INT TERM; echo $$ > ${left}; exec >/dev/null 2>&1; sleep 300; :' &
      while [ ! -s ${left} ]; do sleep 0.01; done; echo ready; cat
    `);
    const { host, leader } = await killedHost(folder, program);
    const escaped = Number(await folder.read('left'));
    await waitUntil(() => !isAlive(leader), { describe: 'the program to end' });
    expect(isAlive(escaped)).toBe(true);

    const ledger = new ProcessLedger({ directory: ledgerOf(folder) });
    expect(await ledger.sweep()).toEqual([{ pid: leader, host }]);
    await waitUntil(() => !isAlive(escaped), { describe: 'what escaped to end' });
  });

  it('does no harm when two hosts clean up at once', async () => {
    await using folder = await tempFolder();
    const killed = [await killedHost(folder), await killedHost(folder)];
    const mine = new ProcessLedger({ directory: ledgerOf(folder) });
    await using program = await start(shell('cat'), { ledger: mine });
    const sweepers = [mine, new ProcessLedger({ directory: ledgerOf(folder) })];

    const swept = (await Promise.all(sweepers.map((ledger) => ledger.sweep()))).flat();
    for (const { host, leader } of killed) {
      expect(swept).toContainEqual({ pid: leader, host });
      await gone(leader);
    }
    expect(isAlive(program.pid)).toBe(true);
    expect((await filesIn(folder)).length).toBe(1);
  });
});

describe('the clean-up after a killed host', () => {
  verifies('CON-10');

  it('finds nothing in a missing folder', async () => {
    await using folder = await tempFolder();
    expect(await new ProcessLedger({ directory: ledgerOf(folder) }).sweep()).toEqual([]);
  });

  it('does not touch the programs and the file of a running host', async () => {
    await using folder = await tempFolder();
    const ledger = new ProcessLedger({ directory: ledgerOf(folder) });
    await using program = await start(shell('cat'), { ledger });
    const before = await filesIn(folder);
    expect(await new ProcessLedger({ directory: ledgerOf(folder) }).sweep()).toEqual([]);
    expect(await filesIn(folder)).toEqual(before);
    expect(isAlive(program.pid)).toBe(true);
  });

  it('does not kill a process that only has the pid of a recorded one', async () => {
    await using folder = await tempFolder();
    await using stranger = await start(shell('cat'));
    const ledger = await forgedLedger(
      folder,
      JSON.stringify([forged(stranger.pid, startOf(stranger.pid) - 1)]),
    );
    expect(await ledger.sweep()).toEqual([]);
    expect(isAlive(stranger.pid)).toBe(true);
    expect(await filesIn(folder)).toEqual([]);
  });

  it('does not kill a process that leads no group', async () => {
    await using folder = await tempFolder();
    await using program = await start(shell('sleep 60 & echo $!; wait'));
    const pid = Number(await firstLine(program.stdout));
    const ledger = await forgedLedger(folder, JSON.stringify([forged(pid)]));
    expect(await ledger.sweep()).toEqual([]);
    expect(isAlive(pid)).toBe(true);
  });

  it.each([
    ['is no JSON', () => '[{"pid":'],
    ['is no list', (pid: number) => JSON.stringify(forged(pid))],
    [
      'has one entry that makes no sense',
      (pid: number) => JSON.stringify([forged(pid), { pid: -1, start: 1, mark: newMark() }]),
    ],
    [
      'has an entry without a mark',
      (pid: number) => JSON.stringify([forged(pid), { pid, start: startOf(pid) }]),
    ],
    ['is binary', () => '\0\0\0'],
    ['is empty', () => ''],
  ])('removes a file that %s, and kills no process', async (_, write) => {
    await using folder = await tempFolder();
    await using program = await start(shell('cat'));
    const ledger = await forgedLedger(folder, write(program.pid));
    expect(await ledger.sweep()).toEqual([]);
    expect(isAlive(program.pid)).toBe(true);
    expect(await filesIn(folder)).toEqual([]);
  });

  it('keeps the files of other machines until they are a month old, and never acts on them', async () => {
    await using folder = await tempFolder();
    await using program = await start(shell('cat'));
    const entry = [forged(program.pid)];
    const elsewhere = (await nameOfDeadHost()).replace(/-[0-9a-f]{12}-/, '-0123456789ab-');
    const file = await folder.write(join('ledger', elsewhere), JSON.stringify(entry));
    const ledger = new ProcessLedger({ directory: ledgerOf(folder) });

    expect(await ledger.sweep()).toEqual([]);
    expect(await filesIn(folder)).toEqual([elsewhere]);
    const longAgo = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
    await utimes(file, longAgo, longAgo);
    expect(await ledger.sweep()).toEqual([]);
    expect(await filesIn(folder)).toEqual([]);
    expect(isAlive(program.pid)).toBe(true);
  });

  it('ignores files that are not ledgers', async () => {
    await using folder = await tempFolder();
    await folder.write('ledger/notes.json', '[]');
    await folder.mkdir('ledger/folder');
    expect(await new ProcessLedger({ directory: ledgerOf(folder) }).sweep()).toEqual([]);
    expect((await filesIn(folder)).toSorted()).toEqual(['folder', 'notes.json']);
  });

  it('does not kill the programs around its own host, which it recognizes by their marks', async () => {
    await using folder = await tempFolder();
    const name = await nameOfDeadHost();
    const script = await folder.write(
      'host.mjs',
      `
        import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
        import { ProcessLedger } from '${BUILT_ROOM}';
        const directory = ${JSON.stringify(ledgerOf(folder))};
        const [outer] = process.env.PLUGBOARD_PROCESS_MARK.split(',');
        mkdirSync(directory);
        // The number is that of a program that has ended.
        const entry = { pid: 2 ** 22 + 1, start: 1, mark: outer };
        writeFileSync(directory + '/${name}', JSON.stringify([entry]));
        const swept = await new ProcessLedger({ directory }).sweep();
        console.log(JSON.stringify({ swept, files: readdirSync(directory) }));
      `,
    );
    // One host inside the other.
    const nested = node(`
      import { spawnProcess } from '${BUILT_ROOM}';
      const inner = { command: process.execPath, args: ['${script}'], env: {}, cwd: undefined };
      const { value: program } = await spawnProcess(inner);
      program.stdout.pipe(process.stdout);
      await program.exited;
    `);
    await using host = await start(nested);
    expect(JSON.parse(await firstLine(host.stdout))).toEqual({ swept: [], files: [name] });
  });

  it('does not kill the process group of its own host', async () => {
    await using folder = await tempFolder();
    const name = await nameOfDeadHost();
    const script = await folder.write(
      'host.mjs',
      `
        import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
        import { ProcessLedger } from '${BUILT_ROOM}';
        const directory = ${JSON.stringify(ledgerOf(folder))};
        const start = Number(readFileSync('/proc/self/stat', 'latin1').split(') ')[1].split(' ')[19]);
        mkdirSync(directory);
        writeFileSync(directory + '/${name}', JSON.stringify([{ pid: process.pid, start, mark: '${newMark()}' }]));
        const swept = await new ProcessLedger({ directory }).sweep();
        console.log(JSON.stringify({ swept, files: readdirSync(directory) }));
      `,
    );
    await using host = await start({ ...shell(''), command: process.execPath, args: [script] });
    expect(JSON.parse(await firstLine(host.stdout))).toEqual({ swept: [], files: [name] });
  });
});
