import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ok } from '@plugboard/base';
import { draftName } from '@plugboard/base/platform';
import { tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { newFolder } from '../../src/platform/new-folder.ts';

describe('creating a folder atomically', () => {
  it('removes drafts of a process that has ended, and none of a running one', async () => {
    verifies('POL-19');
    await using place = await tempFolder();
    const gone = draftName().replace(/^\.plugboard-\d+-\d*/, '.plugboard-2147483646-1');
    const mine = draftName();
    for (const name of [gone, mine])
      await mkdir(join(place.path, name, 'half'), { recursive: true });
    await newFolder(join(place.path, 'made'), () => Promise.resolve(ok(undefined)));
    expect((await readdir(place.path)).toSorted()).toEqual([mine, 'made']);
  });
});
