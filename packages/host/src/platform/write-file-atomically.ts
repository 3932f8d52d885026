// Replaces a file as a whole or not at all: a reader sees the old text or the new, also after a crash.
// Who else may write the same file at the same time is the caller's business.

import type { Stats } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '@plugboard/base';
import { followLinks, look } from './follow-links.ts';
import { draftName, removeOldDrafts } from './old-drafts.ts';
import { writeFailed } from './write-failed.ts';

/** A file that exists keeps its mode; a new one gets `mode`, or what the umask leaves of 0666. */
export async function writeFileAtomically(
  path: string,
  text: string,
  options: { readonly mode?: number } = {},
): Promise<void> {
  try {
    const target = await followLinks(path);
    await replace(target, text, options.mode);
  } catch (thrown) {
    throw writeFailed(path, thrown);
  }
}

async function replace(target: string, text: string, mode: number | undefined): Promise<void> {
  const existing = await look(target);
  const draft = join(dirname(target), draftName());
  // Until the draft has its final mode other users may not read it, unless everyone may anyway.
  const isPublic = existing === undefined && mode === undefined;
  const handle = await open(draft, 'wx', isPublic ? 0o666 : 0o600);
  let writtenAt: number;
  try {
    try {
      if (existing !== undefined) await keepOwner(handle, existing);
      const finalMode = existing === undefined ? mode : existing.mode & 0o7777;
      if (finalMode !== undefined) await handle.chmod(finalMode);
      await handle.writeFile(text, 'utf8');
      await handle.sync();
      writtenAt = (await handle.stat()).mtimeMs;
    } finally {
      await handle.close();
    }
    await rename(draft, target);
  } catch (thrown) {
    await rm(draft, { force: true });
    throw thrown;
  }
  await syncFolder(dirname(target));
  await removeOldDrafts(dirname(target), writtenAt);
}

/** An edit by the administrator must not take the file away from its user. */
async function keepOwner(handle: FileHandle, existing: Stats): Promise<void> {
  const own = await handle.stat();
  if (own.uid === existing.uid && own.gid === existing.gid) return;
  try {
    await handle.chown(existing.uid, existing.gid);
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
