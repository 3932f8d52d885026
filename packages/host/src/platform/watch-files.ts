// Reports when one of several files was changed, created, removed or replaced in any way: in place, by a rename, with its
// folder, or through a link that now leads elsewhere. For a path that ends with a slash, the entries of the folder are
// watched.

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
  /** Called once for changes in quick succession. */
  readonly onChange: () => void;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** How long nothing must change before a change is reported. */
  readonly quietMs?: number;
  /** The longest time from the first change to its report. */
  readonly maxWaitMs?: number;
  /** Watches one folder; by `fs.watch`, by default. */
  readonly startWatch?: StartFolderWatch;
}

const QUIET_MS = 150;
const MAX_WAIT_MS = 600;
/** How often to check if the system cannot watch all folders. */
const POLL_MS = 500;
/** How often to check otherwise: folders further up are not watched, and events may be lost. */
const RECHECK_MS = 5000;
const MOST_ROUNDS = 5;

/** Never keeps the process alive. */
export function watchFiles(paths: readonly string[], options: WatchFilesOptions): FileWatch {
  return new FileWatch(paths, options);
}

export class FileWatch implements Disposable {
  /** Once it resolves, no later change is missed. A file that is read after that is never stale. */
  readonly ready: Promise<void>;
  readonly #clock: Clock;
  readonly #gathering: BurstGatherer;
  readonly #folders: FolderWatches;
  #paths: readonly string[];
  #known: ReadonlyMap<string, string> = new Map();
  /** The last requested check, and the one that has not begun. */
  #checking: Promise<void> = Promise.resolve();
  #nextCheck: Promise<void> | undefined;
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
      onGathered: () => report(options.onChange, logger),
    });
    this.#folders = new FolderWatches({
      start: options.startWatch ?? startFolderWatch,
      logger,
      onEvent: () => void this.#check(),
    });
    this.ready = this.#check();
  }

  /** Watches these files from now on, and no others; resolves as `ready` does. */
  update(paths: readonly string[]): Promise<void> {
    this.#paths = paths;
    return this.#check();
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#timer?.[Symbol.dispose]();
    this.#gathering[Symbol.dispose]();
    this.#folders[Symbol.dispose]();
  }

  /** Resolves after a check that began after this call; one at a time. Never rejects. */
  #check(): Promise<void> {
    this.#nextCheck ??= this.#checking.then(() => {
      this.#nextCheck = undefined;
      return this.#checkNow();
    });
    this.#checking = this.#nextCheck;
    return this.#nextCheck;
  }

  async #checkNow(): Promise<void> {
    const paths = this.#paths;
    await this.#watchFoldersOf(paths);
    // Only now, so that the watch of its folder reports every change after the signature was read.
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
      () => void this.#check(),
    );
  }

  async #watchFoldersOf(paths: readonly string[]): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS && !this.#isClosed; round += 1) {
      const isSettled = !(await this.#folders.watch(await namesByFolder(paths)));
      if (this.#isClosed) this.#folders[Symbol.dispose]();
      // Another round detects what happened before a new watch, such as the creation of a folder.
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

/** Changes with the file. For a folder, only its identity counts, unless its entries are watched. */
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

function report(onChange: () => void, logger: Logger): void {
  try {
    onChange();
  } catch (thrown) {
    logger.log('error', 'a listener to changed files failed', { reason: messageOf(thrown) });
  }
}
