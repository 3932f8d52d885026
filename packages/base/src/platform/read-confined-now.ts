// Reads a small file below a folder synchronously, for processes that read many thousands. The same rules apply as for
// opening: the file is not a link, and its real path is below the folder.

import { closeSync, fstatSync, openSync, readlinkSync, readSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { isOfKernel, isWithin, OPEN_FILE } from './confinement.ts';

export type ReadNow =
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'gone' };

/** The bytes are only valid until `buffer` is reused; a file that fills it completely is too large. */
export function readConfinedNow(root: string, path: string, buffer: Uint8Array): ReadNow {
  let file: number | undefined;
  try {
    const whole = join(root, path);
    file = openSync(whole, OPEN_FILE);
    const stats = fstatSync(file);
    const opened = realPathOf(file, whole);
    if (!stats.isFile() || !isWithin(root, opened) || isOfKernel(opened)) return { kind: 'gone' };
    if (stats.size >= buffer.length) return { kind: 'too-large' };
    let filled = 0;
    while (filled < buffer.length) {
      const count = readSync(file, buffer, filled, buffer.length - filled, null);
      if (count === 0) return { kind: 'read', bytes: buffer.subarray(0, filled) };
      filled += count;
    }
    return { kind: 'too-large' };
  } catch {
    // Deleted or unreadable.
    return { kind: 'gone' };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function realPathOf(file: number, path: string): string {
  return process.platform === 'linux' ? readlinkSync(`/proc/self/fd/${file}`) : realpathSync(path);
}
