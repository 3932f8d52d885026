// Tells when one of some files changed, appeared, vanished or was replaced, whatever way: in place, by
// a rename, with its folder, or through a link that now leads elsewhere. Of a path that ends with a
// slash, what lies in that folder counts. What the files hold, and what is to be done about a change,
// is the caller's business.

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Clock,
  codeOf,
  type Logger,
  messageOf,
  silentLogger,
  systemClock,
} from '@plugboard/base';
import { FileTrails, type FolderEntryName } from './file-trail.ts';
import { isFolder } from './new-folder.ts';
import {
  ANY_NAME,
  FolderWatches,
  startFolderWatch,
  type StartFolderWatch,
} from './folder-watches.ts';
import { BurstGatherer } from './burst-gatherer.ts';
import { realPathOf } from './real-path.ts';

export interface WatchFilesOptions {
  /** Changes that come close together are told as one. */
  readonly onChange: () => void;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** How long nothing must change before a change is told. */
  readonly quietMs?: number;
  /** How long after the first change it is told at the latest. */
  readonly maxWaitMs?: number;
  /** How the system watches a folder; otherwise as Node does it. */
  readonly startWatch?: StartFolderWatch;
}

export interface FileWatch extends Disposable {
  /** Once it resolves, no later change is missed. A file that is read after that is never stale. */
  readonly ready: Promise<void>;
  /** Watches these files from now on, and no others; resolves as `ready` does. */
  update(paths: readonly string[]): Promise<void>;
}

const QUIET_MS = 150;
const MAX_WAIT_MS = 600;
/** How often to look where the system does not tell. */
const POLL_MS = 500;
/** How often to look where it does: it does not tell of folders further up, and may lose an event. */
const RECHECK_MS = 5000;
const MOST_ROUNDS = 5;

/** Never keeps the process alive. */
export function watchFiles(paths: readonly string[], options: WatchFilesOptions): FileWatch {
  return new FilesWatch(paths, options);
}

class FilesWatch implements FileWatch {
  readonly ready: Promise<void>;
  readonly #clock: Clock;
  readonly #gathering: BurstGatherer;
  readonly #folders: FolderWatches;
  #paths: readonly string[];
  #known: ReadonlyMap<string, string> = new Map();
  /** The last look that was asked for, and the one of it that has not begun. */
  #looking: Promise<void> = Promise.resolve();
  #nextLook: Promise<void> | undefined;
  #timer: Disposable | undefined;
  #isClosed = false;

  constructor(paths: readonly string[], options: WatchFilesOptions) {
    const { clock = systemClock, logger = silentLogger } = options;
    this.#paths = paths;
    this.#clock = clock;
    this.#gathering = new BurstGatherer({
      clock,
      quietMs: options.quietMs ?? QUIET_MS,
      maxWaitMs: options.maxWaitMs ?? MAX_WAIT_MS,
      onGathered: () => tell(options.onChange, logger),
    });
    this.#folders = new FolderWatches({
      start: options.startWatch ?? startFolderWatch,
      logger,
      onEvent: () => void this.#look(),
    });
    this.ready = this.#look();
  }

  update(paths: readonly string[]): Promise<void> {
    this.#paths = paths;
    return this.#look();
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#timer?.[Symbol.dispose]();
    this.#gathering[Symbol.dispose]();
    this.#folders[Symbol.dispose]();
  }

  /** Resolves when a look is done that began after this call; one at a time. Never rejects. */
  #look(): Promise<void> {
    this.#nextLook ??= this.#looking.then(() => {
      this.#nextLook = undefined;
      return this.#lookNow();
    });
    this.#looking = this.#nextLook;
    return this.#nextLook;
  }

  async #lookNow(): Promise<void> {
    const paths = this.#paths;
    await this.#watchFoldersOf(paths);
    // Only now: what changes after it was looked at is told, since its folder is watched.
    const found = new Map(
      await Promise.all(paths.map(async (path) => [path, await signatureOf(path)] as const)),
    );
    if (this.#isClosed) return;
    const isChanged = [...found].some(
      ([path, signature]) => (this.#known.get(path) ?? signature) !== signature,
    );
    this.#known = found;
    if (isChanged) this.#gathering.note();
    this.#timer?.[Symbol.dispose]();
    this.#timer = this.#clock.after(
      this.#folders.isComplete ? RECHECK_MS : POLL_MS,
      () => void this.#look(),
    );
  }

  async #watchFoldersOf(paths: readonly string[]): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS && !this.#isClosed; round += 1) {
      const isSettled = !(await this.#folders.watch(await namesByFolder(paths)));
      if (this.#isClosed) this.#folders[Symbol.dispose]();
      // What a new watch came too late for, as a folder made just before, is seen in another round.
      if (isSettled) return;
    }
  }
}

async function namesByFolder(
  paths: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const trails = new FileTrails();
  const places = (await Promise.all(paths.map((path) => placesOf(path, trails)))).flat();
  const folders = new Map<string, Set<string>>();
  for (const { folder, name } of places) {
    const names = folders.get(folder) ?? new Set();
    folders.set(folder, names.add(name));
  }
  return folders;
}

async function placesOf(path: string, trails: FileTrails): Promise<readonly FolderEntryName[]> {
  const places = await trails.of(path);
  if (!isWithEntries(path) || !(await isFolder(path))) return places;
  return [...places, { folder: await realPathOf(path), name: ANY_NAME }];
}

function isWithEntries(path: string): boolean {
  return path.endsWith('/');
}

/** Unchanged as long as the file is. For a folder only its identity counts, unless its entries are watched. */
async function signatureOf(path: string): Promise<string> {
  try {
    const found = await stat(path, { bigint: true });
    const { dev, ino, size, mtimeNs, ctimeNs } = found;
    if (!found.isDirectory()) return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
    const folder = `folder ${dev} ${ino}`;
    if (!isWithEntries(path)) return folder;
    const names = (await readdir(path)).toSorted();
    const entries = await Promise.all(names.map((name) => signatureOf(join(path, name))));
    return JSON.stringify([folder, names, entries]);
  } catch (thrown) {
    const code = codeOf(thrown) ?? 'UNKNOWN';
    return code === 'ENOTDIR' ? 'ENOENT' : code;
  }
}

function tell(onChange: () => void, logger: Logger): void {
  try {
    onChange();
  } catch (thrown) {
    logger.log('error', 'a listener to changed files failed', { reason: messageOf(thrown) });
  }
}
