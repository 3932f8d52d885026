// Commands that are interrupted, and output pipes that are closed.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { descendants, isAlive, scriptedServer, verifies, waitUntil } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { finished, PLUGBOARD, sandbox } from './sandbox.ts';

const STUBBORN = scriptedServer({
  eras: ['legacy'],
  grandchildren: 1,
  ignoreStdinEnd: true,
});

describe.concurrent('an interrupted command', () => {
  verifies('CLI-06');

  it.for([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)(
    'ends soon after %s with the exit code of the signal, %i, and leaves no process behind',
    async ([signal, code], { expect }) => {
      await using box = await sandbox({ slow: STUBBORN });
      const child = box.start(['call', 'slow', 'never']);
      const ended = finished(child);
      // Once the server and its grandchild run, the call hangs or is about to.
      const started = await waitUntil(
        () => {
          const below = descendants(child.pid);
          return below.length >= 2 && below;
        },
        { describe: 'the server to start' },
      );
      child.kill(signal);
      expect(await ended).toEqual({
        code,
        stdout: '',
        stderr: 'error: cancelled\n',
      });
      expect(started.filter(({ pid }) => isAlive(pid))).toEqual([]);
    },
  );

  it('ends with 130 while it lists the tools of several servers', async ({ expect }) => {
    await using box = await sandbox({
      good: scriptedServer({ builtIns: ['echo'] }),
      slow: scriptedServer({ silent: true }),
    });
    const child = box.start(['tools', '--json']);
    const ended = finished(child);
    await waitUntil(() => descendants(child.pid).length >= 2, { describe: 'the servers to start' });
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
  });
});

describe.concurrent('an interrupted command that asks several servers at once', () => {
  it.for([
    ['list', '--check'],
    ['tools'],
    ['resources'],
    ['prompts'],
    ['skills'],
    ['read', 'foo:bar'],
    ['prompt', 'nope'],
  ])('reports once that it was cancelled: %s', async (words, { expect }) => {
    await using box = await sandbox({
      one: scriptedServer({ silent: true }),
      two: scriptedServer({ silent: true }),
    });
    const child = box.start(words);
    const ended = finished(child);
    await waitUntil(() => descendants(child.pid).length >= 2, { describe: 'the servers to start' });
    child.kill('SIGINT');
    expect(await ended).toEqual({ code: 130, stdout: '', stderr: 'error: cancelled\n' });
  });
});

describe.concurrent('a closed output pipe', () => {
  it('is not reported as an error', async ({ expect }) => {
    await using box = await sandbox({ server: scriptedServer() });
    const child = box.start(['call', 'server', 'big', 'bytes=10000000']);
    const ended = finished(child);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('may be stdout and stderr', async ({ expect }) => {
    await using box = await sandbox({ server: scriptedServer(), bad: { comand: 'x' } });
    const child = box.start(['tools']);
    child.stdout.destroy();
    child.stderr.destroy();
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(0);
  });

  it('differs from a failed write, which is reported', async ({ expect }) => {
    await using box = await sandbox({ a: { command: 'a' } });
    const shell = spawn('sh', ['-c', `"${process.execPath}" "${PLUGBOARD}" list > /dev/full`], {
      cwd: box.project,
      env: box.env,
    });
    expect(await finished(shell)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: cannot write to stdout (ENOSPC)\n',
    });
  });
});
