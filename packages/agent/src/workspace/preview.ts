// Shows the user what a call would change in a file before approving it: the file before and after, or why the call would
// fail. Changes nothing, and reads a file like the tools do: inside the root, with a limited size, as text.

import type { JsonObject } from '@plugboard/base';
import { openPlace } from '../platform/index.ts';
import { applyEdit } from './apply-edit.ts';
import { writablePath } from './change-file.ts';
import { EDIT_INPUT } from './edit-file.ts';
import { decodeFileText } from './file-text.ts';
import { pathMessage, type PathProblem } from './path-problem.ts';
import type { WorkspaceParts } from './workspace-parts.ts';
import { WRITE_INPUT } from './write-file.ts';

export type Preview =
  /** `before`: `undefined` if there is no such file yet, or if it is not text. */
  | {
      readonly kind: 'change';
      readonly path: string;
      readonly replaces: 'nothing' | 'text' | 'binary';
      readonly before: string | undefined;
      readonly after: string;
    }
  /** The call would fail with this message. */
  | { readonly kind: 'problem'; readonly path: string; readonly message: string };

/** `undefined` for other tools, and for invalid arguments. */
export async function previewOf(
  tool: string,
  given: JsonObject,
  parts: WorkspaceParts,
): Promise<Preview | undefined> {
  if (tool === 'write_file') return previewOfWrite(given, parts);
  return tool === 'edit_file' ? previewOfEdit(given, parts) : undefined;
}

async function previewOfWrite(
  given: JsonObject,
  parts: WorkspaceParts,
): Promise<Preview | undefined> {
  const read = WRITE_INPUT.safeParse(given);
  if (!read.success) return undefined;
  const { path, content: after } = read.data;
  const file = await readForPreview(path, parts);
  if (file.kind === 'problem') return { kind: 'problem', path, message: file.message };
  const before = file.kind === 'text' ? file.text : undefined;
  return { kind: 'change', path, replaces: file.kind, before, after };
}

async function previewOfEdit(
  given: JsonObject,
  parts: WorkspaceParts,
): Promise<Preview | undefined> {
  const read = EDIT_INPUT.safeParse(given);
  if (!read.success) return undefined;
  const { path, old_text: oldText, new_text: newText, replace_all: isEverywhere } = read.data;
  const file = await readForPreview(path, parts);
  const problem = (message: string): Preview => ({ kind: 'problem', path, message });
  if (file.kind === 'problem') return problem(file.message);
  if (file.kind === 'nothing') return problem(pathMessage('not-found', path));
  if (file.kind === 'binary') return problem(pathMessage('not-text', path));
  const occurrences = isEverywhere ? 'all' : 'one';
  const edited = applyEdit(file.text, { oldText, newText, occurrences });
  if (!edited.ok) return problem(`${JSON.stringify(path)}: ${edited.error}`);
  return { kind: 'change', path, replaces: 'text', before: file.text, after: edited.value.after };
}

type FileForPreview =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary' }
  | { readonly kind: 'problem'; readonly message: string };

async function readForPreview(path: string, parts: WorkspaceParts): Promise<FileForPreview> {
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
