// Replaces a file atomically: a reader sees the old bytes or the new, even after a crash. Links are not followed. The
// caller prevents concurrent writes.

import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../index.ts';
import { draftName, removeOldDrafts } from './drafts.ts';

export interface Replacement {
  /** The existing file, whose mode and owner the new file gets. */
  readonly existing?: Stats | undefined;
  /** The mode of a new file; by default, 0666 reduced by the umask. */
  readonly mode?: number | undefined;
  /** The permissions that an existing file may keep: all, by default. */
  readonly most?: number | undefined;
  readonly write: (draft: FileHandle) => Promise<void>;
  /** Called last, once the new bytes are on the disk; if false, the file stays unchanged. */
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

/** Returns its modification time. */
async function writeDraft(
  path: string,
  { existing, mode, most = 0o7777, write }: Replacement,
): Promise<number> {
  const finalMode = existing === undefined ? mode : existing.mode & most;
  // Until it has its final mode, other users cannot read it, unless it is new and gets the default mode.
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
    // Only the administrator may change owners; for other users the new owner is correct.
    if (codeOf(thrown) !== 'EPERM') throw thrown;
  }
}

/** Makes the new name survive a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // Windows and some network disks do not support it; the content is in place anyway.
  }
}
