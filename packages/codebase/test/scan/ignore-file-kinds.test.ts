import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { tempFolder } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { readOwn } from '../../src/platform/index.ts';
import { openCodebase } from '../server/codebase-client.ts';

describe.skipIf(process.platform === 'win32')('an ignore file that is not a regular file', () => {
  it('does not block the listing of a folder if it is a pipe', async () => {
    await using place = await tempFolder();
    await place.write('tree/a.ts', 'export {};\n');
    const root = join(place.path, 'tree');
    execFileSync('mkfifo', [join(root, '.gitignore')]);
    const given = { root, cacheFolder: join(place.path, 'cache'), indexing: 'when-asked' } as const;
    await using codebase = await openCodebase(given, 'legacy');
    const { text, isError } = await codebase.call('list_directory', {});
    expect({ text, isError }).toEqual({
      text: '.gitignore (special) (ignored)\na.ts 11 bytes',
      isError: false,
    });
  });

  it('is read if it is a link to a file', async () => {
    await using place = await tempFolder();
    await symlink(await place.write('ignored', '*.log\n'), join(place.path, '.gitignore'));
    expect(await readOwn(place.path, '.gitignore')).toBe('*.log\n');
    expect(await readOwn('/dev', 'null')).toBeUndefined();
  });
});
