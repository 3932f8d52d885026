// Problems of a gateway with its files.

import type { Diagnostic } from '@plugboard/host/configuration';
import { diagnosticNotice } from './diagnostics.ts';
import type { GatewayProblem } from './gateway-status.ts';
import { shortPath, type Standpoint } from './place.ts';
import { UsageError } from '../usage-error.ts';
import { writeFix } from './system-words.ts';

/** The error of a gateway that does not start. */
export function startRefused(folder: string, code: string, from: Standpoint): UsageError {
  const message = `the gateway does not start: ${shortPath(folder, from)} cannot be written (${code})`;
  return new UsageError(message, writeFix(code));
}

/** The problem of a running gateway. */
export function unwritableState(folder: string, code: string, from: Standpoint): GatewayProblem {
  return {
    kind: 'state',
    message: `${shortPath(folder, from)} cannot be written (${code}): calls go on, and logs, records and accepted definitions are lost`,
    fix: writeFix(code),
  };
}

/** Settings that cannot be read: the gateway keeps the previous ones. */
export function unreadSettings(diagnostic: Diagnostic, from: Standpoint): GatewayProblem {
  const { text, fix } = diagnosticNotice(diagnostic, from);
  return {
    kind: 'settings',
    message: `${text}; what counted before goes on until it is mended`,
    fix: fix ?? 'mend the file',
  };
}
