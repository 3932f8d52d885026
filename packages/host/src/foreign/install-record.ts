// A record of the change that `install` made to the file of another MCP host, in the user's state, so that
// `uninstall` can restore the exact bytes. It contains the removed text and the range of the inserted text,
// but not the inserted text, which may contain a token. It is only used for the text for which it was made,
// and only if the result has the recorded hash.

import { hash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { isObject, parseJson } from '@plugboard/base';
import {
  ensureFolder,
  type HostEnvironment,
  readOwnFile,
  removeFile,
  writeFileAtomically,
} from '../platform/index.ts';
import type { ForeignHostId } from './hosts/foreign-host.ts';

/** The text of a file; `undefined` if there is no file. */
export type FileText = string | undefined;

export interface InstallRecord {
  readonly file: string;
  /** Hashes of the texts. `before` is null if there was no file. */
  readonly before: string | null;
  readonly after: string;
  /** The range from `start` with `length` replaced the text `cut`. */
  readonly start: number;
  readonly length: number;
  readonly cut: string;
  /** Whether the change added the map of servers. */
  readonly madeMap: boolean;
}

export function recordOf(
  file: string,
  { before, after, madeMap }: { before: FileText; after: string; madeMap: boolean },
): InstallRecord {
  const old = before ?? '';
  const most = Math.min(old.length, after.length);
  let start = 0;
  while (start < most && old[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === after.at(-1 - end)) end += 1;
  return {
    file,
    before: before === undefined ? null : hash('sha256', before, 'hex'),
    after: hash('sha256', after, 'hex'),
    start,
    length: after.length - end - start,
    cut: old.slice(start, old.length - end),
    madeMap,
  };
}

export type Undone =
  | { readonly kind: 'undone'; readonly text: FileText }
  | { readonly kind: 'other-text' };

/** The original text, if `text` is exactly what `install` wrote. */
export function undone(record: InstallRecord | undefined, text: FileText): Undone {
  if (record === undefined || text === undefined || hash('sha256', text, 'hex') !== record.after) {
    return { kind: 'other-text' };
  }
  const { before, start, length, cut } = record;
  if (before === null) return { kind: 'undone', text: undefined };
  const old = `${text.slice(0, start)}${cut}${text.slice(start + length)}`;
  return hash('sha256', old, 'hex') === before
    ? { kind: 'undone', text: old }
    : { kind: 'other-text' };
}

const MAX_BYTES = 64 * 1024 * 1024;

type Where = Pick<HostEnvironment, 'paths'>;

/** `undefined` if there is no valid record. */
export async function readRecord(
  host: ForeignHostId,
  file: string,
  where: Where,
): Promise<InstallRecord | undefined> {
  const read = await readOwnFile(pathOf(host, where), { maxBytes: MAX_BYTES });
  const parsed = read.ok ? parseJson(read.value, { maxLength: MAX_BYTES, maxDepth: 2 }) : undefined;
  const value = parsed?.ok === true ? parsed.value : undefined;
  return isRecord(value) && value.file === file ? value : undefined;
}

/** Without a record, removes the stored one. If it cannot be written, `uninstall` still removes the entry. */
export async function keepRecord(
  host: ForeignHostId,
  record: InstallRecord | undefined,
  where: Where,
): Promise<void> {
  const path = pathOf(host, where);
  if (record === undefined) {
    await removeFile(path);
    return;
  }
  try {
    await ensureFolder(dirname(path));
    await writeFileAtomically(path, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  } catch {
    await removeFile(path);
  }
}

function pathOf(host: ForeignHostId, { paths }: Where): string {
  return join(paths.state, 'gateway', 'installed', `${host}.json`);
}

function isRecord(value: unknown): value is InstallRecord {
  if (!isObject(value)) return false;
  const { file, before, after, start, length, cut, madeMap } = value;
  return (
    [file, after, cut].every((each) => typeof each === 'string') &&
    (before === null || typeof before === 'string') &&
    [start, length].every((each) => Number.isSafeInteger(each)) &&
    typeof madeMap === 'boolean'
  );
}
