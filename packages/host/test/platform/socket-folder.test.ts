import { tempFolder, verifies } from '@plugboard/testkit';
import { chmod, chown, lstat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  ensureSocketFolder,
  findSocket,
  socketFolderOf,
} from '../../src/platform/socket-folder.ts';

const PATHS = { home: '/h', config: '/h/c', state: '/h/state/plugboard', cache: '/h/ca' };

describe("the place of a user's sockets", () => {
  it.each([
    [
      'the runtime folder of the session',
      { XDG_RUNTIME_DIR: '/run/user/7' },
      '/run/user/7/plugboard',
    ],
    ['the state folder without one', {}, '/h/state/plugboard/shared'],
    [
      'the state folder where it is not a whole path',
      { XDG_RUNTIME_DIR: 'run' },
      '/h/state/plugboard/shared',
    ],
    [
      'the state folder where the other is too long for a socket',
      { XDG_RUNTIME_DIR: `/${'long/'.repeat(20)}` },
      '/h/state/plugboard/shared',
    ],
  ])('is %s', (_, env, expected) => {
    expect(socketFolderOf({ env, paths: PATHS, platform: 'linux' })).toBe(expected);
  });

  it('is undefined if every path is too long, and on Windows', () => {
    const state = `/${'long/'.repeat(20)}`;
    expect(
      socketFolderOf({ env: {}, paths: { ...PATHS, state }, platform: 'linux' }),
    ).toBeUndefined();
    expect(socketFolderOf({ env: {}, paths: PATHS, platform: 'win32' })).toBeUndefined();
  });
});

describe('the socket folder', () => {
  verifies('CON-12');

  it('is created for its user alone', async () => {
    await using folder = await tempFolder();
    const path = join(folder.path, 'a', 'shared');
    expect(await ensureSocketFolder(path)).toEqual({ ok: true, value: undefined });
    expect((await lstat(path)).mode & 0o777).toBe(0o700);
    expect(await ensureSocketFolder(path)).toEqual({ ok: true, value: undefined });
  });

  it('is refused if others may enter it', async () => {
    await using folder = await tempFolder();
    const path = await folder.mkdir('shared');
    await chmod(path, 0o750);
    expect(await ensureSocketFolder(path)).toEqual({
      ok: false,
      error: { kind: 'unsafe', path, why: 'open-to-others' },
    });
  });

  it('is refused if it is a link, also one to a folder of the user', async () => {
    await using folder = await tempFolder();
    const target = await folder.mkdir('target');
    await chmod(target, 0o700);
    const path = join(folder.path, 'shared');
    await symlink(target, path);
    expect(await ensureSocketFolder(path)).toMatchObject({
      error: { kind: 'unsafe', why: 'link' },
    });
  });

  it('is refused if it is a file, or belongs to another user', async () => {
    await using folder = await tempFolder();
    const path = await folder.write('shared', 'no folder');
    expect(await ensureSocketFolder(path)).toMatchObject({
      error: { kind: 'unsafe', why: 'wrong-type' },
    });
    // Only root can change owners; otherwise a folder of root is used.
    const others = process.getuid?.() === 0 ? await folder.mkdir('theirs') : '/';
    if (others !== '/') await chown(others, 54_321, 54_321);
    expect(await ensureSocketFolder(others)).toMatchObject({ error: { why: 'foreign' } });
  });
});

describe('looking up a socket', () => {
  it('finds it, finds none, or refuses what is there', async () => {
    await using folder = await tempFolder();
    const path = join(folder.path, 'x.sock');
    expect(await findSocket(path)).toEqual({ ok: true, value: 'absent' });
    await writeFile(path, '');
    expect(await findSocket(path)).toMatchObject({ error: { kind: 'unsafe', why: 'wrong-type' } });
    const other = join(folder.path, 'y.sock');
    const server = createServer().listen(other);
    await once(server, 'listening');
    expect(await findSocket(other)).toEqual({ ok: true, value: 'there' });
    const linked = join(folder.path, 'z.sock');
    await symlink(other, linked);
    expect(await findSocket(linked)).toMatchObject({ error: { kind: 'unsafe', why: 'link' } });
    server.close();
    await once(server, 'close');
  });
});
