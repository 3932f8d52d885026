import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isAlive, ManualClock, tempFolder, verifies, waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import {
  BUILT_ROOM,
  firstLine,
  membersOf,
  node,
  shell,
  start,
  STUBBORN,
  textOf,
} from './started-programs.ts';

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

describe('stopping a program', () => {
  verifies('CON-10');

  it('lets it end by itself when its input ends', async () => {
    const program = await start(shell('cat; exit 7'), { clock: new ManualClock() });
    // The clock stands still: nothing but the closed input can have ended it.
    await program.stop();
    expect(await program.exited).toEqual({ code: 7, signal: null });
  });

  it('closes the input, then sends SIGINT, SIGTERM and SIGKILL', async () => {
    const program = await start(
      node(`
        process.stdin.on('end', () => console.log('input ended')).resume();
        for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => console.log(name));
        setInterval(() => {}, 60_000);
        console.error('ready');
      `),
    );
    await firstLine(program.stderr);
    const [heard] = await Promise.all([textOf(program.stdout), program.stop()]);
    expect(heard.split('\n')).toEqual(['input ended', 'SIGINT', 'SIGTERM', '']);
    expect(await program.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('continues for the grandchildren when the program itself has ended', async () => {
    const clock = new ManualClock();
    const program = await start(
      shell(`(trap '' INT TERM; echo ready; while :; do sleep 60; done) & cat; exit 0`),
      { clock },
    );
    await firstLine(program.stdout);
    const stopped = program.stop();
    // The clock stands still until then: nothing but the closed input can have ended it.
    expect(await program.exited).toEqual({ code: 0, signal: null });
    expect(membersOf(program.pid)).not.toEqual([]);
    let isStopped = false;
    void stopped.then(() => (isStopped = true));
    const isDone = async (): Promise<boolean> => {
      await clock.advance(5);
      return isStopped && membersOf(program.pid).length === 0;
    };
    await waitUntil(isDone, { describe: 'the grandchild to be gone' });
  });

  it('stops ten stubborn ones at once within the time of one', async () => {
    const programs = await Promise.all(Array.from({ length: 10 }, () => start(STUBBORN)));
    await Promise.all(programs.map((program) => firstLine(program.stdout)));
    const alone = await start(STUBBORN);
    await firstLine(alone.stdout);
    const one = await timeOf(() => alone.stop());
    const all = await timeOf(() => Promise.all(programs.map((program) => program.stop())));
    expect(programs.flatMap((program) => membersOf(program.pid))).toEqual([]);
    // One after another would take ten times as long; timers may be late on a busy machine.
    expect(all).toBeGreaterThan(500);
    expect(all).toBeLessThan(5 * one);
  });

  it('happens once, however often it is requested', async () => {
    const program = await start(shell('cat'));
    expect(program.stop()).toBe(program.stop());
    await program.stop();
    await program[Symbol.asyncDispose]();
    expect(isAlive(program.pid)).toBe(false);
  });

  it('closes the pipes on the side of the host', async () => {
    const program = await start(STUBBORN);
    await firstLine(program.stdout);
    await program.stop();
    expect([program.stdin, program.stdout, program.stderr].map((pipe) => pipe.destroyed)).toEqual([
      true,
      true,
      true,
    ]);
  });
});

describe('a host that ends', () => {
  verifies('CON-10');

  // The second leaves nothing open on which Node itself would wait.
  const leavesOneBehind = shell(`
    (trap '' INT TERM; exec </dev/null >/dev/null 2>&1; while :; do sleep 60; done) &
    echo ready; cat
  `);

  it.each([
    ['a stubborn program', STUBBORN],
    ['what a program left behind', leavesOneBehind],
  ])('is kept alive by stop() until %s is gone', async (_, spec) => {
    await using folder = await tempFolder();
    const script = await folder.write(
      'host.mjs',
      `
        import { once } from 'node:events';
        import { spawnProcess } from '${BUILT_ROOM}';
        const { value: program } = await spawnProcess(${JSON.stringify(spec)});
        await once(program.stdout, 'data');
        console.log(program.pid);
        await program.stop();
        console.log('stopped');
      `,
    );
    const host = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [lines, [code]] = await Promise.all([textOf(host.stdout), once(host, 'exit')]);
    const [pid, last] = lines.split('\n');
    expect({ code, last, left: membersOf(Number(pid)) }).toEqual({
      code: 0,
      last: 'stopped',
      left: [],
    });
  });

  it('is not kept alive by an escaped process that holds the pipes of an ended program', async () => {
    await using folder = await tempFolder();
    const ready = `${folder.path}/ready`;
    // No mark, no group, no session, no parent, and the pipe where nothing looks for it.
    const escaping = `exec 9>&1 </dev/null >/dev/null 2>&1; echo $$ >&9; touch ${ready}; exec sleep 60`;
    const child = shell(`
      env -i PATH="$PATH" setsid -f sh -c '${escaping}'
      while [ ! -e ${ready} ]; do sleep 0.01; done
    `);
    const script = await folder.write(
      'host.mjs',
      `
        import { once } from 'node:events';
        import { spawnProcess } from '${BUILT_ROOM}';
        const { value: program } = await spawnProcess(${JSON.stringify(child)});
        const [line] = await once(program.stdout, 'data');
        console.log(String(line).trim());
        await program.exited;
      `,
    );
    const host = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [lines, [code]] = await Promise.all([textOf(host.stdout), once(host, 'exit')]);
    const escaped = Number(lines);
    try {
      expect({ code, hasEscaped: isAlive(escaped) }).toEqual({ code: 0, hasEscaped: true });
    } finally {
      process.kill(escaped, 'SIGKILL');
    }
  });
});
