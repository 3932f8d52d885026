// Reads a file whose content counts as the user's own: only if this user owns it, it is not a link, and no other user
// may write or replace it. Windows has no such modes; there the folders of a user are closed to others.

import { open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, err, type Result } from '@plugboard/base';
import { OPEN_FILE } from '@plugboard/base/platform';
import { classify, type FileProblem, readOpened } from './read-text-file.ts';

export type OwnFileProblem =
  | FileProblem
  | { readonly kind: 'foreign'; readonly path: string }
  | { readonly kind: 'open-to-others'; readonly path: string }
  | {
      readonly kind: 'folder-open-to-others';
      readonly path: string;
      readonly folder: string;
    }
  | { readonly kind: 'link'; readonly path: string };

export async function readOwnFile(
  path: string,
  limits: {
    readonly maxBytes: number;
    /** Other users may not read it either. */
    readonly kept?: 'secret';
  },
): Promise<Result<string, OwnFileProblem>> {
  try {
    const handle = await open(path, OPEN_FILE);
    try {
      const refusal = await refuse(path, await handle.stat(), limits.kept);
      return refusal === undefined ? await readOpened(path, handle, limits) : err(refusal);
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    const code = codeOf(thrown) ?? 'UNKNOWN';
    return err(code === 'ELOOP' ? { kind: 'link', path } : classify(path, code));
  }
}

const WRITABLE_BY_OTHERS = 0o022;
const ANY_FOR_OTHERS = 0o077;
const WRITABLE_BY_ALL = 0o002;
/** As on /tmp: every user may add files, and no user may replace those of others. */
const STICKY = 0o1000;

async function refuse(
  path: string,
  { uid, mode }: { readonly uid: number; readonly mode: number },
  kept: 'secret' | undefined,
): Promise<OwnFileProblem | undefined> {
  if (process.getuid === undefined) return undefined;
  if (uid !== process.getuid()) return { kind: 'foreign', path };
  const forOthers = kept === 'secret' ? ANY_FOR_OTHERS : WRITABLE_BY_OTHERS;
  if ((mode & forOthers) !== 0) return { kind: 'open-to-others', path };
  const folder = dirname(path);
  const above = await stat(folder);
  const isOpen = (above.mode & WRITABLE_BY_ALL) !== 0 && (above.mode & STICKY) === 0;
  return isOpen ? { kind: 'folder-open-to-others', path, folder } : undefined;
}
