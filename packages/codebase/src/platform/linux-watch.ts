// Watches a folder with all that is below it on Linux, where the system watches single folders: each has its own
// watcher, which is there before its contents are read, so that nothing can come unseen. A folder that came, went or
// was moved is watched again with all that is below it, since the old watchers know it by its old path.

import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '@parcel/watcher';
import { atTurnEnd, systemClock } from '@plugboard/base';
import { statsNow } from './folder-entries.ts';

export type FolderChange = Event;

export interface WatchFolder {
  readonly folder: string;
  /** Globs and paths that are not even watched. */
  readonly ignore: readonly string[];
  readonly onChanges: (changes: readonly FolderChange[]) => void;
  /** Events were lost, and more may be: only watching and looking at everything again helps. */
  readonly onLost: (thrown: unknown) => void;
}

/** After this time without an event a burst is told, or after the longer one in any case. */
const QUIET_MS = 50;
const LONGEST_BURST_MS = 500;
/**
 * The system keeps 16,384 events for a slow reader and drops the others silently: with half as many some may be lost.
 */
const MANY_EVENTS = 8_192;
/** Folders that are looked into before others get their turn, when it begins. */
const FOLDERS_AT_ONCE = 100;

export class LinuxWatch implements AsyncDisposable {
  readonly #options: WatchFolder;
  readonly #ignored: (path: string) => boolean;
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #burst = new Map<string, FolderChange['type']>();
  #events = 0;
  #burstBegan = 0;
  #timer: Disposable | undefined;
  #isClosed = false;

  private constructor(options: WatchFolder) {
    this.#options = options;
    this.#ignored = ignoredIn(options);
  }

  /** Throws where the system lets no more folders be watched. */
  static async open(options: WatchFolder): Promise<LinuxWatch> {
    const opened = new LinuxWatch(options);
    try {
      let left = opened.#watch(options.folder);
      while (left.length > 0) {
        const now = left.splice(0, FOLDERS_AT_ONCE);
        left = left.concat(now.flatMap((folder) => opened.#watch(folder)));
        await new Promise<void>(atTurnEnd);
      }
    } catch (thrown) {
      await opened[Symbol.asyncDispose]();
      throw thrown;
    }
    return opened;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#timer?.[Symbol.dispose]();
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  /** Answers the folders in it, which are to be watched next. */
  #watch(folder: string): string[] {
    if (this.#isClosed || this.#watchers.has(folder) || this.#ignored(folder)) return [];
    try {
      // As long as it watches it keeps the process alive, as `@parcel/watcher` does: what it tells may be waited for.
      const watcher = watch(folder, (_, name) => this.#heard(folder, name));
      watcher.on('error', () => this.#unwatch(folder));
      this.#watchers.set(folder, watcher);
      return readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => join(folder, name));
    } catch (thrown) {
      // Gone again, or not to be read; what is in it is unknown to all.
      if (PASSING.has((thrown as NodeJS.ErrnoException).code ?? '')) return [];
      throw thrown;
    }
  }

  #watchAll(folder: string): void {
    for (const one of this.#watch(folder)) this.#watchAll(one);
  }

  #unwatch(folder: string): void {
    for (const [path, watcher] of this.#watchers) {
      if (path !== folder && !path.startsWith(`${folder}/`)) continue;
      watcher.close();
      this.#watchers.delete(path);
    }
  }

  #heard(folder: string, name: string | null): void {
    if (this.#isClosed || name === null) return;
    const path = join(folder, name);
    if (this.#ignored(path)) return;
    const stats = statsNow(path);
    if (this.#watchers.has(path)) this.#unwatch(path);
    if (stats?.isDirectory() === true) this.#watchNew(path);
    this.#note(path, stats === undefined ? 'delete' : 'update');
  }

  #watchNew(folder: string): void {
    try {
      this.#watchAll(folder);
    } catch (thrown) {
      this.#options.onLost(thrown);
    }
  }

  #note(path: string, type: FolderChange['type']): void {
    const now = systemClock.elapsed();
    if (this.#burst.size === 0) this.#burstBegan = now;
    this.#events += 1;
    this.#burst.set(path, type);
    this.#timer?.[Symbol.dispose]();
    const left = this.#burstBegan + LONGEST_BURST_MS - now;
    const wait = Math.max(0, Math.min(QUIET_MS, left));
    this.#timer = systemClock.after(wait, () => this.#tell());
  }

  #tell(): void {
    const changes = [...this.#burst].map(([path, type]) => ({ path, type }));
    const isMuch = this.#events >= MANY_EVENTS;
    this.#burst.clear();
    this.#events = 0;
    if (!isMuch) return this.#options.onChanges(changes);
    return this.#options.onLost(new Error('more changes came at once than the system keeps'));
  }
}

const PASSING = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP']);

/** Paths below the folder, or `**\/name` for a name at any depth. */
function ignoredIn({ folder, ignore }: WatchFolder): (path: string) => boolean {
  const anywhere = ignore.flatMap((one) => (one.startsWith('**/') ? [`/${one.slice(3)}`] : []));
  const paths = new Set(ignore.map((one) => join(folder, one)));
  return (path) => paths.has(path) || anywhere.some((ending) => path.endsWith(ending));
}
