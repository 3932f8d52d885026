// Changes a file: finds it inside the root, reads it, lets the tool compute the new content, and replaces it if it has not
// changed since. Changes of one file wait for each other.

import { err, ok, type Result } from '@plugboard/base';
import { type ConfinedPlace, type FileNow, openPlace, realParts } from '../platform/index.ts';
import { writeProtection, pathBelow, pathMessage, type PathProblem } from './path-problem.ts';
import type { WorkspaceParts } from './workspace-parts.ts';

export interface Change<Outcome> {
  readonly path: string;
  /** Whether to create a missing file, with the folders above it. */
  readonly missing: 'make' | 'refuse';
  /** The new bytes, or the reason why there are none; unchanged bytes are not written. */
  decide(
    now: FileNow | undefined,
    path: string,
  ): Result<{ readonly bytes: Uint8Array; readonly outcome: Outcome }, string>;
}

export async function changeFile<Outcome>(
  change: Change<Outcome>,
  parts: WorkspaceParts,
  signal: AbortSignal,
): Promise<Result<Outcome, string>> {
  const place = await writablePath(change.path, parts);
  if (!place.ok) return err(pathMessage(place.error, change.path));
  return parts.files.run(place.value, signal, () => changeNow(place.value, change, parts));
}

/** The real path inside the root, if it may be written. */
export async function writablePath(
  path: string,
  { root, ownPlaces }: Pick<WorkspaceParts, 'root' | 'ownPlaces'>,
): Promise<Result<string, PathProblem>> {
  const below = pathBelow(root, path);
  if (!below.ok) return below;
  if (below.value === '') return err('not-a-file');
  const real = await realParts(root, below.value);
  if (!real.ok) return real;
  const kept = writeProtection(below.value.split('/')) ?? writeProtection(real.value);
  if (kept !== undefined) return err(kept);
  const found = real.value.join('/');
  if (found === '') return err('not-a-file');
  // The file system may ignore case.
  const whole = `${root.endsWith('/') ? root : `${root}/`}${found}/`.toLowerCase();
  return ownPlaces.some((place) => whole.startsWith(`${place}/`.toLowerCase()))
    ? err('own-settings')
    : ok(found);
}

async function changeNow<Outcome>(
  path: string,
  change: Change<Outcome>,
  parts: WorkspaceParts,
): Promise<Result<Outcome, string>> {
  const refuse = (problem: PathProblem): Result<never, string> =>
    err(pathMessage(problem, change.path));
  const { root, limits, seams } = parts;
  const folders = change.missing === 'make' ? 'make' : 'expect';
  await seams.beforeOpen?.();
  const opened = await openPlace(root, path, { folders, seams });
  if (!opened.ok) return refuse(opened.error);
  await using place: ConfinedPlace = opened.value;
  // Links were resolved again, and must not lead to a protected path by now.
  if (place.path !== path) return refuse('changed');
  const now = await place.read(limits.fileBytes);
  if (!now.ok) return refuse(now.error);
  if (now.value === undefined && change.missing === 'refuse') return refuse('not-found');
  const decided = change.decide(now.value, path);
  if (!decided.ok) return decided;
  const { bytes, outcome } = decided.value;
  if (bytes.length > limits.fileBytes) return refuse('too-large');
  if (now.value !== undefined && Buffer.compare(now.value.bytes, bytes) === 0) return ok(outcome);
  const replaced = await place.replace(bytes, { expected: now.value, seams });
  if (!replaced.ok) return refuse(replaced.error);
  parts.onChange({ path, before: now.value?.bytes, after: bytes });
  return ok(outcome);
}
