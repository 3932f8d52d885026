// The files with the records of a server, and their format: one JSON document per line.

import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { Instant } from '@plugboard/base';

/** One line that a server printed outside of messages, or sent as a log message. Untrusted text. */
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

/** The fingerprint separates servers with the same name in several projects. */
export function recordFiles(
  state: string,
  server: { readonly name: string; readonly fingerprint: string },
): RecordFiles {
  const mark = hash('sha256', server.fingerprint, 'hex').slice(0, 8);
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
