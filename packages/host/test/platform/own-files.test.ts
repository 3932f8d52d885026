import { chown, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { tempFolder } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { ownFiles } from '../../src/platform/index.ts';

const ANOTHER = 12_345;

describe('the own files of a folder', () => {
  it('are sorted by name, and include no folders or links', async () => {
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

  it('are none if there is no folder', async () => {
    await using folder = await tempFolder();
    expect(await ownFiles(join(folder.path, 'nowhere'))).toEqual([]);
  });

  it('exclude those of other users', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('of-another', 'x');
    // Only root can change owners; otherwise files of other users are in /etc.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) await chown(file, ANOTHER, ANOTHER);
    expect(await ownFiles(isRoot ? folder.path : '/etc')).toEqual([]);
  });
});
