// Adds the gateway to the files of another MCP host, or removes it again. First the change is planned, so
// that a person can review it; then it is written, if the file has not changed since. If a file has not
// changed since the gateway was added, removing the gateway restores the original file.

import { dirname } from 'node:path';
import { canonicalJson, type Clock, err, ok, type Result } from '@plugboard/base';
import { fileDiagnostic } from '../config/index.ts';
import {
  ensureFolder,
  exists,
  FileLocked,
  type FileProblem,
  type HostEnvironment,
  readTextFile,
  realPathOf,
  removeFile,
  systemCode,
  withFileLock,
  writeFileAtomically,
} from '../platform/index.ts';
import { FOREIGN_HOSTS } from './hosts/all-hosts.ts';
import type {
  ForeignHost,
  ForeignHostId,
  ForeignPath,
  ImportContext,
} from './hosts/foreign-host.ts';
import {
  GATEWAY_NAME,
  gatewayEntry,
  type GatewayReach,
  reachesGateway,
} from './hosts/gateway-entry.ts';
import {
  type FileText,
  type InstallRecord,
  keepRecord,
  readRecord,
  recordOf,
  undone,
} from './install-record.ts';
import { editJson } from './json-entry.ts';
import { editToml } from './toml-entry.ts';

const BYTE_ORDER_MARK = '\uFEFF';
const READING = { maxBytes: 8 * 1024 * 1024, byteOrderMark: 'keep' } as const;

export interface ClientChange {
  readonly host: ForeignHostId;
  readonly file: string;
  readonly kind: 'added' | 'replaced' | 'removed' | 'none';
  /** The whole text, before and after. */
  readonly before: FileText;
  readonly after: FileText;
  /** Whether the new text contains the token. */
  readonly holdsToken: boolean;
  /** The record to store once the change is written. */
  readonly record: InstallRecord | undefined;
}

export type ClientProblem =
  | { readonly kind: 'unreadable'; readonly file: string; readonly message: string }
  /** The file has an error and is not changed. */
  | { readonly kind: 'not-understood'; readonly file: string }
  /** The entry is written in a way that cannot be changed safely. */
  | { readonly kind: 'by-hand'; readonly file: string }
  /** Another server has the name of the gateway. */
  | { readonly kind: 'other-server'; readonly file: string }
  | { readonly kind: 'only-programs' }
  | { readonly kind: 'changed-meanwhile'; readonly file: string }
  /** Another command of this program has locked the file for too long. */
  | {
      readonly kind: 'locked';
      readonly file: string;
      readonly lock: string;
      readonly holder: number | undefined;
    }
  | { readonly kind: 'unwritable'; readonly file: string; readonly code: string };

type Place = Pick<HostEnvironment, 'env' | 'home' | 'platform' | 'cwd'>;

/** The hosts that seem to be installed for this user. */
export async function presentHosts(where: Place): Promise<readonly ForeignHostId[]> {
  const found = await Promise.all(
    FOREIGN_HOSTS.map(async (host) =>
      (await presentFile(host, where)) === undefined ? [] : [host.id],
    ),
  );
  return found.flat();
}

/** Without `reach`, plans to remove the gateway. */
export async function planClient(
  host: ForeignHostId,
  reach: GatewayReach | undefined,
  where: Place & Pick<HostEnvironment, 'paths'>,
): Promise<Result<ClientChange, ClientProblem>> {
  const value = reach === undefined ? undefined : gatewayEntry(host, reach);
  if (reach !== undefined && value === undefined) return err({ kind: 'only-programs' });
  const client = FOREIGN_HOSTS.find(({ id }) => id === host);
  const target = client && ((await presentFile(client, where)) ?? userFiles(client, where)[0]);
  if (client === undefined || target === undefined) return err({ kind: 'only-programs' });
  const { path: file, syntax } = target;
  const read = await readTextFile(file, READING);
  if (!read.ok && read.error.kind !== 'missing') return err(unreadable(file, read.error));
  const before = read.ok ? read.value : undefined;
  const mark = before?.startsWith(BYTE_ORDER_MARK) === true ? BYTE_ORDER_MARK : '';
  const text = before?.slice(mark.length) ?? '';
  const old = await readRecord(host, file, where);
  const emptyMap = old?.madeMap === true ? { emptyMap: 'remove' as const } : {};
  const path = client.serverMaps(contextOf(where)).at(-1) ?? [];
  const edit = { path, name: GATEWAY_NAME, value, ...emptyMap };
  const edited = syntax === 'toml' ? await editToml(text, edit) : editJson(text, edit);
  if (!edited.ok) {
    return err({ kind: edited.error === 'invalid' ? 'not-understood' : 'by-hand', file });
  }
  const { before: entry, madeMap = false } = edited.value;
  if (entry !== undefined && !reachesGateway(entry)) return err({ kind: 'other-server', file });
  const holdsToken = reach?.kind === 'http' && reach.token !== undefined;
  const change = { host, file, before, holdsToken };
  if (value === undefined ? entry === undefined : isSame(entry, value)) {
    return ok({ ...change, kind: 'none', after: before, record: old });
  }
  const after = `${mark}${edited.value.text}`;
  const first = undone(old, before);
  if (value === undefined) {
    const rest = old?.before === null && isBare(edited.value.text) ? undefined : after;
    const left = first.kind === 'undone' ? first.text : rest;
    return ok({ ...change, kind: 'removed', after: left, record: undefined });
  }
  if (entry === undefined) {
    const record = recordOf(file, { before, after, madeMap });
    return ok({ ...change, kind: 'added', after, record });
  }
  // The record keeps the text from before the gateway was first added.
  const record =
    old !== undefined && first.kind === 'undone'
      ? recordOf(file, { before: first.text, after, madeMap: old.madeMap })
      : old;
  return ok({ ...change, kind: 'replaced', after, record });
}

/** Locks the file against other commands of this program. The other host ignores the lock. */
export async function writeClient(
  change: ClientChange,
  where: Pick<HostEnvironment, 'paths'>,
  options: { readonly clock?: Clock } = {},
): Promise<Result<undefined, ClientProblem>> {
  const { host, file, after, record } = change;
  const first = await standingOf(change);
  if (first !== 'as-planned') return resultOf(first, file);
  try {
    await ensureFolder(dirname(file));
    return await withFileLock(file, options, async () => {
      // Another command may have written it since.
      const now = await standingOf(change);
      if (now !== 'as-planned') return resultOf(now, file);
      if (after === undefined) {
        const removed = await removeFile(await realPathOf(file));
        if (!removed.ok) return err({ ...removed.error, file });
      } else {
        // Others who may read the file could read the token.
        const most = change.holdsToken ? { most: 0o700 } : {};
        await writeFileAtomically(file, after, { mode: 0o600, ...most });
      }
      await keepRecord(host, record, where);
      return ok(undefined);
    });
  } catch (thrown) {
    if (thrown instanceof FileLocked) {
      const { lock, holder } = thrown.data;
      return err({ kind: 'locked', file, lock, holder });
    }
    return err({ kind: 'unwritable', file, code: systemCode(thrown) ?? 'UNKNOWN' });
  }
}

/** The state of a file with regard to a planned change. `done`: another command has made the same change. */
type Standing = 'as-planned' | 'done' | 'other-text';

async function standingOf({ file, before, after }: ClientChange): Promise<Standing> {
  const read = await readTextFile(file, READING);
  if (!read.ok && read.error.kind !== 'missing') return 'other-text';
  const text = read.ok ? read.value : undefined;
  if (text === before) return 'as-planned';
  return text === after ? 'done' : 'other-text';
}

function resultOf(
  standing: Exclude<Standing, 'as-planned'>,
  file: string,
): Result<undefined, ClientProblem> {
  return standing === 'done' ? ok(undefined) : err({ kind: 'changed-meanwhile', file });
}

function contextOf(where: Place): ImportContext {
  return { ...where, project: where.cwd };
}

function userFiles(host: ForeignHost, where: Place): readonly ForeignPath[] {
  return host.files(contextOf(where)).filter(({ owner }) => owner === 'user');
}

/** A file of the user that exists, or else one whose folder exists. */
async function presentFile(host: ForeignHost, where: Place): Promise<ForeignPath | undefined> {
  const files = userFiles(host, where);
  for (const file of files) if (await exists(file.path)) return file;
  for (const file of files) {
    const folder = dirname(file.path);
    if (folder !== where.home && (await exists(folder))) return file;
  }
  return undefined;
}

function unreadable(file: string, problem: FileProblem): ClientProblem {
  return { kind: 'unreadable', file, message: fileDiagnostic(problem).message };
}

function isSame(entry: unknown, value: unknown): boolean {
  return value !== undefined && canonicalJson(entry) === canonicalJson(value);
}

/** Whether a text is an empty document, in JSON or TOML. */
function isBare(text: string): boolean {
  return /^(?:\{\s*\})?$/.test(text.trim());
}
