import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { tempFolder } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { leadsTo, realPathOf } from '../../src/platform/real-path.ts';

describe('the real path', () => {
  it('is resolved step by step, as the system does', async () => {
    await using folder = await tempFolder();
    const root = await realPathOf(folder.path);
    await folder.mkdir('a/deep');
    await folder.mkdir('b');
    await symlink(join(root, 'a/deep'), join(root, 'b/link'));
    const found = await Promise.all(
      [
        `${root}/b/link`,
        `${root}/b/link/new.txt`,
        `${root}/b/link/..`,
        `${root}/b/link/../new.txt`,
        `${root}/b/./new/file`,
        `${root}/gone/../b`,
        `${root}/b/${'x/'.repeat(40_000)}`,
        '/',
      ].map(leadsTo),
    );
    expect(found).toEqual([
      `${root}/a/deep`,
      `${root}/a/deep/new.txt`,
      `${root}/a`,
      `${root}/a/new.txt`,
      `${root}/b/new/file`,
      undefined,
      undefined,
      '/',
    ]);
  });
});
