// Applies an edit to a file: reads it, lets the edit decide, and writes the result. The rest of the file
// stays as its owner wrote it. The file is locked from reading to writing, so that two processes of this
// program do not overwrite each other's changes. A file with an error is never changed.

import { basename, dirname, join } from 'node:path';
import { type Clock, err, ok, type Result } from '@plugboard/base';
import type { Node } from 'jsonc-parser';
import {
  ensureFolder,
  exists,
  FileLocked,
  followLinks,
  leadsOutOf,
  readTextFile,
  systemCode,
  withFileLock,
  writeFileAtomically,
} from '../../platform/index.ts';
import {
  fileDiagnostic,
  folderOfFile,
  formatOf,
  MAX_FILE_BYTES,
  parseFile,
  projectRoot,
} from '../files/index.ts';
import type { Diagnostic } from '../text/index.ts';

export type EditProblem =
  | { readonly kind: 'exists' }
  | { readonly kind: 'not-found'; readonly names: readonly string[] }
  | { readonly kind: 'invalid-entry'; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: 'invalid-file'; readonly diagnostic: Diagnostic }
  /** The file belongs to a project, but is a link to a file outside of the project. */
  | { readonly kind: 'leads-out'; readonly file: string; readonly target: string }
  | { readonly kind: 'unwritable'; readonly file: string; readonly code: string }
  | {
      readonly kind: 'locked';
      readonly file: string;
      /** The lock, to be deleted if no process edits the file. */
      readonly lock: string;
      /** The id of the process that edits the file, if known. */
      readonly holder: number | undefined;
    };

/** The text of a file that can be edited, and the node of its servers. */
export interface Outline {
  readonly text: string;
  readonly root: Node;
  readonly map: Node | undefined;
}

interface EditedText<Done> {
  readonly text: string;
  /** The result for the caller. */
  readonly done: Done;
}

/** A pure decision: the new text, or why there is none. May be called more than once. */
export type Edit<Done> = (outline: Outline) => Result<EditedText<Done>, EditProblem>;

export function edited<Kind extends string>(
  text: string,
  kind: Kind,
): Result<EditedText<{ readonly kind: Kind }>, never> {
  return ok({ text, done: { kind } });
}

export async function applyEdit<Done>(
  file: string,
  edit: Edit<Done>,
  options: { readonly clock?: Clock } = {},
): Promise<Result<Done, EditProblem>> {
  // A refused edit needs neither a lock nor a folder.
  const first = await decideEdit(file, edit);
  if (!first.ok) return first;
  if (!first.value.isChange) return ok(first.value.done);
  try {
    const target = await targetOutside(file);
    if (target !== undefined) return err({ kind: 'leads-out', file, target });
    await ensureFolder(dirname(file));
    return await withFileLock(file, options, async () => {
      // The file may have changed since.
      const now = await decideEdit(file, edit);
      if (!now.ok) return now;
      if (now.value.isChange) await write(file, now.value.text);
      return ok(now.value.done);
    });
  } catch (thrown) {
    return err(writeProblem(file, thrown));
  }
}

/** The outline of a text, or the reason why it cannot be edited. */
export function outline(file: string, text: string): Result<Outline, EditProblem> {
  const parsed = parseFile({ path: file, format: formatOf(file), text });
  if (parsed.state === 'read') return ok({ text, root: parsed.root, map: parsed.map });
  if (parsed.cause.code !== 'file-empty') {
    return err({ kind: 'invalid-file', diagnostic: parsed.cause });
  }
  // The file may consist of comments, which stay at the top.
  const comments = text.trimEnd();
  const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  const fresh = NEW_DOCUMENT.replaceAll('\n', eol);
  return outline(file, comments === '' ? fresh : `${comments}${eol}${fresh}`);
}

const NEW_DOCUMENT = '{\n  "mcpServers": {}\n}\n';
const BYTE_ORDER_MARK = '\uFEFF';

interface EditDecision<Done> {
  readonly done: Done;
  /** The new text of the whole file. */
  readonly text: string;
  readonly isChange: boolean;
}

async function decideEdit<Done>(
  file: string,
  edit: Edit<Done>,
): Promise<Result<EditDecision<Done>, EditProblem>> {
  const read = await readTextFile(file, { maxBytes: MAX_FILE_BYTES, byteOrderMark: 'keep' });
  if (!read.ok && read.error.kind !== 'missing') {
    return err({ kind: 'invalid-file', diagnostic: fileDiagnostic(read.error) });
  }
  const old = read.ok ? read.value : '';
  const mark = old.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const opened = outline(file, old.slice(mark.length));
  if (!opened.ok) return opened;
  const result = edit(opened.value);
  if (!result.ok) return result;
  const { text, done } = result.value;
  return ok({ done, text: `${mark}${text}`, isChange: text !== opened.value.text });
}

async function write(file: string, text: string): Promise<void> {
  const folder = dirname(file);
  // Personal settings may hold values that other users must not read.
  if (isShared(file)) await writeFileAtomically(file, text);
  else await writeFileAtomically(file, text, { mode: 0o600 });
  if (basename(file) === LOCAL_NAME && basename(folder) === '.plugboard')
    await keepOutOfGit(folder);
}

const LOCAL_NAME = 'settings.local.json';

/**
 * The target of a project's file that is a link to outside of the project. Its author may want to change the
 * user's own settings, in which servers need no approval.
 */
async function targetOutside(file: string): Promise<string | undefined> {
  const folder = folderOfFile(file);
  if (folder === undefined) return undefined;
  return leadsOutOf(await projectRoot(folder), await followLinks(file));
}

/** Whether the file is shared with everyone who has the project. */
function isShared(file: string): boolean {
  const folder = basename(dirname(file));
  return (
    basename(file) === '.mcp.json' || (folder.startsWith('.') && basename(file) !== LOCAL_NAME)
  );
}

/** Leaves an existing `.gitignore` alone. */
async function keepOutOfGit(folder: string): Promise<void> {
  const rules = join(folder, '.gitignore');
  // `exists` does not find a link without a target.
  if (rules === (await followLinks(rules)) && !(await exists(rules)))
    await writeFileAtomically(rules, `${LOCAL_NAME}\n.gitignore\n`);
}

function writeProblem(file: string, thrown: unknown): EditProblem {
  if (!(thrown instanceof FileLocked))
    return { kind: 'unwritable', file, code: systemCode(thrown) ?? 'UNKNOWN' };
  const { lock, holder } = thrown.data;
  return { kind: 'locked', file, lock, holder };
}
