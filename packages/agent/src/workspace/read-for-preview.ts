// Reads a file for a preview like the tools do: inside the root, with a limited size, as text.

import { openPlace } from '../platform/index.ts';
import { writablePath } from './change-file.ts';
import { decodeFileText } from './file-text.ts';
import { pathMessage, type PathProblem } from './path-problem.ts';
import type { FileForPreview } from './preview.ts';
import type { WorkspaceParts } from './workspace-parts.ts';

export async function readForPreview(
  path: string,
  parts: Pick<WorkspaceParts, 'root' | 'ownPlaces' | 'limits'>,
): Promise<FileForPreview> {
  const refuse = (problem: PathProblem): FileForPreview => ({
    kind: 'problem',
    message: pathMessage(problem, path),
  });
  const found = await writablePath(path, parts);
  if (!found.ok) return refuse(found.error);
  const opened = await openPlace(parts.root, found.value, { folders: 'expect' });
  if (!opened.ok) return opened.error === 'not-found' ? { kind: 'nothing' } : refuse(opened.error);
  await using place = opened.value;
  const now = await place.read(parts.limits.fileBytes);
  if (!now.ok) return refuse(now.error);
  if (now.value === undefined) return { kind: 'nothing' };
  const file = decodeFileText(now.value.bytes);
  return file === undefined ? { kind: 'binary' } : { kind: 'text', text: file.text };
}
