import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  stat,
  symlink,
  utimes,
} from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { codeOf, Scope } from '@plugboard/base';
import { tempFolder, type TempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { writeFileAtomically } from '../../src/platform/write-file-atomically.ts';

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o7777;

describe('writing a file', () => {
  it('creates a new one with the requested mode', async () => {
    await using folder = await tempFolder();
    const path = join(folder.path, 'file');
    await writeFileAtomically(path, 'täxt', { mode: 0o600 });
    expect([await folder.read('file'), await modeOf(path)]).toEqual(['täxt', 0o600]);
  });

  it('creates a new one with the default mode if none is requested', async () => {
    await using folder = await tempFolder();
    const path = join(folder.path, 'file');
    await writeFileAtomically(path, 'text');
    expect(await modeOf(path)).toBe(await modeOf(await folder.write('other', '')));
  });

  it('keeps the mode of one that exists', async () => {
    await using folder = await tempFolder();
    const path = await folder.write('file', 'old');
    await chmod(path, 0o640);
    await writeFileAtomically(path, 'new', { mode: 0o600 });
    expect([await folder.read('file'), await modeOf(path)]).toEqual(['new', 0o640]);
  });

  it('replaces it in one step: a reader sees the old text or the new', async () => {
    await using folder = await tempFolder();
    const texts = ['a', 'b'].map((letter) => letter.repeat(200_000));
    const path = await folder.write('file', texts[0] ?? '');
    const writing = new AbortController();
    const reading = (async () => {
      while (!writing.signal.aborted) {
        expect(texts.includes(await readFile(path, 'utf8'))).toBe(true);
      }
    })();
    for (let times = 0; times < 20; times += 1) {
      await writeFileAtomically(path, texts[times % 2] ?? '');
    }
    writing.abort();
    await reading;
  });

  it('leaves nothing else in the folder', async () => {
    await using folder = await tempFolder();
    const path = join(folder.path, 'file');
    await Promise.all(['1', '2', '3'].map((text) => writeFileAtomically(path, text)));
    expect(await readdir(folder.path)).toEqual(['file']);
  });

  it('removes the drafts of killed writers, and nothing else', async () => {
    await using folder = await tempFolder();
    const left = '.plugboard-0123456789abcdef.tmp';
    const young = '.plugboard-fedcba9876543210.tmp';
    const others = ['.plugboard-mine.tmp', 'notes.tmp', `${left}.txt`];
    for (const name of [left, young, ...others]) await folder.write(name, 'half');
    await mkdir(join(folder.path, '.plugboard-00000000deadbeef.tmp'));
    const yesterday = new Date(Date.now() - 25 * 3_600_000);
    for (const name of await readdir(folder.path)) {
      if (name !== young) await utimes(join(folder.path, name), yesterday, yesterday);
    }
    await writeFileAtomically(join(folder.path, 'file'), 'text');
    expect((await readdir(folder.path)).toSorted()).toEqual(
      ['.plugboard-00000000deadbeef.tmp', young, ...others, 'file'].toSorted(),
    );
  });

  it('removes at once the draft of a killed writer, and none of a running one', async () => {
    verifies('POL-19');
    await using folder = await tempFolder();
    await using scope = new Scope();
    const [ofKilled, ofLiving] = await draftsOfWriters(folder, scope);
    await writeFileAtomically(join(folder.path, 'file'), 'text');
    const names = await readdir(folder.path);
    expect(names.filter((name) => ofKilled.includes(name))).toEqual([]);
    expect(names.filter((name) => ofLiving.includes(name))).toEqual(ofLiving);
  });

  it('may have the longest possible name', async () => {
    await using folder = await tempFolder();
    const name = 'n'.repeat(255);
    await writeFileAtomically(join(folder.path, name), 'text');
    expect(await folder.read(name)).toBe('text');
  });
});

const DRAFTS = fileURLToPath(new URL('../../../base/dist/platform/drafts.js', import.meta.url));

/** The drafts of twenty processes that were killed while they wrote, and of one that still writes. */
async function draftsOfWriters(
  folder: TempFolder,
  scope: Scope,
): Promise<readonly [killed: readonly string[], living: readonly string[]]> {
  const script = `
    import { draftName } from ${JSON.stringify(DRAFTS)};
    import { writeFileSync } from 'node:fs';
    const names = Array.from({ length: Number(process.argv[1]) }, draftName);
    for (const name of names) writeFileSync(name, 'half');
    process.stdout.write(names.join('\\n'));
    setInterval(() => {}, 1000);
  `;
  const writer = async (count: number) => {
    const args = ['--input-type=module', '--eval', script, String(count)];
    const child = spawn(process.execPath, args, {
      cwd: folder.path,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    scope.defer(async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    });
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    return { child, names: said.toString().split('\n').toSorted() };
  };
  const [killed, living] = await Promise.all([writer(20), writer(1)]);
  const gone = once(killed.child, 'exit');
  killed.child.kill('SIGKILL');
  await gone;
  return [killed.names, living.names];
}

describe('writing through a link', () => {
  it('writes to its target and keeps the link', async () => {
    await using folder = await tempFolder();
    await folder.write('real/file', 'old');
    const link = join(folder.path, 'link');
    await symlink('real/file', link);
    await writeFileAtomically(link, 'new');
    expect([await readlink(link), await folder.read('real/file')]).toEqual(['real/file', 'new']);
  });

  it('creates the target of a dangling link', async () => {
    await using folder = await tempFolder();
    await folder.mkdir('real');
    await symlink('real/file', join(folder.path, 'second'));
    await symlink('second', join(folder.path, 'first'));
    await writeFileAtomically(join(folder.path, 'first'), 'text');
    expect(await folder.read('real/file')).toBe('text');
    expect((await lstat(join(folder.path, 'first'))).isSymbolicLink()).toBe(true);
  });

  it('resolves a link from its real place', async () => {
    await using folder = await tempFolder();
    await mkdir(join(folder.path, 'deep/real'), { recursive: true });
    await symlink('../file', join(folder.path, 'deep/real/link'));
    await symlink('deep/real', join(folder.path, 'way'));
    await writeFileAtomically(join(folder.path, 'way/link'), 'text');
    expect(await folder.read('deep/file')).toBe('text');
  });

  it('fails on circular links', async () => {
    await using folder = await tempFolder();
    const path = join(folder.path, 'link');
    await symlink('link', path);
    await expect(writeFileAtomically(path, 'text')).rejects.toMatchObject({
      code: 'write-failed',
      data: { path, code: 'ELOOP' },
    });
  });
});

describe('a file that cannot be written', () => {
  it('is reported with its path and the system code, and leaves no draft', async () => {
    await using folder = await tempFolder();
    const path = await folder.mkdir('taken');
    await folder.write('taken/inside', '');
    const thrown = await writeFileAtomically(path, 'text').catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'write-failed', data: { path, code: 'EISDIR' } });
    expect(codeOf((thrown as Error).cause)).toBe('EISDIR');
    expect(await readdir(folder.path)).toEqual(['taken']);
  });

  it('may be in a folder that does not exist', async () => {
    await using folder = await tempFolder();
    const path = join(folder.path, 'missing/file');
    await expect(writeFileAtomically(path, 'text')).rejects.toMatchObject({
      code: 'write-failed',
      data: { path, code: 'ENOENT' },
    });
  });
});
