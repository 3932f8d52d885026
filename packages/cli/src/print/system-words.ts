// What to do when the system itself has run out of something, by the code that it gives: room on a disk,
// open files, memory. Whatever else a code may mean, the caller says.

import { codeOf } from '@plugboard/base';

/** `undefined` if the code says nothing of the kind. */
export function shortageFix(code: string | undefined): string | undefined {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'make room on the disk, then try again';
    case 'EROFS':
      return 'the disk can only be read: make it writable, or set HOME to a folder that is';
    case 'EMFILE':
    case 'ENFILE':
      return 'too many files are open: end other programs, or allow more of them (ulimit -n 4096)';
    case 'EAGAIN':
    case 'ENOMEM':
      return 'the system has no room for more programs just now: end others, then try again';
    default:
      return undefined;
  }
}

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
