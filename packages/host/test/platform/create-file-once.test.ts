import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { draftName } from '@plugboard/base/platform';
import { tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { createFileOnce } from '../../src/platform/index.ts';

describe('creating a file once', () => {
  it('lets one of many processes create it, and leaves nothing else', async () => {
    await using folder = await tempFolder();
    const path = join(folder.path, 'file');
    const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`);
    const made = await Promise.all(texts.map((text) => createFileOnce(path, text)));
    expect(made.filter((outcome) => outcome === 'created')).toEqual(['created']);
    expect(await folder.read('file')).toBe(texts[made.indexOf('created')]);
    expect(await readdir(folder.path)).toEqual(['file']);
  });

  it('removes the drafts of a process that has ended', async () => {
    verifies('POL-19');
    await using folder = await tempFolder();
    const gone = draftName().replace(/^\.plugboard-\d+-\d*/, '.plugboard-2147483646-1');
    const mine = draftName();
    for (const name of [gone, mine]) await folder.write(name, 'half');
    await createFileOnce(join(folder.path, 'file'), 'text');
    expect((await readdir(folder.path)).toSorted()).toEqual([mine, 'file']);
  });

  it('makes it readable by its owner only', async () => {
    await using folder = await tempFolder();
    const path = join(folder.path, 'file');
    await createFileOnce(path, 'text');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('keeps what exists, even a folder', async () => {
    await using folder = await tempFolder();
    const path = await folder.mkdir('taken');
    expect(await createFileOnce(path, 'text')).toBe('exists');
    expect(await readdir(folder.path)).toEqual(['taken']);
  });

  it('reports why the file cannot be created', async () => {
    await using folder = await tempFolder();
    const path = join(folder.path, 'nowhere', 'file');
    await expect(createFileOnce(path, 'text')).rejects.toMatchObject({
      code: 'write-failed',
      data: { path, code: 'ENOENT' },
    });
  });
});
