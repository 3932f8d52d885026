import { tempFolder } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { listFolder } from '../../src/platform/list-folder.ts';

describe('listFolder', () => {
  it('returns the entries of a folder, sorted by name', async () => {
    await using folder = await tempFolder();
    await folder.mkdir('inner');
    await folder.write('b.txt', '');
    await folder.write('.a', '');
    expect(await listFolder(folder.path)).toEqual([
      { name: '.a', kind: 'file' },
      { name: 'b.txt', kind: 'file' },
      { name: 'inner', kind: 'folder' },
    ]);
  });

  it('returns nothing for a path that is not a folder', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('file', '');
    expect(await Promise.all([`${folder.path}/gone`, file, '\0'].map(listFolder))).toEqual([
      [],
      [],
      [],
    ]);
  });
});
