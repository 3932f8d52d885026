// The error for a file that cannot be written, whichever step failed, with the system's code for the reason.

import { CodedError, codeOf, isObject, messageOf } from '@plugboard/base';

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

/** The error code of the system, such as ENOSPC; `undefined` for other errors. */
export function systemCode(thrown: unknown): string | undefined {
  const isOurs = thrown instanceof CodedError && thrown.code === 'write-failed';
  const code = isOurs && isObject(thrown.data) ? thrown.data['code'] : codeOf(thrown);
  return typeof code === 'string' && /^(?:E[A-Z0-9]+|UNKNOWN)$/.test(code) ? code : undefined;
}
