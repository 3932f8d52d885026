// Replaces a file as a whole or not at all: a reader sees the old bytes or the new, even after a crash. Links are not
// followed here. Who else may write the same file at the same time is the caller's business.

import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../index.ts';
import { draftName, removeOldDrafts } from './drafts.ts';

export interface Replacement {
  /** What is there now, whose mode and owner the new file gets. */
  readonly existing?: Stats | undefined;
  /** Of a new file; otherwise what the umask leaves of 0666. */
  readonly mode?: number | undefined;
  /** What the mode of an existing file is cut to: nothing is cut, by default. */
  readonly most?: number | undefined;
  readonly write: (draft: FileHandle) => Promise<void>;
  /** Asked last, once the new bytes are on the disk; after a no, the file stays as it is. */
  readonly isWanted?: () => Promise<boolean>;
}

const NEW_FILE =
  constants.O_WRONLY |
  constants.O_CREAT |
  constants.O_EXCL |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

export async function replaceFile(
  folder: string,
  name: string,
  replacement: Replacement,
): Promise<'replaced' | 'left'> {
  const draft = join(folder, draftName());
  let isPlaced = false;
  try {
    const writtenAt = await writeDraft(draft, replacement);
    if (replacement.isWanted !== undefined && !(await replacement.isWanted())) return 'left';
    await rename(draft, join(folder, name));
    isPlaced = true;
    await syncFolder(folder);
    await removeOldDrafts(folder, writtenAt);
    return 'replaced';
  } finally {
    if (!isPlaced) await rm(draft, { force: true });
  }
}

/** When it was written, as the disk has it. */
async function writeDraft(
  path: string,
  { existing, mode, most = 0o7777, write }: Replacement,
): Promise<number> {
  const finalMode = existing === undefined ? mode : existing.mode & most;
  // Until it has its final mode, other users may not read it, unless the file is new and gets the default mode anyway.
  const file = await open(path, NEW_FILE, finalMode === undefined ? 0o666 : 0o600);
  try {
    if (existing !== undefined) await keepOwner(file, existing);
    if (finalMode !== undefined) await file.chmod(finalMode);
    await write(file);
    await file.sync();
    return (await file.stat()).mtimeMs;
  } finally {
    await file.close();
  }
}

/** An edit by the administrator must not take the file away from its user. */
async function keepOwner(file: FileHandle, { uid, gid }: Stats): Promise<void> {
  const own = await file.stat();
  if (own.uid === uid && own.gid === gid) return;
  try {
    await file.chown(uid, gid);
  } catch (thrown) {
    // Only the administrator may give files away; for others the new owner is right.
    if (codeOf(thrown) !== 'EPERM') throw thrown;
  }
}

/** So that the new name outlives a loss of power. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // Windows and some network disks cannot; the text itself is in place either way.
  }
}
