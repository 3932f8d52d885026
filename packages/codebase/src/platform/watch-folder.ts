// Reports changes below a folder with the watcher of the system, and changes since a snapshot. On Linux it uses
// `LinuxWatch`: the library does not watch folders that are moved in together with another folder, and does not report
// lost events.

import type { BackendType } from '@parcel/watcher';
import { type FolderChange, LinuxWatch, type WatchFolder } from './linux-watch.ts';

export type { FolderChange };

const BACKENDS: Readonly<Partial<Record<NodeJS.Platform, BackendType>>> = {
  linux: 'inotify',
  darwin: 'fs-events',
  win32: 'windows',
};

/** Without a backend the library runs a `watchman` from PATH, and leaves its shell behind. */
function watchOptions(ignore: readonly string[]): { ignore: string[]; backend?: BackendType } {
  const backend = BACKENDS[process.platform];
  return { ignore: [...ignore], ...(backend !== undefined && { backend }) };
}

export async function watchFolder(options: WatchFolder): Promise<AsyncDisposable> {
  if (process.platform === 'linux') return LinuxWatch.open(options);
  const { default: watcher } = await import('@parcel/watcher');
  const { folder, ignore, onChanges, onLost } = options;
  const subscription = await watcher.subscribe(
    folder,
    (thrown, changes) => (thrown === null ? onChanges(changes) : onLost(thrown)),
    watchOptions(ignore),
  );
  let closing: Promise<void> | undefined;
  return {
    [Symbol.asyncDispose]() {
      closing ??= subscription.unsubscribe().catch(() => {
        // It fails for a deleted folder, which is no longer watched anyway.
      });
      return closing;
    },
  };
}

export interface Snapshot {
  readonly folder: string;
  /** The file of the snapshot. */
  readonly file: string;
  readonly ignore: readonly string[];
}

export async function writeSnapshot({ folder, file, ignore }: Snapshot): Promise<void> {
  const { default: watcher } = await import('@parcel/watcher');
  await watcher.writeSnapshot(folder, file, watchOptions(ignore));
}

/** Throws if the snapshot is missing or unreadable. */
export async function changesSince(snapshot: Snapshot): Promise<readonly FolderChange[]> {
  const { folder, file, ignore } = snapshot;
  const { default: watcher } = await import('@parcel/watcher');
  return watcher.getEventsSince(folder, file, watchOptions(ignore));
}
