// What to do when the system itself has run out of something, by the code that it gives: room on a disk,
// open files, memory. Whatever else a code may mean, the caller says.

import { codeOf, shortageFix } from '@plugboard/base';
import { UsageError } from '../usage-error.ts';

/**
 * For what was thrown because of the system, or of what a person may do there. `undefined` if it may be a fault of
 * ours.
 */
export function systemFix(thrown: unknown): string | undefined {
  const code = codeOf(thrown);
  const isForbidden = code === 'EACCES' || code === 'EPERM';
  const fix = isForbidden ? 'check that it is yours to read and to write' : shortageFix(code);
  if (fix !== undefined || !(thrown instanceof Error) || thrown.cause === undefined) return fix;
  return systemFix(thrown.cause);
}

/** The working folder was deleted. */
export function isFolderGone(thrown: unknown): boolean {
  return thrown instanceof Error && 'syscall' in thrown && thrown.syscall === 'uv_cwd';
}

/** For a file that cannot be written. */
export function writeFix(code: string): string {
  return shortageFix(code) ?? 'check its permissions and the space on the disk';
}

export function unwritableError(file: string, code: string): UsageError {
  return new UsageError(`${file} cannot be written (${code})`, writeFix(code));
}
