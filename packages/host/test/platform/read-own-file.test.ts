import { tempFolder } from '@plugboard/testkit';
import { chmod, chown, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readOwnFile } from '../../src/platform/read-own-file.ts';
import { realPathOf } from '../../src/platform/real-path.ts';

const LIMITS = { maxBytes: 100_000 };

describe('readOwnFile', () => {
  it('reads a file that belongs to the user and only the user may write', async () => {
    await using folder = await tempFolder();
    const path = await folder.write('own', 'text');
    await chmod(path, 0o644);
    expect(await readOwnFile(path, LIMITS)).toEqual({ ok: true, value: 'text' });
  });

  it('refuses the file of another user', async () => {
    await using folder = await tempFolder();
    // Only the administrator can change owners; otherwise a file of the administrator is used.
    const isAdministrator = process.getuid?.() === 0;
    const path = isAdministrator ? await folder.write('foreign', 'text') : '/etc/passwd';
    if (isAdministrator) await chown(path, 12_345, 12_345);
    expect(await readOwnFile(path, LIMITS)).toEqual({
      ok: false,
      error: { kind: 'foreign', path },
    });
  });

  it.each([0o620, 0o602, 0o666])('refuses a file that others may write: mode %o', async (mode) => {
    await using folder = await tempFolder();
    const path = await folder.write('open', 'text');
    await chmod(path, mode);
    expect(await readOwnFile(path, LIMITS)).toEqual({
      ok: false,
      error: { kind: 'open-to-others', path },
    });
  });

  it('refuses a file that others may replace, but not one in a folder like /tmp', async () => {
    await using folder = await tempFolder();
    const path = await folder.write('shared/own', 'text');
    const shared = join(folder.path, 'shared');
    await chmod(path, 0o600);
    await chmod(shared, 0o777);
    expect(await readOwnFile(path, LIMITS)).toEqual({
      ok: false,
      error: { kind: 'folder-open-to-others', path, folder: shared },
    });
    await chmod(shared, 0o1777);
    expect(await readOwnFile(path, LIMITS)).toEqual({ ok: true, value: 'text' });
  });

  it('refuses a link, a folder, and a missing file', async () => {
    await using folder = await tempFolder();
    await folder.write('own', 'text');
    const link = join(folder.path, 'link');
    await symlink(join(folder.path, 'own'), link);
    const missing = join(folder.path, 'missing');
    expect([
      await readOwnFile(link, LIMITS),
      await readOwnFile(missing, LIMITS),
      await readOwnFile(await folder.mkdir('folder'), LIMITS),
    ]).toMatchObject([
      { error: { kind: 'link', path: link } },
      { error: { kind: 'missing' } },
      { error: { kind: 'folder' } },
    ]);
  });
});

describe('realPathOf', () => {
  it('resolves links as far as the path exists', async () => {
    await using folder = await tempFolder();
    await folder.mkdir('real/inner');
    await symlink(join(folder.path, 'real'), join(folder.path, 'link'));
    expect([
      await realPathOf(join(folder.path, 'link/inner')),
      await realPathOf(join(folder.path, 'link/new/file')),
      await realPathOf('/'),
    ]).toEqual([join(folder.path, 'real/inner'), join(folder.path, 'real/new/file'), '/']);
  });
});
