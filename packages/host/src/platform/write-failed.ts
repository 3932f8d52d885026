// A file that cannot be written, whichever step it was that the system refused.

import { CodedError, codeOf, messageOf } from '@plugboard/base';

export type WriteFailed = CodedError<
  'write-failed',
  { readonly path: string; readonly code: string }
>;

export function writeFailed(path: string, cause: unknown): WriteFailed {
  return new CodedError('write-failed', `cannot write ${path}: ${messageOf(cause)}`, {
    // The system's reason, such as ENOSPC.
    data: { path, code: codeOf(cause) ?? 'UNKNOWN' },
    cause,
  });
}
