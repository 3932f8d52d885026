import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, rename, rm } from 'node:fs/promises';
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

  it('says who last changed each line', async () => {
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

  it('takes no git from the tree itself, nor from a folder that is not absolute', async () => {
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
