import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { never, systemClock } from '@plugboard/base';
import { tempFolder, type TempFolder, verifies } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { blameOf, commitsOf, Git } from '../../src/history/index.ts';
import { findProgram } from '../../src/platform/index.ts';

let place: TempFolder;
let tree: string;

beforeEach(async () => {
  place = await tempFolder();
  tree = join(place.path, 'tree');
  await place.write('tree/src/a.ts', 'export const one = 1;\nexport const two = 2;\n');
  git('init', '--quiet');
  commit('Begin with one and two');
  await place.write('tree/src/a.ts', 'export const one = 1;\nexport const two = 22;\n');
  commit('Change two');
  await place.write('tree/src/b.ts', 'export const three = 3;\n');
  commit('Add three');
});
afterEach(() => place[Symbol.asyncDispose]());

function git(...args: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
    cwd: tree,
    env: { PATH: process.env['PATH'], HOME: place.path },
    stdio: 'ignore',
  });
}

function commit(message: string): void {
  git('add', '--all');
  git('commit', '--quiet', '--message', message);
}

const FAILED = 'git failed; run "git log" there to see why';
const asked = { path: '', kind: 'folder', limit: 10 } as const;

async function subjects(query: Partial<Parameters<typeof commitsOf>[1]>): Promise<unknown> {
  const found = await commitsOf(new Git(tree, systemClock), { ...asked, ...query }, never);
  return found.ok ? found.value.commits.map(({ subject }) => subject) : found.error;
}

describe('the history of a tree', () => {
  verifies('COD-17');

  it('lists commits by place, lines, message and changed text', async () => {
    const file = { path: 'src/a.ts', kind: 'file' } as const;
    expect(await subjects({})).toEqual(['Add three', 'Change two', 'Begin with one and two']);
    expect(await subjects(file)).toEqual(['Change two', 'Begin with one and two']);
    expect(await subjects({ ...file, lines: { start: 2, end: 2 } })).toEqual([
      'Change two',
      'Begin with one and two',
    ]);
    expect(await subjects({ ...file, lines: { start: 1, end: 1 } })).toEqual([
      'Begin with one and two',
    ]);
    expect(await subjects({ message: 'THREE' })).toEqual(['Add three']);
    expect(await subjects({ text: '22' })).toEqual(['Change two']);
    expect(await subjects({ message: '--all' })).toEqual([]);
  });

  it('tells who last changed each line', async () => {
    const lines = { start: 1, end: 2 };
    const blamed = await blameOf(new Git(tree, systemClock), { path: 'src/a.ts', lines }, never);
    expect(
      blamed.ok &&
        blamed.value.map(({ line, commit: { author, subject }, text }) => [
          line,
          author,
          subject,
          text,
        ]),
    ).toEqual([
      [1, 'Ada', 'Begin with one and two', 'export const one = 1;'],
      [2, 'Ada', 'Change two', 'export const two = 22;'],
    ]);
  });

  it('starts none of the programs that a repository names', async () => {
    const marker = join(place.path, 'started');
    const program = await place.write('tree/evil.sh', `#!/bin/sh\ntouch ${marker}\ncat\n`);
    await chmod(program, 0o755);
    await place.write('tree/.gitattributes', '*.ts diff=evil filter=evil\n');
    await place.write('tree/src/a.ts', 'export const one = 1;\nexport const two = 222;\n');
    commit('Have attributes');
    for (const key of [
      ...['core.fsmonitor', 'core.pager', 'core.sshCommand', 'core.askPass', 'diff.external'],
      ...['diff.evil.command', 'diff.evil.textconv', 'filter.evil.clean', 'filter.evil.smudge'],
      ...['filter.evil.process', 'gpg.program', 'credential.helper', 'pager.log', 'pager.blame'],
    ]) {
      git('config', key, program);
    }
    git('config', 'log.showSignature', 'true');
    for (const hook of ['post-index-change', 'reference-transaction', 'pre-auto-gc']) {
      await chmod(
        await place.write(`tree/.git/hooks/${hook}`, `#!/bin/sh\ntouch ${marker}\n`),
        0o755,
      );
    }
    await rm(marker, { force: true });
    const file = { path: 'src/a.ts', kind: 'file' } as const;
    expect(await subjects({ ...file, text: '22' })).toContain('Change two');
    expect(await subjects({ ...file, lines: { start: 2, end: 2 } })).toContain('Change two');
    const lines = { start: 1, end: 2 };
    const blamed = await blameOf(new Git(tree, systemClock), { path: 'src/a.ts', lines }, never);
    expect(blamed.ok).toBe(true);
    expect(existsSync(marker)).toBe(false);
  });

  it('does not read a repository elsewhere that a .git file leads to', async () => {
    const other = join(place.path, 'other.git');
    await rename(join(tree, '.git'), other);
    await place.write('tree/.git', `gitdir: ${other}\n`);
    expect(await subjects({})).toContain('leads to a repository elsewhere');
    await rm(join(tree, '.git'));
    expect(await subjects({})).toBe('the tree is not in a git repository');
  });

  it.each([
    [
      'a commondir',
      async (own: string, other: string) => {
        await mkdir(join(own, 'refs'));
        await mkdir(join(own, 'objects'));
        await place.write('tree/.git/commondir', `${other}\n`);
      },
    ],
    [
      'links to its branches and objects',
      async (own: string, other: string) => {
        await symlink(join(other, 'refs'), join(own, 'refs'));
        await symlink(join(other, 'objects'), join(own, 'objects'));
      },
    ],
    [
      'a link to its list of branches',
      async (own: string, other: string) => {
        execFileSync('git', ['pack-refs', '--all'], { cwd: other });
        await mkdir(join(own, 'refs'));
        await symlink(join(other, 'packed-refs'), join(own, 'packed-refs'));
        await place.write('tree/.git/objects/info/alternates', `${join(other, 'objects')}\n`);
      },
    ],
    [
      'a link to its branch',
      async (own: string, other: string) => {
        const branch = execFileSync('git', ['symbolic-ref', 'HEAD'], { cwd: other });
        const name = branch.toString().trim();
        await mkdir(join(own, 'refs/heads'), { recursive: true });
        await symlink(join(other, name), join(own, name));
        await place.write('tree/.git/objects/info/alternates', `${join(other, 'objects')}\n`);
      },
    ],
  ])('does not read a repository elsewhere that .git leads to by %s', async (_, lead) => {
    const other = join(place.path, 'other.git');
    await rename(join(tree, '.git'), other);
    const head = execFileSync('git', ['symbolic-ref', 'HEAD'], { cwd: other }).toString();
    await place.write('tree/.git/HEAD', `ref: ${head}`);
    await lead(join(tree, '.git'), other);
    expect(await subjects({})).toContain('leads to a repository elsewhere');
  });

  describe('of a repository that knows the id of a commit elsewhere', () => {
    const BORROWED = 'takes commits from a folder outside of this tree';
    let objects: string;

    beforeEach(async () => {
      const id = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: tree }).toString().trim();
      objects = join(place.path, 'private/.git/objects');
      await rename(tree, join(place.path, 'private'));
      await mkdir(tree);
      git('init', '--quiet');
      const head = execFileSync('git', ['symbolic-ref', 'HEAD'], { cwd: tree }).toString().trim();
      await place.write(`tree/.git/${head}`, `${id}\n`);
    });

    it.each([
      ['by its path', () => `# others\n\n${objects}\n`],
      ['by a relative path', () => '../../../private/.git/objects'],
      ['in quotes', () => `"${objects}"\n`],
      ['at the end of a long file', () => `#${'x'.repeat(70_000)}\n${objects}\n`],
    ])('does not read alternates that lead there %s', async (_, alternates) => {
      await place.write('tree/.git/objects/info/alternates', alternates());
      expect(await subjects({})).toContain(BORROWED);
      const lines = { start: 1, end: 1 };
      const blamed = await blameOf(new Git(tree, systemClock), { path: 'src/a.ts', lines }, never);
      expect(blamed).toEqual({ ok: false, error: expect.stringContaining(BORROWED) });
    });

    it('does not read alternates of alternates, nor those behind a link in the tree', async () => {
      await place.write('tree/.git/objects/info/alternates', '../../more/objects\n');
      await place.write('tree/more/objects/info/alternates', `${objects}\n`);
      expect(await subjects({})).toContain(BORROWED);
      await rm(join(tree, 'more'), { recursive: true });
      await mkdir(join(tree, 'more'));
      await symlink(objects, join(tree, 'more/objects'));
      expect(await subjects({})).toContain(BORROWED);
    });

    it('does not read alternates in a file elsewhere that a link leads to', async () => {
      const file = await place.write('list', `${objects}\n`);
      await symlink(file, join(tree, '.git/objects/info/alternates'));
      expect(await subjects({})).toContain('leads to a repository elsewhere');
    });

    it('does not read folders of objects elsewhere that links lead to', async () => {
      for (const name of await readdir(objects)) {
        if (name.length !== 2) continue;
        await symlink(join(objects, name), join(tree, '.git/objects', name));
      }
      expect(await subjects({})).toContain('leads to a repository elsewhere');
    });

    it('does not read packs elsewhere that links lead to', async () => {
      execFileSync('git', ['repack', '-adq'], { cwd: join(place.path, 'private') });
      for (const name of await readdir(join(objects, 'pack'))) {
        await symlink(join(objects, 'pack', name), join(tree, '.git/objects/pack', name));
      }
      expect(await subjects({})).toContain('leads to a repository elsewhere');
    });
  });

  it('is read where a clone shares the objects of a repository in the same tree', async () => {
    git('clone', '--quiet', '--bare', '.', 'store.git');
    await rename(join(tree, '.git'), join(place.path, 'first'));
    git('clone', '--quiet', '--shared', 'store.git', 'copy');
    await rename(join(tree, 'copy/.git'), join(tree, '.git'));
    expect(existsSync(join(tree, '.git/objects/info/alternates'))).toBe(true);
    expect(await subjects({ message: 'three' })).toEqual(['Add three']);
  });

  it('is read in a shared clone after the command that the error recommends', async () => {
    git('clone', '--quiet', '--shared', '.', '../copy');
    tree = join(place.path, 'copy');
    const error = String(await subjects({}));
    const [, command = ''] = /this gives it its own: (.*)$/.exec(error) ?? [];
    execFileSync('sh', ['-c', command], { cwd: tree, stdio: 'ignore' });
    expect(await subjects({ message: 'three' })).toEqual(['Add three']);
  });

  it('is read in a worktree and in a submodule, whose repositories are elsewhere', async () => {
    git('worktree', 'add', '--quiet', '../beside');
    git('clone', '--quiet', '.', '../whole');
    const top = tree;
    tree = join(place.path, 'whole');
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', top, 'part');
    for (const other of ['beside', 'whole/part']) {
      tree = join(place.path, other);
      expect(await subjects({ message: 'three' })).toEqual(['Add three']);
    }
  });

  it('shows nothing of files of the user that the repository makes git read', async () => {
    const lines = { start: 1, end: 1 };
    const blame = () => blameOf(new Git(tree, systemClock), { path: 'src/a.ts', lines }, never);
    const secret = await place.write('credentials', 'https://ada:hunter2@example.org\n');
    git('config', 'mailmap.file', await place.write('names', 'Eve <ada@example.org>\n'));
    expect(await blame()).toMatchObject({ ok: true, value: [{ commit: { author: 'Ada' } }] });
    git('config', 'blame.ignoreRevsFile', secret);
    expect(await blame()).toEqual({ ok: false, error: FAILED });
    git('config', '--unset', 'blame.ignoreRevsFile');
    await symlink(secret, join(tree, '.git/shallow'));
    expect(await subjects({})).toBe(FAILED);
  });

  it('explains errors in its own words', async () => {
    const blame = (path: string, start: number) =>
      blameOf(new Git(tree, systemClock), { path, lines: { start, end: start } }, never);
    expect(await blame('src/no.ts', 1)).toEqual({
      ok: false,
      error: 'the last commit does not have this file',
    });
    expect(await blame('src/a.ts', 9)).toEqual({
      ok: false,
      error: 'the file has fewer lines in the last commit',
    });
    await rm(join(tree, '.git'), { recursive: true });
    git('init', '--quiet');
    expect(await subjects({})).toEqual([]);
  });

  it('tells who changed a line even if the date of the commit is impossible', async () => {
    await place.write('tree/src/a.ts', 'export const one = 11;\n');
    git('add', '--all');
    const environment = { PATH: process.env['PATH'], HOME: place.path };
    const run = (args: readonly string[], input = ''): string =>
      execFileSync('git', args, { cwd: tree, env: environment, input }).toString().trim();
    const by = 'Ada <ada@example.org> 99999999999999 +0000';
    const written = `tree ${run(['write-tree'])}\nauthor ${by}\ncommitter ${by}\n\nFar away\n`;
    const id = run(['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], written);
    git('update-ref', 'HEAD', id);
    const lines = { start: 1, end: 1 };
    const blamed = await blameOf(new Git(tree, systemClock), { path: 'src/a.ts', lines }, never);
    const author = 'Ada';
    expect(blamed).toEqual({
      ok: true,
      value: [
        {
          line: 1,
          commit: { id, author, date: '', subject: 'Far away' },
          text: 'export const one = 11;',
        },
      ],
    });
  });

  it('runs no git from the tree itself, nor from a relative folder', async () => {
    const own = await place.write('tree/bin/git', '#!/bin/sh\n');
    await chmod(own, 0o755);
    const { PATH } = process.env;
    try {
      process.env['PATH'] = ['.', '', join(tree, 'bin')].join(':');
      expect(await findProgram('git', tree)).toBeUndefined();
    } finally {
      process.env['PATH'] = PATH;
    }
  });
});
