import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { tempFolder } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { isRunning, ownFiles } from '../../src/platform/index.ts';

describe('the own files of a folder', () => {
  it('are its files, in the order of names, and no folders or links', async () => {
    await using folder = await tempFolder();
    await folder.write('b', '1');
    await folder.write('a', '2');
    await mkdir(join(folder.path, 'c'));
    await symlink(join(folder.path, 'a'), join(folder.path, 'd'));
    const changedAt = expect.any(Number) as number;
    expect(await ownFiles(folder.path)).toEqual([
      { name: 'a', path: join(folder.path, 'a'), changedAt },
      { name: 'b', path: join(folder.path, 'b'), changedAt },
    ]);
  });

  it('are none where there is no folder', async () => {
    await using folder = await tempFolder();
    expect(await ownFiles(join(folder.path, 'nowhere'))).toEqual([]);
  });

  it.skipIf(process.getuid?.() === 0)('are none in a folder of others', async () => {
    expect(await ownFiles('/etc')).toEqual([]);
  });
});

describe('a process of some number', () => {
  it.each([
    [process.pid, true],
    [1, true],
    [2 ** 30, false],
    [0, false],
    [-1, false],
    [1.5, false],
    [Number.NaN, false],
  ])('%d runs: %s', (pid, expected) => {
    expect(isRunning(pid)).toBe(expected);
  });
});
