// Advice about errors of the system, by code: no space on the disk, too many open files, no memory. The caller explains
// other codes.

import { codeOf, shortageFix } from '@plugboard/base';
import { UsageError } from '../usage-error.ts';

/** The fix for an error of the system or of permissions. `undefined` if the error may be a bug of the command. */
export function systemFix(thrown: unknown): string | undefined {
  const code = codeOf(thrown);
  const isForbidden = code === 'EACCES' || code === 'EPERM';
  const fix = isForbidden ? 'check that it is yours to read and to write' : shortageFix(code);
  if (fix !== undefined || !(thrown instanceof Error) || thrown.cause === undefined) return fix;
  return systemFix(thrown.cause);
}

/** Whether the working folder was deleted. */
export function isFolderGone(thrown: unknown): boolean {
  return thrown instanceof Error && 'syscall' in thrown && thrown.syscall === 'uv_cwd';
}

/** The fix for a file that cannot be written. */
export function writeFix(code: string): string {
  return shortageFix(code) ?? 'check its permissions and the space on the disk';
}

export function unwritableError(file: string, code: string): UsageError {
  return new UsageError(`${file} cannot be written (${code})`, writeFix(code));
}
