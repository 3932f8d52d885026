// A folder that appears as a whole or not at all: it is filled beside its place and then renamed.
// What goes into it is the caller's business; whatever goes wrong, nothing is left behind.

import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf, err, ok, type Result } from '@plugboard/base';
import { draftName, removeOldDrafts } from '@plugboard/base/platform';

export type FolderProblem =
  | { readonly kind: 'exists' }
  | { readonly kind: 'unwritable'; readonly code: string };

/** `fill` is handed an empty folder; where it returns an error, that is what comes back. */
export async function newFolder<Value, Problem>(
  target: string,
  fill: (draft: string) => Promise<Result<Value, Problem>>,
): Promise<Result<Value, Problem | FolderProblem>> {
  const draft = hiddenBeside(target);
  try {
    await mkdir(dirname(target), { recursive: true });
    await mkdir(draft, { mode: 0o755 });
    const { mtimeMs } = await stat(draft);
    await removeOldDrafts(dirname(target), mtimeMs, 'folder');
    const filled = await fill(draft);
    if (filled.ok) await rename(draft, target);
    return filled;
  } catch (thrown) {
    return err(folderProblem(thrown));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Disappears at once for other processes, even if removing its contents takes time. */
export async function removeFolder(path: string): Promise<Result<undefined, FolderProblem>> {
  const dying = hiddenBeside(path);
  try {
    await rename(path, dying);
    await rm(dying, { recursive: true, force: true });
    return ok(undefined);
  } catch (thrown) {
    return err(folderProblem(thrown));
  }
}

/** Nothing may be at `to`, except an empty folder. */
export async function moveFolder(
  from: string,
  to: string,
): Promise<Result<undefined, FolderProblem>> {
  try {
    await rename(from, to);
    return ok(undefined);
  } catch (thrown) {
    return err(folderProblem(thrown));
  }
}

/** Whether a folder is there, links followed. */
export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // Whatever the reason, there is no folder to use.
    return false;
  }
}

/** A name that starts with a dot, so that listings of the folder skip it. */
function hiddenBeside(path: string): string {
  return join(dirname(path), draftName());
}

function folderProblem(thrown: unknown): FolderProblem {
  const code = codeOf(thrown) ?? 'UNKNOWN';
  // Renaming onto a folder that holds something, or onto a file.
  const isTaken = code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOTDIR';
  return isTaken ? { kind: 'exists' } : { kind: 'unwritable', code };
}

/** Makes a folder and those above it, where they are missing. */
export async function ensureFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
}
