import { rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { never } from '@plugboard/base';
import { tempFolder, type TempFolder, verifies } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { complaintsIn, isSameFile, listFiles, type ListedFile } from '../../src/scan/index.ts';

let place: TempFolder;
beforeEach(async () => {
  place = await tempFolder();
});
afterEach(() => place[Symbol.asyncDispose]());

async function listing(): Promise<ReadonlyMap<string, ListedFile>> {
  const files = new Map<string, ListedFile>();
  for await (const file of listFiles(place, never)) files.set(file.path, file);
  return files;
}

describe('listing all files', () => {
  it('leaves out ignored files, hidden files and links', async () => {
    verifies('COD-03');
    await place.write('.gitignore', 'build/\n*.log\n!kept.log\n');
    await place.write('.ignore', 'private\n');
    await place.write('src/.rgignore', 'b.ts\n');
    for (const path of ['src/a.ts', 'src/b.ts', 'build/x.js', 'x.log', 'kept.log', 'private/x']) {
      await place.write(path, 'x');
    }
    await place.write('.hidden/x', 'x');
    await symlink('/etc', join(place.path, 'etc'));
    await symlink('src/a.ts', join(place.path, 'a-link.ts'));
    expect([...(await listing()).keys()].toSorted()).toEqual(['kept.log', 'src/a.ts']);
  });

  it('returns names with spaces, line breaks and non-Latin letters unchanged', async () => {
    const names = ['a b.ts', 'line\nbreak.ts', 'é😀.ts', '-flag.ts'];
    for (const name of names) await place.write(name, 'x');
    expect([...(await listing()).keys()].toSorted()).toEqual(names.toSorted());
  });

  it('reports that the root is gone', async () => {
    await rm(place.path, { recursive: true });
    await expect(listing()).rejects.toMatchObject({ code: 'root-gone' });
  });

  it('ends ripgrep when it is aborted', async () => {
    await place.write('a.ts', 'x');
    const controller = new AbortController();
    const reason = new Error('enough');
    const all = listFiles(place, controller.signal);
    await all.next();
    controller.abort(reason);
    await expect(all.next()).rejects.toBe(reason);
  });

  it('reports in few words what could not be read', () => {
    const complaint = 'rg: ./closed: Permission denied (os error 13)\n\nrg: other\n';
    expect(complaintsIn(complaint)).toEqual(['closed: Permission denied (os error 13)', 'other']);
    expect(complaintsIn('x\n'.repeat(500))).toHaveLength(20);
  });
});

it('tells by size, time and inode which files changed, also when the time of a file was set back', async () => {
  const names = ['same', 'longer', 'touched', 'replaced', 'set-back'];
  for (const path of names) await place.write(path, 'x');
  const before = await listing();
  await writeFile(join(place.path, 'longer'), 'xx');
  await utimes(join(place.path, 'touched'), 1, 1);
  const { mtimeMs } = before.get('replaced')!;
  await place.write('draft', 'y');
  await utimes(join(place.path, 'draft'), mtimeMs / 1000, mtimeMs / 1000);
  await rename(join(place.path, 'draft'), join(place.path, 'replaced'));
  await writeFile(join(place.path, 'set-back'), 'y');
  await utimes(join(place.path, 'set-back'), mtimeMs / 1000, mtimeMs / 1000);
  const after = await listing();
  const changed = names.filter((name) => !isSameFile(before.get(name)!, after.get(name)!));
  expect(changed).toEqual(['longer', 'touched', 'replaced', 'set-back']);
});
