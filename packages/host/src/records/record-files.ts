// Where the records of a server are, and what is in them: one JSON document on each line.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Instant } from '@plugboard/base';

/** One line that a server wrote beside its messages or sent as a log message. Text from it: hostile. */
export interface LogLine {
  readonly at: Instant;
  readonly source: 'stderr' | 'stdout' | 'log';
  readonly level?: string | undefined;
  readonly text: string;
}

export interface RecordFiles {
  readonly trace: string;
  readonly log: string;
}

/** Servers of one name in several projects have files of their own, by their fingerprints. */
export function recordFiles(
  state: string,
  server: { readonly name: string; readonly fingerprint: string },
): RecordFiles {
  const mark = createHash('sha256').update(server.fingerprint).digest('hex').slice(0, 8);
  const file = `${server.name}-${mark}.ndjson`;
  return { trace: join(traceFolder(state), file), log: join(logFolder(state), file) };
}

export function traceFolder(state: string): string {
  return join(state, 'trace');
}

export function logFolder(state: string): string {
  return join(state, 'logs');
}

export const MAX_FILE_BYTES = 256 * 1024;
