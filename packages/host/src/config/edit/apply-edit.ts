// Changes one file: reads it, lets an edit decide, and writes what came of it, keeping the rest of the
// file as its owner wrote it. From reading to writing the file is locked, so that two processes of this
// program lose nothing of each other's. A file that cannot be understood is never touched.

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
  /** It is a project's, and a link takes it out of the project, where it is perhaps another's. */
  | { readonly kind: 'leads-out'; readonly file: string; readonly target: string }
  | { readonly kind: 'unwritable'; readonly file: string; readonly code: string }
  | {
      readonly kind: 'locked';
      readonly file: string;
      /** What to delete if in fact no process edits the file. */
      readonly lock: string;
      /** The number of the process that edits it, as far as that is known. */
      readonly holder: number | undefined;
    };

/** A file that can be edited: its text, and where in it the servers are. */
export interface Outline {
  readonly text: string;
  readonly root: Node;
  readonly map: Node | undefined;
}

export interface EditedText<Done> {
  readonly text: string;
  /** What to call that. */
  readonly done: Done;
}

/** A pure decision: the new text, or why not. It may be asked more than once. */
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
  // What is refused anyway needs neither a lock nor a folder.
  const first = await decided(file, edit);
  if (!first.ok) return first;
  if (!first.value.isChange) return ok(first.value.done);
  try {
    const target = await targetOutside(file);
    if (target !== undefined) return err({ kind: 'leads-out', file, target });
    await ensureFolder(dirname(file));
    return await withFileLock(file, options, async () => {
      // Someone may have written it since.
      const now = await decided(file, edit);
      if (!now.ok) return now;
      if (now.value.isChange) await write(file, now.value.text);
      return ok(now.value.done);
    });
  } catch (thrown) {
    return err(writeProblem(file, thrown));
  }
}

/** The outline of a text, or what keeps it from being edited. */
export function outline(file: string, text: string): Result<Outline, EditProblem> {
  const parsed = parseFile({ path: file, format: formatOf(file), text });
  if (parsed.state === 'read') return ok({ text, root: parsed.root, map: parsed.map });
  if (parsed.cause.code !== 'file-empty') {
    return err({ kind: 'invalid-file', diagnostic: parsed.cause });
  }
  // Comments may be all there is; they stay at the top.
  const comments = text.trimEnd();
  const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  const fresh = NEW_DOCUMENT.replaceAll('\n', eol);
  return outline(file, comments === '' ? fresh : `${comments}${eol}${fresh}`);
}

const NEW_DOCUMENT = '{\n  "mcpServers": {}\n}\n';
const BYTE_ORDER_MARK = '\uFEFF';

interface EditDecision<Done> {
  readonly done: Done;
  /** The whole text that the file is to have. */
  readonly text: string;
  readonly isChange: boolean;
}

async function decided<Done>(
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
 * Where a link of a project's file leads if that is outside of the project: whoever wrote the link may be after the
 * user's own settings, in which servers need no approval.
 */
async function targetOutside(file: string): Promise<string | undefined> {
  const folder = folderOfFile(file);
  if (folder === undefined) return undefined;
  return leadsOutOf(await projectRoot(folder), await followLinks(file));
}

/** Files of a project are for everyone who has the project. */
function isShared(file: string): boolean {
  const folder = basename(dirname(file));
  return (
    basename(file) === '.mcp.json' || (folder.startsWith('.') && basename(file) !== LOCAL_NAME)
  );
}

/** Leaves an existing `.gitignore` alone. */
async function keepOutOfGit(folder: string): Promise<void> {
  const rules = join(folder, '.gitignore');
  // A link that leads nowhere is there as well.
  if (rules === (await followLinks(rules)) && !(await exists(rules)))
    await writeFileAtomically(rules, `${LOCAL_NAME}\n.gitignore\n`);
}

function writeProblem(file: string, thrown: unknown): EditProblem {
  if (!(thrown instanceof FileLocked))
    return { kind: 'unwritable', file, code: systemCode(thrown) ?? 'UNKNOWN' };
  const { lock, holder } = thrown.data;
  return { kind: 'locked', file, lock, holder };
}
