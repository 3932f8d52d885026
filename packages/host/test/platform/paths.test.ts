import { homedir } from 'node:os';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { tempFolder } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { exists, foldersUpTo } from '../../src/platform/find-up.ts';
import { hostEnvironment } from '../../src/platform/host-environment.ts';
import { userPaths } from '../../src/platform/user-paths.ts';

const is =
  (top: string) =>
  (folder: string): Promise<boolean> =>
    Promise.resolve(folder === top);

describe("the user's paths", () => {
  const home = '/home/ada';
  const usual = {
    home,
    config: '/home/ada/.config/plugboard',
    state: '/home/ada/.local/state/plugboard',
    cache: '/home/ada/.cache/plugboard',
  };

  it('are the usual ones on Linux and macOS', () => {
    expect([userPaths({}, 'linux', home), userPaths({}, 'darwin', home)]).toEqual([usual, usual]);
  });

  it('follow the XDG variables', () => {
    const env = { XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s/', XDG_CACHE_HOME: '/x' };
    expect(userPaths(env, 'linux', home)).toEqual({
      home,
      config: '/c/plugboard',
      state: '/s/plugboard',
      cache: '/x/plugboard',
    });
  });

  it('do not follow XDG variables that are relative or empty', () => {
    const env = { XDG_CONFIG_HOME: 'c', XDG_STATE_HOME: '', XDG_CACHE_HOME: './x' };
    expect(userPaths(env, 'linux', home)).toEqual(usual);
  });

  it('are the usual ones on Windows', () => {
    const env = { APPDATA: 'D:\\Roaming', XDG_CONFIG_HOME: '/c' };
    expect(userPaths(env, 'win32', 'C:\\Users\\ada')).toEqual({
      home: 'C:\\Users\\ada',
      config: 'D:\\Roaming\\plugboard',
      state: 'C:\\Users\\ada\\AppData\\Local\\plugboard\\State',
      cache: 'C:\\Users\\ada\\AppData\\Local\\plugboard\\Cache',
    });
  });
});

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
