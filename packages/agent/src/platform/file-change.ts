// A change of a file by a tool, and what is needed to take it back. `undefined` stands for a missing file.

import { createHash } from 'node:crypto';

export interface FileChange {
  /** Relative to the root. */
  readonly path: string;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}

/** The content of a file before a turn, and what tools left there. */
export interface FileBefore {
  /** Relative to the root. */
  readonly path: string;
  readonly before: Uint8Array | undefined;
  /** The digest of the content after the last change. */
  readonly left: string | undefined;
}

export function digestOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : createHash('sha256').update(bytes).digest('hex');
}
