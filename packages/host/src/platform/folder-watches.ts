// One watch for each folder with relevant entries, opened and closed as folders appear and disappear. Reports whether
// the system watches all of them, so that the caller can poll otherwise. An event means that something may have changed:
// the caller has to check.

import { watch } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { basename } from 'node:path';
import { codeOf, type Logger } from '@plugboard/base';

export interface FolderWatchListener {
  /** The name of the changed entry, if the system reports it. */
  readonly onEvent: (name: string | null) => void;
  readonly onError: (thrown: unknown) => void;
}

/** Throws if the system refuses. Disposing the result ends the watch. */
export type StartFolderWatch = (folder: string, listener: FolderWatchListener) => Disposable;

export const startFolderWatch: StartFolderWatch = (folder, { onEvent, onError }) => {
  const watcher = watch(folder, { persistent: false }, (_, name) => onEvent(name));
  watcher.on('error', onError);
  return { [Symbol.dispose]: () => watcher.close() };
};

/** Stands for every entry of a folder; no entry can have this name. */
export const ANY_NAME = '/';

interface FolderWatchesOptions {
  readonly start: StartFolderWatch;
  readonly logger: Logger;
  /** Called if one of the names may have changed. */
  readonly onEvent: () => void;
}

interface WatchedFolder {
  /** Differs for a folder that replaced this one; `undefined` once it may have been replaced. */
  identity: string | undefined;
  names: ReadonlySet<string>;
  /** `undefined` if the system cannot watch it. */
  readonly handle: Disposable | undefined;
}

export class FolderWatches implements Disposable {
  readonly #options: FolderWatchesOptions;
  readonly #folders = new Map<string, WatchedFolder>();
  readonly #reported = new Set<string>();

  constructor(options: FolderWatchesOptions) {
    this.#options = options;
  }

  /** Whether the system watches every folder. */
  get isComplete(): boolean {
    return [...this.#folders.values()].every(({ handle }) => handle !== undefined);
  }

  /** Watches these names in these folders only. Returns whether a watch was opened: a change may have preceded it. */
  async watch(wanted: ReadonlyMap<string, ReadonlySet<string>>): Promise<boolean> {
    for (const [folder, { handle }] of this.#folders) {
      if (wanted.has(folder)) continue;
      handle?.[Symbol.dispose]();
      this.#folders.delete(folder);
    }
    const opened = await Promise.all(
      [...wanted].map(([folder, names]) =>
        this.#watchFolder(folder, new Set([...names].map(fold))),
      ),
    );
    return opened.includes(true);
  }

  [Symbol.dispose](): void {
    for (const { handle } of this.#folders.values()) handle?.[Symbol.dispose]();
    this.#folders.clear();
  }

  async #watchFolder(folder: string, names: ReadonlySet<string>): Promise<boolean> {
    const { identity, isRemote } = await readFolder(folder);
    const before = this.#folders.get(folder);
    if (before?.handle !== undefined && before.identity === identity) {
      before.names = names;
      return false;
    }
    before?.handle?.[Symbol.dispose]();
    const handle = isRemote ? undefined : this.#start(folder);
    this.#folders.set(folder, { identity, names, handle });
    return handle !== undefined;
  }

  #start(folder: string): Disposable | undefined {
    try {
      const handle = this.#options.start(folder, {
        onEvent: (name) => this.#onChange(folder, handle, name),
        onError: (thrown) => this.#onWatchError(folder, handle, thrown),
      });
      return handle;
    } catch (thrown) {
      this.#report(folder, thrown);
      return undefined;
    }
  }

  #onChange(folder: string, handle: Disposable, name: string | null): void {
    const watched = this.#folders.get(folder);
    if (watched?.handle !== handle) return;
    const folded = name === null ? undefined : fold(name);
    // The end of the folder itself is reported under its own name.
    const isFolder = folded === undefined || folded === fold(basename(folder));
    if (isFolder) watched.identity = undefined;
    const { names } = watched;
    if (isFolder || names.has(ANY_NAME) || names.has(folded)) this.#options.onEvent();
  }

  #onWatchError(folder: string, handle: Disposable, thrown: unknown): void {
    const watched = this.#folders.get(folder);
    if (watched?.handle !== handle) return;
    handle[Symbol.dispose]();
    this.#folders.set(folder, { ...watched, handle: undefined });
    this.#report(folder, thrown);
    this.#options.onEvent();
  }

  #report(folder: string, thrown: unknown): void {
    const code = codeOf(thrown) ?? 'UNKNOWN';
    // The folder was removed meanwhile, which the next check detects.
    if (code === 'ENOENT' || code === 'ENOTDIR' || this.#reported.has(folder)) return;
    this.#reported.add(folder);
    this.#options.logger.log('debug', 'cannot watch a folder, looking at it instead', {
      folder,
      code,
    });
  }
}

/** Some systems report names in another case or Unicode composition. */
function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

async function readFolder(
  folder: string,
): Promise<{ readonly identity: string | undefined; readonly isRemote: boolean }> {
  try {
    const [{ dev, ino, birthtimeMs }, { type }] = await Promise.all([stat(folder), statfs(folder)]);
    return { identity: `${dev}:${ino}:${birthtimeMs}`, isRemote: REMOTE_DISKS.has(type) };
  } catch {
    // Missing or unreadable; opening a watch will report that.
    return { identity: undefined, isRemote: false };
  }
}

/**
 * Disks whose changes by other machines are not reported, by their numbers on Linux.
 * https://man7.org/linux/man-pages/man2/statfs.2.html
 */
const REMOTE_DISKS: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xff534d42, // CIFS
  0xfe534d42, // SMB 2
  0x01021997, // 9P, as the disks of Windows under WSL
  0x65735546, // FUSE
  0x786f4256, // folders that VirtualBox shares
  0x00c36400, // Ceph
  0x5346414f, // AFS
  0x0bd00bd0, // Lustre
]);
