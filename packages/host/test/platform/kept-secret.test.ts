import { chmod, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { tempFolder } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { keptSecret } from '../../src/platform/index.ts';

describe('a kept secret', () => {
  it('is created once, in a file that only its user can read, and stays the same', async () => {
    await using folder = await tempFolder();
    const path = join(folder.path, 'state', 'token');
    let count = 0;
    const make = (): string => `secret-${(count += 1)}`;
    const all = await Promise.all([1, 2, 3, 4].map(() => keptSecret(path, make)));
    const [first] = all;
    expect(first?.ok).toBe(true);
    expect(all).toEqual(all.map(() => first));
    expect(await keptSecret(path)).toEqual(first);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).toMatch(/^secret-\d\n$/);
  });

  it('is reported as missing if it must not be created', async () => {
    await using folder = await tempFolder();
    const path = join(folder.path, 'token');
    expect(await keptSecret(path)).toEqual({ ok: false, error: { kind: 'missing', path } });
  });

  it.each([0o640, 0o604, 0o620])('is refused with the mode %o', async (mode) => {
    await using folder = await tempFolder();
    const path = await folder.write('token', 'secret\n');
    await chmod(path, mode);
    expect(await keptSecret(path)).toEqual({ ok: false, error: { kind: 'open-to-others', path } });
  });

  it('is refused behind a link or in an empty file', async () => {
    await using folder = await tempFolder();
    const path = await folder.write('token', '\n');
    await chmod(path, 0o600);
    expect(await keptSecret(path)).toEqual({ ok: false, error: { kind: 'empty', path } });
    const link = join(folder.path, 'link');
    await symlink(path, link);
    expect(await keptSecret(link)).toEqual({ ok: false, error: { kind: 'link', path: link } });
  });
});
