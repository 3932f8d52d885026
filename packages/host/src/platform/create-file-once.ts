// Creates a file that must be created only once, however many processes try at the same moment: one of them
// creates it, and the others learn that it exists. No process ever sees a partly written file.

import { link, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '@plugboard/base';
import { draftName, removeOldDrafts, syncFolder } from '@plugboard/base/platform';
import { writeFailed } from './write-failed.ts';

/** Disks without hard links. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
]);

/** Only its owner can read the file. The folder must exist. */
export async function createFileOnce(
  path: string,
  content: string | Uint8Array,
): Promise<'created' | 'exists'> {
  const folder = dirname(path);
  const draft = join(folder, draftName());
  let writtenAt: number;
  try {
    try {
      writtenAt = await writeNew(draft, content);
      await giveName(draft, path, content);
    } finally {
      await rm(draft, { force: true });
    }
    await syncFolder(folder);
    await removeOldDrafts(folder, writtenAt);
    return 'created';
  } catch (thrown) {
    if (codeOf(thrown) === 'EEXIST') return 'exists';
    throw writeFailed(path, thrown);
  }
}

/** A hard link, since a move would replace an existing file. */
async function giveName(draft: string, path: string, content: string | Uint8Array): Promise<void> {
  try {
    await link(draft, path);
  } catch (thrown) {
    if (!NO_LINKS.has(codeOf(thrown))) throw thrown;
    // Still created by one process only; a crash at this moment can leave an empty file.
    await writeNew(path, content);
  }
}

/** Returns its modification time. */
async function writeNew(path: string, content: string | Uint8Array): Promise<number> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(content, 'utf8');
    await handle.sync();
    return (await handle.stat()).mtimeMs;
  } finally {
    await handle.close();
  }
}
