import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { descendants, isAlive, processTree } from '../src/processes.ts';
import { scriptedServer } from '../src/scripted-server.ts';
import { waitUntil } from '../src/wait-until.ts';
import { RawClient } from './raw-client.ts';

describe.runIf(process.platform === 'linux')('watching processes', () => {
  it('finds a process, its descendants, and their end', async () => {
    const client = new RawClient(scriptedServer({ grandchildren: 2 }));
    const { result } = await client.call('pids');
    const pids = result?.['structuredContent'] as { pid: number; grandchildren: number[] };
    const tree = [pids.pid, ...pids.grandchildren];
    expect(new Set(processTree(client.pid).map(({ pid }) => pid))).toEqual(new Set(tree));
    expect(descendants().map(({ pid }) => pid)).toEqual(expect.arrayContaining(tree));
    expect(processTree(client.pid).map(({ group }) => group)).toEqual(tree.map(() => client.pid));

    await client[Symbol.asyncDispose]();
    await waitUntil(() => !tree.some(isAlive), { describe: 'the group to end' });
    expect(processTree(client.pid)).toEqual([]);
  });

  it('reads the command of a process whose name has brackets and spaces', async () => {
    const child = spawn('bash', ['-c', 'exec -a "a ) b (c" sleep 30'], { stdio: 'ignore' });
    const sleeping = await waitUntil(
      () => processTree(child.pid!).find(({ command }) => command.startsWith('a ) b (c')),
      { describe: 'the shell to become sleep' },
    );
    expect(sleeping).toMatchObject({ pid: child.pid, parent: process.pid });
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
});

describe('waitUntil', () => {
  it('returns the first defined value', async () => {
    let looks = 0;
    const value = await waitUntil(() => ((looks += 1) < 3 ? undefined : `look ${looks}`), {
      describe: 'the third look',
    });
    expect(value).toBe('look 3');
  });

  it('fails with what it waited for', async () => {
    await expect(
      waitUntil(() => false, { timeoutMs: 20, describe: 'the moon' }),
    ).rejects.toMatchObject({
      code: 'wait-timed-out',
      message: 'waited 20 ms in vain for the moon',
    });
  });
});
