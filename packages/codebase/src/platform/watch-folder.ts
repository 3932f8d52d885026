// Reports changes below a folder with the watcher of the system. On Linux it uses `LinuxWatch`: the library does not watch
// folders that are moved in together with another folder, and does not report lost events.

import type { BackendType } from '@parcel/watcher';
import { LinuxWatch, type WatchFolder } from './linux-watch.ts';

const BACKENDS: Readonly<Partial<Record<NodeJS.Platform, BackendType>>> = {
  linux: 'inotify',
  darwin: 'fs-events',
  win32: 'windows',
};

export async function watchFolder(options: WatchFolder): Promise<AsyncDisposable> {
  if (process.platform === 'linux') return LinuxWatch.open(options);
  const { default: watcher } = await import('@parcel/watcher');
  const { folder, ignore, onChanges, onLost } = options;
  // Without a backend the library runs a `watchman` from PATH, and leaves its shell behind.
  const backend = BACKENDS[process.platform];
  const subscription = await watcher.subscribe(
    folder,
    (thrown, changes) => (thrown === null ? onChanges(changes) : onLost(thrown)),
    { ignore: [...ignore], ...(backend !== undefined && { backend }) },
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
