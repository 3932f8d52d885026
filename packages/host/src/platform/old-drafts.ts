// The drafts of files: how they are named, and the end of those whose writer was killed before they were
// moved into place. They lie beside the file, also in folders of the user's, so nobody else removes them.

import { randomBytes } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const DRAFT = /^\.plugboard-[0-9a-f]{16}\.tmp$/;
/** Writing takes moments; a draft of yesterday is nobody's. */
const OLD_AFTER_MS = 24 * 60 * 60 * 1000;

export function draftName(): string {
  return `.plugboard-${randomBytes(8).toString('hex')}.tmp`;
}

/** `now` is a time as the disk tells it. Never rejects: what cannot be removed stays for another time. */
export async function removeOldDrafts(folder: string, now: number): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  const drafts = names.filter((name) => DRAFT.test(name)).map((name) => join(folder, name));
  await Promise.all(drafts.map((path) => removeIfOld(path, now)));
}

async function removeIfOld(path: string, now: number): Promise<void> {
  try {
    const found = await lstat(path);
    if (found.isFile() && now - found.mtimeMs > OLD_AFTER_MS) await rm(path, { force: true });
  } catch {
    // Moved into place or removed by its writer just now.
  }
}
