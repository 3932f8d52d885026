import { never, systemClock } from '@plugboard/base';
import {
  isAlive,
  ManualClock,
  overTime,
  tempFolder,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { runCommand, type RunLimits } from '../../src/platform/run-command.ts';
import { node, shell } from './started-programs.ts';

const limits: RunLimits = { signal: never, timeoutMs: 60_000, maxBytes: 64 * 1024 };
const ports = { clock: systemClock };

/** The system may need a moment after a kill, so the group is checked repeatedly. */
async function noTimerIsLeft(clock: ManualClock): Promise<void> {
  await waitUntil(
    async () => {
      await clock.advance(1000);
      return clock.pending === 0;
    },
    { describe: 'no timer to be left' },
  );
}

describe('a program that is run to its end', () => {
  verifies('CFG-15');

  it('returns its output and its exit', async () => {
    expect(await runCommand(shell('echo out; echo err >&2; exit 3'), limits, ports)).toEqual({
      kind: 'exited',
      exit: { code: 3, signal: null },
      stdout: 'out\n',
      stderr: ['err'],
    });
  });

  it('keeps nothing of its output if a caller takes it', async () => {
    const chunks: Buffer[] = [];
    const onOutput = (chunk: Buffer): void => void chunks.push(chunk);
    const run = await runCommand(shell('echo out; echo err >&2'), { ...limits, onOutput }, ports);
    expect(run).toEqual({
      kind: 'exited',
      exit: { code: 0, signal: null },
      stdout: '',
      stderr: [],
    });
    const lines = Buffer.concat(chunks).toString().trim().split('\n');
    expect(lines.toSorted()).toEqual(['err', 'out']);
  });

  it('has an empty stdin, the given environment and the given folder', async () => {
    await using folder = await tempFolder();
    const script = `
      import { text } from 'node:stream/consumers';
      console.log(JSON.stringify([await text(process.stdin), process.cwd(), process.env]));
    `;
    const spec = { ...node(script), env: { ONLY: 'this' }, cwd: folder.path };
    const run = await runCommand(spec, limits, ports);
    expect(run).toMatchObject({ kind: 'exited', stderr: [] });
    expect(run.kind === 'exited' && JSON.parse(run.stdout)).toEqual([
      '',
      folder.path,
      { ONLY: 'this', PLUGBOARD_PROCESS_MARK: expect.any(String) },
    ]);
  });

  it('receives the given input, and may end without reading it', async () => {
    const input = 'x'.repeat(1024 * 1024);
    const [read, left] = await Promise.all([
      runCommand(shell('wc -c'), { ...limits, input }, ports),
      runCommand(shell('exit 0'), { ...limits, input }, ports),
    ]);
    expect(read).toMatchObject({ kind: 'exited', stdout: expect.stringMatching(/^ *1048576\n$/) });
    expect(left).toMatchObject({ kind: 'exited', exit: { code: 0, signal: null } });
  });

  it('returns its output up to the exact limit', async () => {
    const said = (bytes: number) => node(`process.stdout.write('x'.repeat(${bytes}))`);
    const [most, more] = await Promise.all([
      runCommand(said(64 * 1024), limits, ports),
      runCommand(said(64 * 1024 + 1), limits, ports),
    ]);
    expect(most).toMatchObject({ kind: 'exited', stdout: 'x'.repeat(64 * 1024) });
    expect(more).toEqual({ kind: 'too-large', limit: 64 * 1024, stderr: [] });
  });

  it('is stopped when its output never ends', async () => {
    const run = await runCommand(shell('echo $$ >&2; exec yes'), limits, ports);
    expect(run).toMatchObject({ kind: 'too-large', stderr: [expect.stringMatching(/^\d+$/)] });
    expect(isAlive(Number('stderr' in run ? run.stderr[0] : 0))).toBe(false);
  });

  it('may write to stderr without end, and the last part is kept', async () => {
    const script = `process.stderr.write('noise\\n'.repeat(200_000) + 'the end\\n')`;
    const run = await runCommand(node(script), limits, ports);
    expect(run.kind === 'exited' && run.stderr.at(-1)).toBe('the end');
    expect(run.kind === 'exited' && run.stderr.join('\n').length).toBeLessThanOrEqual(4096);
  });

  it('is stopped with all its descendants at its timeout', async () => {
    await using folder = await tempFolder();
    const clock = new ManualClock();
    const script = `trap '' INT TERM; sleep 60 & echo "$$ $!" > pids; echo why >&2; mv pids ready; wait; sleep 60`;
    const running = runCommand({ ...shell(script), cwd: folder.path }, limits, { clock });
    const pids = await waitUntil(() => folder.read('ready').catch(() => undefined), {
      describe: 'the program to run',
    });
    await clock.advance(limits.timeoutMs);
    const run = await overTime(clock, running, 50);
    expect(run).toEqual({ kind: 'timeout', ms: limits.timeoutMs, stderr: ['why'] });
    await waitUntil(() => pids.split(' ').every((pid) => !isAlive(Number(pid))), {
      describe: 'the group to end',
    });
    await noTimerIsLeft(clock);
  });

  it('is stopped when its first output is late', async () => {
    await using folder = await tempFolder();
    const clock = new ManualClock();
    const spec = { ...shell('echo $$ > pid; mv pid ready; exec sleep 60'), cwd: folder.path };
    const running = runCommand(spec, { ...limits, firstWordMs: 100 }, { clock });
    const pid = await waitUntil(() => folder.read('ready').catch(() => undefined), {
      describe: 'the program to run',
    });
    await clock.advance(100);
    const run = await overTime(clock, running, 50);
    expect(run).toEqual({ kind: 'timeout', ms: 100, stderr: [] });
    await waitUntil(() => !isAlive(Number(pid)), { describe: 'the program to end' });
    await noTimerIsLeft(clock);
  });

  it('has all of its time after its first output', async () => {
    await using folder = await tempFolder();
    const clock = new ManualClock();
    const script = 'echo word; touch said; until [ -e go ]; do sleep 0.01; done; echo end';
    const spec = { ...shell(script), cwd: folder.path };
    const running = runCommand(spec, { ...limits, firstWordMs: 100 }, { clock });
    await waitUntil(() => folder.read('said').catch(() => undefined), {
      describe: 'the first word',
    });
    await clock.advance(limits.timeoutMs - 1);
    await folder.write('go', '');
    expect(await running).toMatchObject({ kind: 'exited', stdout: 'word\nend\n' });
  });

  it('ends the processes that it left behind, although they hold its output open', async () => {
    const run = await runCommand(shell('sleep 60 & echo $!'), limits, ports);
    const left = Number(run.kind === 'exited' ? run.stdout : 0);
    expect([left > 1, isAlive(left)]).toEqual([true, false]);
  });

  it('is aborted with its signal, before the start and after it', async () => {
    const already = AbortSignal.abort();
    expect(await runCommand(shell('echo x'), { ...limits, signal: already }, ports)).toEqual({
      kind: 'cancelled',
    });
    await using folder = await tempFolder();
    const giveUp = new AbortController();
    const spec = { ...shell('echo $$ > pid; mv pid ready; exec sleep 60'), cwd: folder.path };
    const running = runCommand(spec, { ...limits, signal: giveUp.signal }, ports);
    const pid = await waitUntil(() => folder.read('ready').catch(() => undefined), {
      describe: 'the program to run',
    });
    giveUp.abort();
    expect(await running).toEqual({ kind: 'cancelled' });
    expect(isAlive(Number(pid))).toBe(false);
  });

  it('that cannot be started is not an exception', async () => {
    const run = await runCommand({ ...shell(''), command: 'no-such-program' }, limits, ports);
    expect(run).toMatchObject({ kind: 'not-started', failure: { kind: 'command-not-found' } });
  });
});
