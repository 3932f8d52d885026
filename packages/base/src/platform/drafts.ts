// Names the drafts of files and folders, and removes those whose writer was killed before it moved them into place. The
// name identifies the writing process, so the drafts of an ended process are removed at the next write. Drafts are in the
// same folder as their targets, even in folders of the user, so nothing else would remove them.

import { randomBytes } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ownIdentity, type ProcessIdentity, stateOf } from './process-identity.ts';

export const DRAFT_ENDING = '.tmp';
/** The process number, its start if known, the realm of both, and random characters. */
const DRAFT = /^\.plugboard-(\d{1,10})-(\d{0,16})-([0-9a-f]{12})-[0-9a-f]{8}\.tmp$/;
/** The names in older versions. */
const NAMELESS = /^\.plugboard-[0-9a-f]{16}\.tmp$/;
/** Writing takes moments; if the writer is unknown, a draft of yesterday counts as abandoned. */
const OLD_AFTER_MS = 24 * 60 * 60 * 1000;

let own: ProcessIdentity | undefined;

export function draftName(): string {
  own ??= ownIdentity();
  const { pid, start = '', realm } = own;
  return `.plugboard-${pid}-${start}-${realm}-${randomBytes(4).toString('hex')}${DRAFT_ENDING}`;
}

/** `now`: a modification time on the same disk. Never rejects: a draft that cannot be removed stays. */
export async function removeOldDrafts(
  folder: string,
  now: number,
  kind: 'file' | 'folder' = 'file',
): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  await Promise.all(names.map((name) => removeIfLeft({ folder, name, now, kind })));
}

async function removeIfLeft(draft: {
  readonly folder: string;
  readonly name: string;
  readonly now: number;
  readonly kind: 'file' | 'folder';
}): Promise<void> {
  const { folder, name, now, kind } = draft;
  const writer = writerIn(name);
  if (writer === undefined) return;
  const state = writer === 'unnamed' ? 'unknown' : stateOf(writer);
  if (state === 'running') return;
  const path = join(folder, name);
  try {
    const found = await lstat(path);
    if (!(kind === 'file' ? found.isFile() : found.isDirectory())) return;
    if (state === 'unknown' && now - found.mtimeMs <= OLD_AFTER_MS) return;
    await rm(path, { force: true, recursive: kind === 'folder' });
  } catch {
    // Its writer has just moved or removed it.
  }
}

/** `undefined` for what is not a draft. */
function writerIn(name: string): ProcessIdentity | 'unnamed' | undefined {
  if (NAMELESS.test(name)) return 'unnamed';
  const [, pid, start, realm] = DRAFT.exec(name) ?? [];
  if (pid === undefined || realm === undefined) return undefined;
  return { pid: Number(pid), start: start === '' ? undefined : Number(start), realm };
}
