// Restores a file from before tools changed it: writes it, or removes it if it did not exist. A file that was changed by
// something else since is left alone, so that going back never destroys the work of the user or a command.

import { digestOf, type FileBefore, type FileNow, openPlace } from '../platform/index.ts';
import { writablePath } from './change-file.ts';
import { pathMessage, type PathProblem } from './path-problem.ts';
import type { WorkspaceParts } from './workspace-parts.ts';

export type RestoreOutcome =
  | { readonly kind: 'restored' | 'unchanged' }
  /** Something else has changed the file since. */
  | { readonly kind: 'changed-since' }
  | { readonly kind: 'failed'; readonly message: string };

export async function restoreFile(
  file: FileBefore,
  parts: WorkspaceParts,
): Promise<RestoreOutcome> {
  const place = await writablePath(file.path, parts);
  if (!place.ok) return failed(place.error, file.path);
  return parts.files.run(place.value, parts.closing, () => restoreAt(place.value, file, parts));
}

async function restoreAt(
  path: string,
  { before, left }: FileBefore,
  parts: WorkspaceParts,
): Promise<RestoreOutcome> {
  const opened = await openPlace(parts.root, path, {
    folders: before === undefined ? 'expect' : 'make',
  });
  if (!opened.ok) {
    const isGone = opened.error === 'not-found' && before === undefined;
    return isGone ? { kind: 'unchanged' } : failed(opened.error, path);
  }
  await using place = opened.value;
  if (place.path !== path) return failed('changed', path);
  const now = await place.read(parts.limits.fileBytes);
  if (!now.ok) return failed(now.error, path);
  if (isSame(now.value, before)) return { kind: 'unchanged' };
  if (digestOf(now.value?.bytes) !== left) return { kind: 'changed-since' };
  const put =
    before === undefined
      ? now.value && (await place.remove(now.value))
      : await place.replace(before, { expected: now.value });
  if (put?.ok === false) return { kind: 'changed-since' };
  parts.onChange({ path, before: now.value?.bytes, after: before });
  return { kind: 'restored' };
}

function isSame(now: FileNow | undefined, before: Uint8Array | undefined): boolean {
  if (now === undefined || before === undefined) return now === before;
  return Buffer.compare(now.bytes, before) === 0;
}

function failed(problem: PathProblem, path: string): RestoreOutcome {
  return { kind: 'failed', message: pathMessage(problem, path) };
}
