// One watch for each folder in which something of interest may happen, opened and closed as folders
// come and go. Says which folders the system would not watch, so that the caller looks there itself.
// What the caller is told of may have happened or not: it has to look.

import { watch } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { basename } from 'node:path';
import { codeOf, type Logger } from '@plugboard/base';

export interface FolderWatchListener {
  /** The name of what changed in the folder, where the system says it. */
  readonly onEvent: (name: string | null) => void;
  readonly onError: (thrown: unknown) => void;
}

/** Throws where the system refuses. Disposing ends it. */
export type StartFolderWatch = (folder: string, listener: FolderWatchListener) => Disposable;

export const startFolderWatch: StartFolderWatch = (folder, { onEvent, onError }) => {
  const watcher = watch(folder, { persistent: false }, (_, name) => onEvent(name));
  watcher.on('error', onError);
  return { [Symbol.dispose]: () => watcher.close() };
};

/** Stands for whatever is in a folder; nothing can have it for a name. */
export const ANY_NAME = '/';

interface FolderWatchesOptions {
  readonly start: StartFolderWatch;
  readonly logger: Logger;
  /** Something may have happened to one of the names. */
  readonly onEvent: () => void;
}

interface WatchedFolder {
  /** Tells a folder from another one that has taken its place; nothing once that may have happened. */
  identity: string | undefined;
  names: ReadonlySet<string>;
  /** None if the system does not tell what happens. */
  readonly handle: Disposable | undefined;
}

export class FolderWatches implements Disposable {
  readonly #options: FolderWatchesOptions;
  readonly #folders = new Map<string, WatchedFolder>();
  readonly #reported = new Set<string>();

  constructor(options: FolderWatchesOptions) {
    this.#options = options;
  }

  /** Whether all that happens is told. */
  get isComplete(): boolean {
    return [...this.#folders.values()].every(({ handle }) => handle !== undefined);
  }

  /**
   * Watches these folders for these names, and no others. Answers whether a watch was opened: then
   * something may have happened just before.
   */
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
    const { identity, isRemote } = await lookAt(folder);
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
        onEvent: (name) => this.#heard(folder, handle, name),
        onError: (thrown) => this.#lost(folder, handle, thrown),
      });
      return handle;
    } catch (thrown) {
      this.#report(folder, thrown);
      return undefined;
    }
  }

  #heard(folder: string, handle: Disposable, name: string | null): void {
    const watched = this.#folders.get(folder);
    if (watched?.handle !== handle) return;
    const folded = name === null ? undefined : fold(name);
    // The end of the folder itself is told by the folder's own name.
    const isFolder = folded === undefined || folded === fold(basename(folder));
    if (isFolder) watched.identity = undefined;
    const { names } = watched;
    if (isFolder || names.has(ANY_NAME) || names.has(folded)) this.#options.onEvent();
  }

  #lost(folder: string, handle: Disposable, thrown: unknown): void {
    const watched = this.#folders.get(folder);
    if (watched?.handle !== handle) return;
    handle[Symbol.dispose]();
    this.#folders.set(folder, { ...watched, handle: undefined });
    this.#report(folder, thrown);
    this.#options.onEvent();
  }

  #report(folder: string, thrown: unknown): void {
    const code = codeOf(thrown) ?? 'UNKNOWN';
    // The folder was removed meanwhile; the next look finds that out.
    if (code === 'ENOENT' || code === 'ENOTDIR' || this.#reported.has(folder)) return;
    this.#reported.add(folder);
    this.#options.logger.log('debug', 'cannot watch a folder, looking at it instead', {
      folder,
      code,
    });
  }
}

/** Some systems tell names in another case or composition than they were asked for. */
function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

async function lookAt(
  folder: string,
): Promise<{ readonly identity: string | undefined; readonly isRemote: boolean }> {
  try {
    const [{ dev, ino, birthtimeMs }, { type }] = await Promise.all([stat(folder), statfs(folder)]);
    return { identity: `${dev}:${ino}:${birthtimeMs}`, isRemote: REMOTE_DISKS.has(type) };
  } catch {
    // Gone, or hidden from us; opening a watch will say so.
    return { identity: undefined, isRemote: false };
  }
}

/**
 * Disks on which others make changes that this system never tells of, by the numbers that Linux gives
 * them. https://man7.org/linux/man-pages/man2/statfs.2.html
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
