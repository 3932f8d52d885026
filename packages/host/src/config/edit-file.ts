// Adds a server to a file or removes one, keeping the rest of the file as its owner wrote it. A file
// that cannot be understood is never touched. Two programs that edit at the same moment are not yet
// kept apart: the later write wins.

import { basename, dirname, join } from 'node:path';
import { CodedError, codeOf, err, isObject, ok, type Result } from '@plugboard/base';
import type { Node } from 'jsonc-parser';
import { ensureFolder, exists, readTextFile, writeFileAtomically } from '../platform/index.ts';
import { checkEntry } from './check-entry.ts';
import type { Diagnostic } from './diagnostic.ts';
import { propertiesOf, propertyNamed } from './document.ts';
import { insertProperty, removeProperty, replaceValue } from './edit-text.ts';
import { formatOf } from './locate-files.ts';
import { parseFile, SERVERS_KEY } from './parse-file.ts';
import { fileDiagnostic, MAX_FILE_BYTES } from './read-file.ts';

export type EditProblem =
  | { readonly kind: 'exists' }
  | { readonly kind: 'not-found'; readonly names: readonly string[] }
  | { readonly kind: 'invalid-entry'; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: 'invalid-file'; readonly diagnostic: Diagnostic }
  | { readonly kind: 'unwritable'; readonly file: string; readonly code: string };

export interface AddOptions {
  readonly file: string;
  readonly name: string;
  /** As it is to stand in the file. */
  readonly entry: Readonly<Record<string, unknown>>;
  readonly replace: 'refuse' | 'overwrite';
}

export async function addServer(
  options: AddOptions,
): Promise<Result<{ readonly kind: 'added' | 'replaced' }, EditProblem>> {
  const { file, name, entry } = options;
  // What is written must be readable again, or the next start would complain.
  const problems = checkEntry(options);
  if (problems.length > 0) return err({ kind: 'invalid-entry', diagnostics: problems });
  const opened = await open(file);
  if (!opened.ok) return opened;
  const { text, root, map } = opened.value;
  const property = { name, value: entry };
  if (map === undefined) {
    const wrapped = { name: SERVERS_KEY, value: { [name]: entry } };
    return write(file, insertProperty(text, root, wrapped), { kind: 'added' });
  }
  const existing = propertyNamed(map, name);
  if (existing === undefined) {
    return write(file, insertProperty(text, map, property), { kind: 'added' });
  }
  if (options.replace === 'refuse') return err({ kind: 'exists' });
  const replaced = replaceValue(text, map, { property: existing, value: entry });
  return write(file, replaced, { kind: 'replaced' });
}

export async function removeServer(options: {
  readonly file: string;
  readonly name: string;
}): Promise<Result<{ readonly kind: 'removed' }, EditProblem>> {
  const { file, name } = options;
  const opened = await open(file);
  if (!opened.ok) return opened;
  const names = propertiesOf(opened.value.map).map((property) => property.name);
  if (!names.includes(name)) return err({ kind: 'not-found', names: [...new Set(names)] });
  return write(file, withoutServer(file, opened.value, name), { kind: 'removed' });
}

interface Outline {
  readonly text: string;
  readonly root: Node;
  readonly map: Node | undefined;
}

const NEW_DOCUMENT = '{\n  "mcpServers": {}\n}\n';

async function open(file: string): Promise<Result<Outline, EditProblem>> {
  const read = await readTextFile(file, { maxBytes: MAX_FILE_BYTES });
  if (read.ok) return outline(file, read.value);
  if (read.error.kind === 'missing') return outline(file, NEW_DOCUMENT);
  return err({ kind: 'invalid-file', diagnostic: fileDiagnostic(read.error) });
}

function outline(file: string, text: string): Result<Outline, EditProblem> {
  const parsed = parseFile({ path: file, format: formatOf(file), text });
  if (parsed.state === 'read') return ok({ text, root: parsed.root, map: parsed.map });
  if (parsed.cause.code !== 'file-empty') {
    return err({ kind: 'invalid-file', diagnostic: parsed.cause });
  }
  // Comments may be all there is; they stay at the top.
  const comments = text.trimEnd();
  return outline(file, comments === '' ? NEW_DOCUMENT : `${comments}\n${NEW_DOCUMENT}`);
}

/** A name that was written twice goes twice. */
function withoutServer(file: string, { text, map }: Outline, name: string): string {
  const property = propertyNamed(map, name);
  if (map === undefined || property === undefined) return text;
  const shorter = removeProperty(text, map, property);
  const next = outline(file, shorter);
  return next.ok ? withoutServer(file, next.value, name) : shorter;
}

async function write<Done>(
  file: string,
  text: string,
  done: Done,
): Promise<Result<Done, EditProblem>> {
  const folder = dirname(file);
  try {
    await ensureFolder(folder);
    // Settings of one person may hold what nobody else should read.
    if (isShared(file)) await writeFileAtomically(file, text);
    else await writeFileAtomically(file, text, { mode: 0o600 });
    if (basename(file) === LOCAL_NAME && basename(folder) === '.plugboard')
      await keepOutOfGit(folder);
    return ok(done);
  } catch (thrown) {
    return err({ kind: 'unwritable', file, code: writeCode(thrown) });
  }
}

const LOCAL_NAME = 'settings.local.json';

/** Files of a project are for everyone who has the project. */
function isShared(file: string): boolean {
  const folder = basename(dirname(file));
  return (
    basename(file) === '.mcp.json' || (folder.startsWith('.') && basename(file) !== LOCAL_NAME)
  );
}

/** Where nobody has said otherwise. */
async function keepOutOfGit(folder: string): Promise<void> {
  const rules = join(folder, '.gitignore');
  if (!(await exists(rules))) await writeFileAtomically(rules, `${LOCAL_NAME}\n.gitignore\n`);
}

/** The system's reason, which a failed write carries in its data. */
function writeCode(thrown: unknown): string {
  const data: unknown = thrown instanceof CodedError ? thrown.data : undefined;
  const code = isObject(data) ? data['code'] : undefined;
  return typeof code === 'string' ? code : (codeOf(thrown) ?? 'UNKNOWN');
}
