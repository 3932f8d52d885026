// Limits a folder of files that can be recreated: removes files that are old compared with the newest one, and the oldest
// beyond a maximum number. A wrong clock alone removes nothing. `sweep-to-bin.ts` sweeps files that cannot be recreated.

import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface SweepLimits {
  /** Milliseconds since the epoch, by the clock. */
  readonly now: number;
  readonly keptMs: number;
  readonly maxFiles: number;
}

/** A folder that cannot be read, and a file that cannot be removed, are left as they are. */
export async function sweepFolder(folder: string, limits: SweepLimits): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  const dated = await Promise.all(names.map((name) => changeOf(join(folder, name))));
  const files = dated
    .filter((file) => file !== undefined)
    .toSorted((a, b) => b.changedAt - a.changedAt);
  const notBefore = Math.min(limits.now, files[0]?.changedAt ?? 0) - limits.keptMs;
  const gone = files.filter(
    ({ changedAt }, index) => changedAt < notBefore || index >= limits.maxFiles,
  );
  // Another process may sweep the same folder at the same time.
  await Promise.all(gone.map(({ path }) => rm(path, { force: true }).catch(() => {})));
}

async function changeOf(
  path: string,
): Promise<{ readonly path: string; readonly changedAt: number } | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() ? { path, changedAt: found.mtimeMs } : undefined;
  } catch {
    // Removed since the folder was read.
    return undefined;
  }
}
