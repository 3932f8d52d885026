// Suggests what to do if the system ran out of a resource, by its error code.

/** `undefined` for other codes. */
export function shortageFix(code: string | undefined): string | undefined {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'make room on the disk, then try again';
    case 'EROFS':
      return 'the disk can only be read: make it writable, or set HOME to a folder that is';
    case 'EMFILE':
    case 'ENFILE':
      return 'too many files are open: end other programs, or allow more (ulimit -n 4096) and start this one again';
    case 'EAGAIN':
    case 'ENOMEM':
      return 'the system has no room for more programs just now: end others, then try again';
    default:
      return undefined;
  }
}
