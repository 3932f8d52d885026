// Watches a folder and everything below it on Linux, where the system watches single folders: each folder gets its own
// watcher before its contents are read, so that no change is missed. A folder that is created, removed or moved is
// watched again with everything below it, since the old watchers report its old path.

import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '@parcel/watcher';
import { atTurnEnd, systemClock } from '@plugboard/base';
import { statsNow } from './folder-entries.ts';

export type FolderChange = Event;

export interface WatchFolder {
  readonly folder: string;
  /** Globs and paths that are not watched. */
  readonly ignore: readonly string[];
  readonly onChanges: (changes: readonly FolderChange[]) => void;
  /** Called when events were lost: the folder has to be watched and listed again. */
  readonly onLost: (thrown: unknown) => void;
}

/** A burst of events is reported after this time without an event, and after the longer time in any case. */
const QUIET_MS = 50;
const LONGEST_BURST_MS = 500;
/**
 * The system queues 16,384 events and silently drops any more: from half as many on, some may have been lost.
 */
const MANY_EVENTS = 8_192;
/** How many folders are read at the start before other work gets its turn. */
const FOLDERS_AT_ONCE = 100;

export class LinuxWatch implements AsyncDisposable {
  readonly #options: WatchFolder;
  readonly #ignored: (path: string) => boolean;
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #burst = new Map<string, FolderChange['type']>();
  #events = 0;
  #burstStart = 0;
  #timer: Disposable | undefined;
  #isClosed = false;

  private constructor(options: WatchFolder) {
    this.#options = options;
    this.#ignored = ignoredIn(options);
  }

  /** Throws if the system does not allow more watchers. */
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

  /** Watches one folder, and returns the folders in it, to be watched next. */
  #watch(folder: string): string[] {
    if (this.#isClosed || this.#watchers.has(folder) || this.#ignored(folder)) return [];
    try {
      // An open watcher keeps the process alive, as those of `@parcel/watcher` do.
      const watcher = watch(folder, (_, name) => this.#onEvent(folder, name));
      watcher.on('error', () => this.#unwatch(folder));
      this.#watchers.set(folder, watcher);
      return readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => join(folder, name));
    } catch (thrown) {
      // Gone again, or not readable by anyone.
      if (HARMLESS.has((thrown as NodeJS.ErrnoException).code ?? '')) return [];
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

  #onEvent(folder: string, name: string | null): void {
    if (this.#isClosed || name === null) return;
    const path = join(folder, name);
    if (this.#ignored(path)) return;
    const stats = statsNow(path);
    if (this.#watchers.has(path)) this.#unwatch(path);
    if (stats?.isDirectory() === true) this.#watchNew(path);
    this.#addToBurst(path, stats === undefined ? 'delete' : 'update');
  }

  #watchNew(folder: string): void {
    try {
      this.#watchAll(folder);
    } catch (thrown) {
      this.#options.onLost(thrown);
    }
  }

  #addToBurst(path: string, type: FolderChange['type']): void {
    const now = systemClock.elapsed();
    if (this.#burst.size === 0) this.#burstStart = now;
    this.#events += 1;
    this.#burst.set(path, type);
    this.#timer?.[Symbol.dispose]();
    const left = this.#burstStart + LONGEST_BURST_MS - now;
    const wait = Math.max(0, Math.min(QUIET_MS, left));
    this.#timer = systemClock.after(wait, () => this.#report());
  }

  #report(): void {
    const changes = [...this.#burst].map(([path, type]) => ({ path, type }));
    const mayBeIncomplete = this.#events >= MANY_EVENTS;
    this.#burst.clear();
    this.#events = 0;
    if (!mayBeIncomplete) return this.#options.onChanges(changes);
    return this.#options.onLost(new Error('more changes came at once than the system keeps'));
  }
}

const HARMLESS = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP']);

/** A pattern is a path below the folder, or `**\/name` for a name at any depth. */
function ignoredIn({ folder, ignore }: WatchFolder): (path: string) => boolean {
  const anywhere = ignore.flatMap((one) => (one.startsWith('**/') ? [`/${one.slice(3)}`] : []));
  const paths = new Set(ignore.map((one) => join(folder, one)));
  return (path) => paths.has(path) || anywhere.some((ending) => path.endsWith(ending));
}
