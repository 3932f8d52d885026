import { homedir } from 'node:os';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { tempFolder } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { exists, foldersUpTo, hostEnvironment, userPaths } from '../../src/platform/index.ts';

const is =
  (top: string) =>
  (folder: string): Promise<boolean> =>
    Promise.resolve(folder === top);

describe('the environment of the host', () => {
  it('is that of the process', () => {
    expect(hostEnvironment()).toEqual({
      env: { ...process.env },
      cwd: process.cwd(),
      home: homedir(),
      platform: process.platform,
      paths: userPaths(process.env, process.platform, homedir()),
    });
  });
});

describe('the folders up to the top', () => {
  it('are listed nearest first, the top included', async () => {
    expect(await foldersUpTo('/a/b/c/d', is('/a/b'))).toEqual(['/a/b/c/d', '/a/b/c', '/a/b']);
  });

  it('are only the start when it is itself a top', async () => {
    expect(await foldersUpTo('/a/b', () => Promise.resolve(true))).toEqual(['/a/b']);
  });

  it('are only the start when there is no top', async () => {
    expect(await foldersUpTo('/a/b', () => Promise.resolve(false))).toEqual(['/a/b']);
  });

  it('may reach the root', async () => {
    expect(await foldersUpTo('/a/', is('/'))).toEqual(['/a', '/']);
  });
});

describe('checking whether a path exists', () => {
  it('is true for files and folders, and for links only if their target exists', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('file', '');
    const link = join(folder.path, 'link');
    await symlink('nowhere', link);
    const paths = [file, folder.path, link, join(file, 'below'), join(folder.path, 'missing')];
    expect(await Promise.all(paths.map(exists))).toEqual([true, true, false, false, false]);
  });
});
