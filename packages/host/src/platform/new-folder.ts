// Creates a folder completely or not at all: it is filled under a temporary name and then renamed. After a failure
// nothing is left behind.

import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf, err, ok, type Result } from '@plugboard/base';
import { draftName, removeOldDrafts } from '@plugboard/base/platform';

export type FolderProblem =
  | { readonly kind: 'exists' }
  | { readonly kind: 'unwritable'; readonly code: string };

/** `fill` gets an empty folder; an error that it returns is returned to the caller. */
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
  const hidden = hiddenBeside(path);
  try {
    await rename(path, hidden);
    await rm(hidden, { recursive: true, force: true });
    return ok(undefined);
  } catch (thrown) {
    return err(folderProblem(thrown));
  }
}

/** `to` must not exist, or be an empty folder. */
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

/** Whether the path is a folder, or a link to one. */
export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // Whatever the reason, it cannot be used as a folder.
    return false;
  }
}

/** A path whose name starts with a dot, so that listings of the folder skip it. */
function hiddenBeside(path: string): string {
  return join(dirname(path), draftName());
}

function folderProblem(thrown: unknown): FolderProblem {
  const code = codeOf(thrown) ?? 'UNKNOWN';
  // The target is a file, or a folder that is not empty.
  const isTaken = code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOTDIR';
  return isTaken ? { kind: 'exists' } : { kind: 'unwritable', code };
}

/** Creates a folder and its parents if they are missing. */
export async function ensureFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
}
