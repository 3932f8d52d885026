import { execFileSync } from 'node:child_process';
import { chmod, readdir, readFile, readlink, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { COPY_LIMITS, copyFolder } from '../../src/platform/copy-folder.ts';

function ends(folder: TempFolder): { source: string; target: string } {
  return { source: join(folder.path, 'in'), target: join(folder.path, 'out') };
}

describe('copying a folder', () => {
  verifies('CFG-09');

  it('includes files, folders and links that stay inside, but not exceptions', async () => {
    await using folder = await tempFolder();
    await folder.write('in/a/file', 'text');
    await chmod(await folder.write('in/run', 'run'), 0o755);
    await folder.write('in/.git/config', 'x');
    await folder.mkdir('in/empty');
    await symlink('../run', join(folder.path, 'in/a/link'));
    await symlink(join(folder.path, 'in/a'), join(folder.path, 'in/absolute'));
    expect(await copyFolder({ ...ends(folder), except: ['.git'] })).toEqual({
      ok: true,
      value: undefined,
    });
    const out = join(folder.path, 'out');
    expect((await readdir(out)).toSorted()).toEqual(['a', 'absolute', 'empty', 'run']);
    expect(await readlink(join(out, 'a/link'))).toBe('../run');
    // Into the copy, and not back into the source.
    expect(await readlink(join(out, 'absolute'))).toBe('a');
    expect(await readFile(join(out, 'absolute/file'), 'utf8')).toBe('text');
    expect((await stat(join(out, 'run'))).mode & 0o111).toBe(0o111);
  });

  it.for([
    ['../secret', 'leads out by its way'],
    ['/etc/passwd', 'is absolute'],
    ['nowhere', 'leads nowhere'],
    ['link', 'leads to itself'],
    ['up/secret', 'leads out through another link'],
  ] as const)('refuses a link to %s, which %s', async ([to]) => {
    await using folder = await tempFolder();
    await folder.write('secret', 'secret');
    await folder.write('in/fine', 'fine');
    await symlink(to, join(folder.path, 'in/link'));
    if (to.startsWith('up/')) await symlink('..', join(folder.path, 'in/up'));
    const copied = await copyFolder(ends(folder));
    expect(copied).toEqual({
      ok: false,
      error: { kind: 'refused', entry: 'link', reason: 'link-leaves' },
    });
    expect((await readdir(folder.path)).toSorted()).toEqual(['in', 'secret']);
  });

  it('refuses a pipe, which could block forever', async () => {
    await using folder = await tempFolder();
    await folder.mkdir('in');
    execFileSync('mkfifo', [join(folder.path, 'in/pipe')]);
    expect(await copyFolder(ends(folder))).toEqual({
      ok: false,
      error: { kind: 'refused', entry: 'pipe', reason: 'not-a-file' },
    });
    expect(await readdir(folder.path)).toEqual(['in']);
  });

  it.for([
    [{ maxEntries: 2 }, { kind: 'too-many-entries', limit: 2 }],
    [{ maxBytes: 7 }, { kind: 'too-large', limit: 7 }],
  ] as const)('refuses more than %j', async ([limit, error]) => {
    await using folder = await tempFolder();
    await folder.write('in/a/b', '1234');
    await folder.write('in/c', '5678');
    const limits = { ...COPY_LIMITS, ...limit };
    expect(await copyFolder({ ...ends(folder), limits })).toEqual({ ok: false, error });
    expect(await readdir(folder.path)).toEqual(['in']);
  });

  it('reports that there is no folder, and keeps an existing target', async () => {
    await using folder = await tempFolder();
    expect(await copyFolder(ends(folder))).toEqual({
      ok: false,
      error: { kind: 'unreadable', code: 'ENOENT' },
    });
    await folder.write('in/a', 'new');
    await folder.write('out/a', 'old');
    expect(await copyFolder(ends(folder))).toEqual({ ok: false, error: { kind: 'exists' } });
    expect(await folder.read('out/a')).toBe('old');
  });
});
