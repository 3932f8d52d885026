import { mkdir, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openConfined, readConfinedNow } from '../../src/platform/index.ts';

let place: TempFolder;
let root: string;

beforeEach(async () => {
  place = await tempFolder();
  root = join(place.path, 'tree');
  await place.write('tree/src/a.ts', 'mine');
  await place.write('outside/a.ts', 'secret');
});
afterEach(() => place[Symbol.asyncDispose]());

/** Like an attacker who acts right after the check of the path. */
async function swapFolder(): Promise<void> {
  await rename(join(root, 'src'), join(root, 'kept'));
  await symlink(join(place.path, 'outside'), join(root, 'src'));
}

describe('a link that replaces something between the check and the opening', () => {
  verifies('COD-02');

  it('is not followed in place of a folder on the path', async () => {
    const opened = await openConfined(root, 'src/a.ts', { kind: 'file', beforeOpen: swapFolder });
    expect(opened).toEqual({ ok: false, error: 'outside' });
  });

  it('is not followed in place of the folder to list', async () => {
    const opened = await openConfined(root, 'src', { kind: 'folder', beforeOpen: swapFolder });
    expect(opened.ok).toBe(false);
  });

  it('is not followed in place of the parent of the folder to list', async () => {
    await mkdir(join(root, 'src/deep'));
    await mkdir(join(place.path, 'outside/deep'));
    const opened = await openConfined(root, 'src/deep', { kind: 'folder', beforeOpen: swapFolder });
    expect(opened).toEqual({ ok: false, error: 'outside' });
  });

  it('is not followed in place of the file itself', async () => {
    const beforeOpen = async (): Promise<void> => {
      await rename(join(root, 'src/a.ts'), join(root, 'kept.ts'));
      await symlink(join(place.path, 'outside/a.ts'), join(root, 'src/a.ts'));
    };
    const opened = await openConfined(root, 'src/a.ts', { kind: 'file', beforeOpen });
    expect(opened).toEqual({ ok: false, error: 'outside' });
  });
});

describe('reading many files', () => {
  verifies('COD-02');

  it('follows no link out of the tree, on the way or at the end', async () => {
    await symlink('../outside', join(root, 'folder'));
    await symlink('../outside/a.ts', join(root, 'file.ts'));
    const buffer = Buffer.alloc(100);
    const read = (path: string): unknown => {
      const found = readConfinedNow(root, path, buffer);
      return found.kind === 'read' ? Buffer.from(found.bytes).toString() : found.kind;
    };
    expect(['src/a.ts', 'folder/a.ts', 'file.ts', 'none'].map(read)).toEqual([
      'mine',
      'gone',
      'gone',
      'gone',
    ]);
  });

  it('skips a file that is larger than its limit', () => {
    expect(readConfinedNow(root, 'src/a.ts', Buffer.alloc(4))).toEqual({ kind: 'too-large' });
  });
});
