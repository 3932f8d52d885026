// The name under which a folder's conversations are stored.

import { createHash } from 'node:crypto';
import { basename } from 'node:path';

/** Readable, and unique for every folder. */
export function folderName(folder: string): string {
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 12);
  const name = basename(folder)
    .replaceAll(/[^\w.-]/g, '_')
    .slice(0, 40);
  return `${name}-${hash}`;
}
