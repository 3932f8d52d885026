import { chmod, link, lstat, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Scope } from '@plugboard/base';
import { draftName } from '@plugboard/base/platform';
import { tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { ERAS, givenWorkspace } from './given-workspace.ts';

describe.each(ERAS)('write_file, %s', (era) => {
  verifies('AGT-08');

  it('creates a file with its parent folders, and reports it', async () => {
    await using scope = new Scope();
    const { folder, call } = await givenWorkspace(scope, { era });
    expect(await call('write_file', { path: 'src/deep/a.ts', content: 'one\ntwo\n' })).toEqual({
      isError: false,
      text: 'Created src/deep/a.ts with 2 lines.',
      data: {
        path: 'src/deep/a.ts',
        kind: 'created',
        bytes: 8,
        lines_added: 2,
        lines_removed: 0,
        diff: '@@ -0,0 +1,2 @@\n+one\n+two\n',
      },
    });
    expect(await folder.read('tree/src/deep/a.ts')).toBe('one\ntwo\n');
  });

  it('replaces a file, keeps its mode, and shows the difference', async () => {
    await using scope = new Scope();
    const { folder, root, call } = await givenWorkspace(scope, { era });
    await folder.write('tree/run.sh', 'a\nb\nc\n');
    await chmod(join(root, 'run.sh'), 0o754);
    const answer = await call('write_file', { path: join(root, 'run.sh'), content: 'a\nB\nc\n' });
    expect(answer).toEqual({
      isError: false,
      text: 'Replaced run.sh: 1 line added, 1 removed.',
      data: {
        path: 'run.sh',
        kind: 'replaced',
        bytes: 6,
        lines_added: 1,
        lines_removed: 1,
        diff: '@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n',
      },
    });
    expect((await stat(join(root, 'run.sh'))).mode & 0o777).toBe(0o754);
    expect(await readdir(root)).toEqual(['run.sh']);
  });

  it('removes the drafts of a process that was killed while writing', async () => {
    verifies('POL-19');
    await using scope = new Scope();
    const { folder, root, call } = await givenWorkspace(scope, { era });
    const gone = draftName().replace(/^\.plugboard-\d+-\d*/, '.plugboard-2147483646-1');
    await folder.write(`tree/${gone}`, 'half');
    await call('write_file', { path: 'a.txt', content: 'a' });
    expect(await readdir(root)).toEqual(['a.txt']);
  });

  it('does not touch a file that already has this content', async () => {
    await using scope = new Scope();
    const { folder, root, call } = await givenWorkspace(scope, { era });
    await folder.write('tree/a.txt', 'same\n');
    const before = await stat(join(root, 'a.txt'));
    const { text } = await call('write_file', { path: 'a.txt', content: 'same\n' });
    expect(text).toBe('a.txt has this very content already; nothing was written.');
    expect((await stat(join(root, 'a.txt'))).ino).toBe(before.ino);
  });
});

describe('write_file stays inside the working directory', () => {
  verifies('AGT-08');

  it.each([
    ['../out.txt', 'it leads out of the working directory'],
    ['a/../../out.txt', 'it leads out of the working directory'],
    ['/etc/plugboard-test', 'it leads out of the working directory'],
    ['~/out.txt', 'it leads out of the working directory'],
    ['a\0b', 'a path cannot hold a NUL character'],
    ['a\\b', 'use "/" between folders'],
    ['', 'the path is empty'],
    ['.', 'it is a folder'],
    ['x'.repeat(300), 'the path is longer than any file can have'],
    ['.git/hooks/pre-commit', 'what git keeps in .git is not written'],
    ['sub/.GIT/config', 'what git keeps in .git is not written'],
    ['.g\u200Cit/config', 'what git keeps in .git is not written'],
    ['.git', 'what git keeps in .git is not written'],
    ['.plugboard/settings.local.json', 'a person has to change it'],
    ['.claude/settings.local.json', 'a person has to change it'],
  ])('refuses %j', async (path, words) => {
    await using scope = new Scope();
    const { folder, root, call } = await givenWorkspace(scope);
    const answer = await call('write_file', { path, content: 'x' });
    expect(answer).toMatchObject({
      isError: true,
      text: expect.stringContaining(words) as unknown,
    });
    expect(await readdir(root)).toEqual([]);
    expect(await readdir(folder.path)).toEqual(['tree']);
  });

  it('does not write the settings of the user, also when the home folder is the working directory', async () => {
    await using scope = new Scope();
    const folder = scope.use(await tempFolder());
    const home = await folder.mkdir('tree');
    const paths = {
      home,
      config: join(home, '.config/plugboard'),
      state: join(home, '.local/state/plugboard'),
      cache: join(home, '.cache/plugboard'),
    };
    const { call } = await givenWorkspace(scope, { root: home, environment: { env: {}, paths } });
    for (const path of ['.config/plugboard/settings.json', '.local/state/plugboard/trust.json']) {
      expect((await call('write_file', { path, content: '{}' })).text).toContain('a person has to');
    }
    expect((await call('write_file', { path: '.config/other', content: '{}' })).isError).toBe(
      false,
    );
  });

  it('does not write the settings through links inside the working directory', async () => {
    await using scope = new Scope();
    const folder = scope.use(await tempFolder());
    const home = await folder.mkdir('tree');
    await folder.mkdir('tree/dotfiles/config/plugboard');
    await folder.write('tree/dotfiles/plugboard.json', '{}');
    await symlink('dotfiles/config', join(home, '.config'));
    await symlink('../../plugboard.json', join(home, 'dotfiles/config/plugboard/settings.json'));
    const paths = {
      home,
      config: join(home, '.config/plugboard'),
      state: join(home, '.local/state/plugboard'),
      cache: join(home, '.cache/plugboard'),
    };
    const { call } = await givenWorkspace(scope, { root: home, environment: { env: {}, paths } });
    for (const path of [
      'dotfiles/plugboard.json',
      'dotfiles/config/plugboard/plugins/x.json',
      'dotfiles/CONFIG/plugboard/settings.json',
    ]) {
      expect((await call('write_file', { path, content: '{}' })).text).toContain('a person has to');
    }
    expect((await call('write_file', { path: 'dotfiles/other', content: '' })).isError).toBe(false);
  });

  it('follows links that stay inside, and refuses links that lead out, nowhere or to git', async () => {
    await using scope = new Scope();
    const { folder, root, call } = await givenWorkspace(scope);
    await folder.write('out/secret.txt', 'kept');
    await folder.write('tree/real/a.txt', 'old');
    await folder.write('tree/.git/config', 'kept');
    await symlink('real', join(root, 'inside'));
    await symlink('real/a.txt', join(root, 'file'));
    await symlink('../out', join(root, 'outside'));
    await symlink('../out/secret.txt', join(root, 'secret'));
    await symlink('../out/new.txt', join(root, 'dangling'));
    await symlink('.git', join(root, 'innocent'));
    await symlink('loop', join(root, 'loop'));
    const write = async (path: string) => (await call('write_file', { path, content: 'new' })).text;
    expect(await write('inside/b.txt')).toBe('Created real/b.txt with 1 line.');
    expect(await write('file')).toBe('Replaced real/a.txt: 1 line added, 1 removed.');
    expect((await lstat(join(root, 'file'))).isSymbolicLink()).toBe(true);
    expect(await write('outside/secret.txt')).toContain('it leads out of the working directory');
    expect(await write('outside/deep/new.txt')).toContain('it leads out of the working directory');
    expect(await write('secret')).toContain('it leads out of the working directory');
    expect(await write('dangling')).toContain('it is a link to something that does not exist');
    expect(await write('innocent/config')).toContain('what git keeps in .git is not written');
    expect(await write('loop/a')).toContain('it leads out of the working directory');
    expect(await folder.read('out/secret.txt')).toBe('kept');
    expect(await readdir(join(folder.path, 'out'))).toEqual(['secret.txt']);
    expect(await folder.read('tree/.git/config')).toBe('kept');
  });

  it('does not follow a folder that becomes a link at the worst moment', async () => {
    await using scope = new Scope();
    let swap = async (): Promise<void> => {};
    const { folder, root, call } = await givenWorkspace(scope, {
      seams: { beforeWalk: () => swap() },
    });
    await folder.mkdir('tree/sub');
    await folder.mkdir('out');
    swap = async () => {
      await rm(join(root, 'sub'), { recursive: true });
      await symlink('../out', join(root, 'sub'));
    };
    const { text } = await call('write_file', { path: 'sub/a.txt', content: 'x' });
    expect(text).toContain('it leads out of the working directory');
    expect(await readdir(join(folder.path, 'out'))).toEqual([]);
  });

  it('does not follow a folder that is moved away once it is open', async () => {
    await using scope = new Scope();
    let move = async (): Promise<void> => {};
    const seams = { afterWalk: () => move() };
    const { folder, root, call } = await givenWorkspace(scope, { seams });
    await folder.mkdir('tree/sub');
    const away = join(folder.path, 'away');
    move = () => rename(join(root, 'sub'), away);
    const { text } = await call('write_file', { path: 'sub/a.txt', content: 'x' });
    expect(text).toContain('it leads out of the working directory');
    expect(await readdir(away)).toEqual([]);
  });

  it('does not write into a protected folder through a link that appears after the check', async () => {
    await using scope = new Scope();
    let swap = async (): Promise<void> => {};
    const seams = { beforeOpen: () => swap() };
    const { folder, root, call } = await givenWorkspace(scope, { seams });
    await folder.write('tree/.git/hooks/x', 'kept');
    await folder.mkdir('tree/sub');
    swap = async () => {
      await rm(join(root, 'sub'), { recursive: true });
      await symlink('.git/hooks', join(root, 'sub'));
    };
    const { text } = await call('write_file', { path: 'sub/x', content: 'x' });
    expect(text).toContain('another program changed it at this moment');
    expect(await folder.read('tree/.git/hooks/x')).toBe('kept');
  });

  it('writes into the folder that it opened, whatever replaces it meanwhile', async () => {
    await using scope = new Scope();
    let swap = async (): Promise<void> => {};
    const seams = { beforeRename: () => swap() };
    const { folder, root, call } = await givenWorkspace(scope, { seams });
    await folder.mkdir('tree/sub');
    await folder.mkdir('out');
    swap = async () => {
      await rename(join(root, 'sub'), join(root, 'moved'));
      await symlink('../out', join(root, 'sub'));
    };
    await call('write_file', { path: 'sub/a.txt', content: 'x' });
    expect(await readdir(join(folder.path, 'out'))).toEqual([]);
    expect(await readdir(join(root, 'moved'))).toEqual(['a.txt']);
  });

  it('refuses folders, sockets, and files in the place of folders', async () => {
    await using scope = new Scope();
    const { folder, root, call } = await givenWorkspace(scope);
    await folder.write('tree/a.txt', 'x');
    await folder.mkdir('tree/sub');
    const socket = createServer();
    await new Promise<void>((resolve) => socket.listen(join(root, 'sock'), resolve));
    scope.defer(() => new Promise<void>((resolve) => socket.close(() => resolve())));
    const write = async (path: string) => (await call('write_file', { path, content: 'y' })).text;
    expect(await write('sub')).toContain('it is a folder');
    expect(await write('a.txt/b')).toContain('a part of the path is a file');
    expect(await write('sock')).toContain('it is a device, a pipe or a socket');
  });
});

describe('write_file', () => {
  it('refuses content above the limit, and to replace a file above it', async () => {
    await using scope = new Scope();
    const { folder, call } = await givenWorkspace(scope, { limits: { fileBytes: 10 } });
    await folder.write('tree/large.txt', 'x'.repeat(11));
    expect((await call('write_file', { path: 'a', content: 'x'.repeat(11) })).text).toBe(
      'the content has 11 bytes, and at most 10 are written at once',
    );
    expect((await call('write_file', { path: 'large.txt', content: 'y' })).text).toContain(
      'too large',
    );
    expect(await folder.read('tree/large.txt')).toBe('x'.repeat(11));
  });

  it('leaves the old file and nothing else when the disk is full', async () => {
    await using scope = new Scope();
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
    });
    const seams = { write: () => Promise.reject(full) };
    const { folder, root, call } = await givenWorkspace(scope, { seams });
    await folder.write('tree/a.txt', 'old');
    expect(await call('write_file', { path: 'a.txt', content: 'new' })).toMatchObject({
      isError: true,
      text: 'write_file failed: ENOSPC: no space left on device, write',
    });
    expect(await readdir(root)).toEqual(['a.txt']);
    expect(await folder.read('tree/a.txt')).toBe('old');
  });

  it.each([
    ['changed', 'theirs'],
    ['deleted', undefined],
  ])('does not overwrite a file that is %s at the same moment', async (_, theirs) => {
    await using scope = new Scope();
    let meddle = async (): Promise<void> => {};
    const seams = { beforeRename: () => meddle() };
    const { folder, root, call } = await givenWorkspace(scope, { seams });
    const path = await folder.write('tree/a.txt', 'old');
    meddle = async () => {
      await rm(path);
      if (theirs !== undefined) await folder.write('tree/a.txt', theirs);
    };
    const { isError, text } = await call('write_file', { path: 'a.txt', content: 'new' });
    expect({ isError, text }).toEqual({
      isError: true,
      text: '"a.txt": another program changed it at this moment, and nothing was written; read it and try again',
    });
    expect(await readdir(root)).toEqual(theirs === undefined ? [] : ['a.txt']);
  });

  it('does not change other hard links to the same file', async () => {
    await using scope = new Scope();
    const { folder, root, call } = await givenWorkspace(scope);
    const outside = await folder.write('out.txt', 'old');
    await link(outside, join(root, 'a.txt'));
    await call('write_file', { path: 'a.txt', content: 'new' });
    expect(await readFile(outside, 'utf8')).toBe('old');
  });

  it('creates folders that two calls need at once', async () => {
    await using scope = new Scope();
    const { root, call } = await givenWorkspace(scope);
    const names = Array.from({ length: 10 }, (_, index) => `f${index}`);
    const answers = await Promise.all(
      names.map((name) => call('write_file', { path: `a/b/c/${name}`, content: name })),
    );
    expect(answers.every(({ isError }) => !isError)).toBe(true);
    expect((await readdir(join(root, 'a/b/c'))).toSorted()).toEqual(names);
  });
});
