// Lets one process of this program at a time work on one file. The lock is advisory: editors and other
// programs ignore it. Work that requests the lock of its own file waits for itself.
//
// The lock is a folder beside the file. A process that wants it puts a file into the folder, named after the
// process, and looks again: if the file is alone, the lock is held; otherwise the process removes its file
// and tries later. So what a killed process left can be removed by any process at any time, since no other
// lock ever has that name. See docs/decisions/0019-file-locks.md.

import { randomBytes } from 'node:crypto';
import { lstat, mkdir, open, readdir, realpath, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  backoffDelay,
  type Clock,
  CodedError,
  codeOf,
  deadline,
  DeadlineExceeded,
  delay,
  Emitter,
  KeyedMutex,
  never,
  stayAlive,
  systemClock,
} from '@plugboard/base';
import { followLinks } from './follow-links.ts';
import { ownIdentity, type ProcessIdentity, stateOf } from '@plugboard/base/platform';
import { writeFailed } from './write-failed.ts';

export interface FileLockOptions {
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  /** How long to wait for one holder. The time starts again with each new holder. */
  readonly timeoutMs?: number;
}

export interface LockedData {
  readonly path: string;
  /** The folder to delete if in fact no process holds the lock. */
  readonly lock: string;
  /** The number of the process that holds it, if known. */
  readonly holder: number | undefined;
  readonly waitedMs: number;
}

/** Another holder kept the lock during the whole waiting time. */
export class FileLocked extends CodedError<'file-locked', LockedData> {
  constructor(data: LockedData) {
    const { path, lock, holder, waitedMs } = data;
    const who = holder === undefined ? 'someone' : `process ${holder}`;
    super(
      'file-locked',
      `${who} has kept ${path} locked for ${waitedMs} ms: wait for it to end, or delete ${lock} if nothing works on the file`,
      { data },
    );
  }
}

const PATIENCE_MS = 10_000;
/** How long a holder of unknown state may keep the lock; an edit takes a hundredth of that. */
const UNKNOWN_HOLDER_MS = 30_000;
const POLLING = { firstMs: 4, maxMs: 40, maxAttempts: Number.POSITIVE_INFINITY };

/** Within one process, callers get the lock in the order of their requests. */
const callers = new KeyedMutex<string>();

interface Turn {
  readonly folder: string;
  /** The current holder, if known. */
  readonly holder: number | undefined;
}

/** Emitted to all callers in this process who wait for the same lock. Listeners never fail. */
const turns = new Emitter<Turn>(() => {});

/**
 * Rejects as the work does, with `FileLocked` when time is up, with the signal's reason when that aborts
 * while waiting, and with `write-failed` where no lock can be made, as writing the file would.
 */
export async function withFileLock<T>(
  path: string,
  options: FileLockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const { clock = systemClock, signal = never, timeoutMs = PATIENCE_MS } = options;
  const folder = await lockFolder(path);
  let holder: number | undefined = process.pid;
  using limit = deadline(timeoutMs, clock, signal);
  using _ = turns.on((turn) => {
    if (turn.folder !== folder) return;
    holder = turn.holder;
    limit.restart();
  });
  try {
    return await callers.run(folder, limit.signal, async () => {
      const own = await acquire({ path, folder, clock, signal: limit.signal });
      limit[Symbol.dispose]();
      turns.emit({ folder, holder: process.pid });
      try {
        return await work();
      } finally {
        await leave(folder, own);
      }
    });
  } catch (thrown) {
    const isOver = thrown instanceof DeadlineExceeded && thrown === limit.signal.reason;
    if (!isOver || signal.aborted) throw thrown;
    throw new FileLocked({ path, lock: folder, holder, waitedMs: timeoutMs });
  }
}

/** The same folder for all paths to the same file. */
async function lockFolder(path: string): Promise<string> {
  try {
    const target = await followLinks(path);
    return join(await realpath(dirname(target)), `${basename(target)}.plugboard-lock`);
  } catch (thrown) {
    throw writeFailed(path, thrown);
  }
}

interface LockRequest {
  readonly path: string;
  readonly folder: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Waits for the lock, and returns the name of the file that holds it. */
async function acquire({ path, folder, clock, signal }: LockRequest): Promise<string> {
  const own = holderFileName(ownIdentity());
  // Timers of the clock would let the process end while it waits.
  using _ = stayAlive();
  let wasEmpty = false;
  let known: string | undefined = own;
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    const entered: EnterResult = await enter({ folder, own, clock, wasEmpty }).catch(
      (thrown: unknown) => {
        throw writeFailed(path, thrown);
      },
    );
    if (entered.kind === 'held') return own;
    if (entered.kind === 'busy' && entered.holder?.name !== known) {
      known = entered.holder?.name;
      turns.emit({ folder, holder: entered.holder?.pid });
    }
    wasEmpty = entered.kind === 'empty';
    await delay(backoffDelay(attempt, POLLING, Math.random) ?? 0, clock, signal);
  }
}

type EnterResult =
  | { readonly kind: 'held' }
  | { readonly kind: 'busy'; readonly holder: Holder | undefined }
  /** The folder is empty: a killed process left it, or the process that made it is about to enter. */
  | { readonly kind: 'empty' };

interface Attempt {
  readonly folder: string;
  readonly own: string;
  readonly clock: Clock;
  /** It was empty at the last look too, so no process is about to enter. */
  readonly wasEmpty: boolean;
}

/** One attempt. Exported for tests, which make many at the same moment. */
export async function enter({ folder, own, clock, wasEmpty }: Attempt): Promise<EnterResult> {
  if (!(await makeFolder(folder))) {
    // Nothing is ever followed or removed where a link or a file stands in place of the folder.
    if (!(await isFolder(folder))) return { kind: 'busy', holder: undefined };
    const [holder] = await holdersIn(folder, clock);
    if (holder !== undefined) return { kind: 'busy', holder };
    if (!wasEmpty) return { kind: 'empty' };
  }
  try {
    const handle = await open(join(folder, own), 'wx', 0o600);
    await handle.close();
  } catch (thrown) {
    // The previous holder has just removed the folder.
    if (codeOf(thrown) === 'ENOENT') return { kind: 'empty' };
    // A full disk may have room for the folder and not for the file. A folder with another holder stays.
    await rmdir(folder).catch(() => {});
    throw thrown;
  }
  const other = (await holdersIn(folder, clock)).find(({ name }) => name !== own);
  if (other === undefined) return { kind: 'held' };
  await leave(folder, own);
  return { kind: 'busy', holder: other };
}

/** Returns whether this call created it. */
async function makeFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (thrown) {
    if (codeOf(thrown) === 'EEXIST') return false;
    throw thrown;
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch (thrown) {
    // Just removed, so the lock may be free.
    if (codeOf(thrown) === 'ENOENT') return true;
    throw thrown;
  }
}

interface Holder extends ProcessIdentity {
  readonly name: string;
}

/** The holders in the folder, after those of ended processes have been removed. */
async function holdersIn(folder: string, clock: Clock): Promise<readonly Holder[]> {
  const found = (await namesIn(folder)).flatMap((name) => parseName(name) ?? []);
  const alive = await Promise.all(
    found.map(async (holder) => ((await isRemoved(folder, holder, clock)) ? [] : [holder])),
  );
  return alive.flat();
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return [];
    throw thrown;
  }
}

async function isRemoved(folder: string, holder: Holder, clock: Clock): Promise<boolean> {
  const file = join(folder, holder.name);
  const state = stateOf(holder);
  if (state === 'running') return false;
  if (state === 'unknown' && !(await isOld(file, clock))) return false;
  try {
    await rm(file, { force: true });
    return true;
  } catch {
    // Another user's file: it stays, and the error at the end names it.
    return false;
  }
}

async function isOld(file: string, clock: Clock): Promise<boolean> {
  try {
    return clock.now() - (await stat(file)).mtimeMs > UNKNOWN_HOLDER_MS;
  } catch {
    // Its holder has just removed it.
    return true;
  }
}

/** Never rejects: the work under the lock is done. */
async function leave(folder: string, own: string): Promise<void> {
  try {
    await rm(join(folder, own), { force: true });
    await rmdir(folder);
  } catch {
    // Another holder has entered or removed it. If it cannot be removed now, the next process that requests the lock
    // removes it once this one has ended.
  }
}

function holderFileName({ pid, start, realm }: ProcessIdentity): string {
  return `${pid}-${start ?? 'x'}-${realm}-${randomBytes(8).toString('hex')}`;
}

/** Only names of this format count; other files are neither read nor removed. */
function parseName(name: string): Holder | undefined {
  const match = /^(\d{1,10})-(\d{1,16}|x)-([0-9a-f]{12})-[0-9a-f]{16}$/.exec(name);
  if (match === null) return undefined;
  const [, pid, start, realm = ''] = match;
  return { name, pid: Number(pid), start: start === 'x' ? undefined : Number(start), realm };
}
