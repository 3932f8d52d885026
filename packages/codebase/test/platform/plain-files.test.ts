import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { PlainFiles } from '../../src/platform/index.ts';

describe('plain files of a tree', () => {
  verifies('COD-02');

  it('have no link on the way or at the end', async () => {
    await using place = await tempFolder();
    await place.write('tree/src/a.ts', 'mine');
    await place.write('outside/a.ts', 'secret');
    const root = join(place.path, 'tree');
    await symlink('../outside', join(root, 'folder'));
    await symlink('../outside/a.ts', join(root, 'file.ts'));
    const plain = new PlainFiles(root);
    expect(['src/a.ts', 'folder/a.ts', 'file.ts', 'none'].map((path) => plain.has(path))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
