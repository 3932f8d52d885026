// Reports changes below a folder, with the watcher of the system, and what changed since a snapshot was written. On
// Linux it uses our own watchers: the library does not watch folders that arrived inside another folder, and does not
// report lost events.

import type { BackendType } from '@parcel/watcher';
import { type FolderChange, LinuxWatch, type WatchFolder } from './linux-watch.ts';

export type { FolderChange };

const BACKENDS: Readonly<Partial<Record<NodeJS.Platform, BackendType>>> = {
  linux: 'inotify',
  darwin: 'fs-events',
  win32: 'windows',
};

/** Named, since the watcher would otherwise run a `watchman` that it finds on the path, and leave its shell behind. */
function watching(ignore: readonly string[]): { ignore: string[]; backend?: BackendType } {
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
    watching(ignore),
  );
  let closing: Promise<void> | undefined;
  return {
    [Symbol.asyncDispose]() {
      closing ??= subscription.unsubscribe().catch(() => {
        // The watcher cannot let go of a folder that was deleted; nothing of it is left to let go of.
      });
      return closing;
    },
  };
}

export interface Snapshot {
  readonly folder: string;
  /** Where the snapshot is written and read. */
  readonly file: string;
  readonly ignore: readonly string[];
}

export async function writeSnapshot({ folder, file, ignore }: Snapshot): Promise<void> {
  const { default: watcher } = await import('@parcel/watcher');
  await watcher.writeSnapshot(folder, file, watching(ignore));
}

/** Throws where the snapshot is missing or unreadable. */
export async function changesSince(snapshot: Snapshot): Promise<readonly FolderChange[]> {
  const { folder, file, ignore } = snapshot;
  const { default: watcher } = await import('@parcel/watcher');
  return watcher.getEventsSince(folder, file, watching(ignore));
}
