// What a call came to, in words.

import type { CallOutcome } from '@plugboard/host';
import type { ShownError } from './error.ts';
import { unavailableError } from './unavailable.ts';

type Failure = Exclude<CallOutcome, { readonly kind: 'result' | 'tool-error' }>;

export function outcomeError(outcome: Failure, where: string | undefined): ShownError {
  switch (outcome.kind) {
    case 'not-connected':
      return unavailableError({ server: outcome.server, where }, outcome.reason);
    case 'protocol-error':
      return unavailableError({ server: outcome.server, where }, outcome.failure);
    case 'needs-auth':
      return unavailableError(
        { server: outcome.server, where },
        { kind: 'unauthorized', url: outcome.url, status: 401 },
      );
    case 'unknown-tool':
      return {
        kind: outcome.kind,
        message: `there is no tool "${outcome.asked}"`,
        fix:
          outcome.nearest === undefined
            ? 'run: plugboard tools'
            : `did you mean "${outcome.nearest}"?`,
      };
    case 'invalid-arguments':
      return invalidArguments(outcome);
    case 'denied':
      return {
        kind: outcome.kind,
        message: `calling "${outcome.tool}" of "${outcome.server}" was denied: ${outcome.reason}`,
        fix: 'allow it, then call again',
      };
    case 'timeout':
      return {
        kind: outcome.kind,
        message: `"${outcome.tool}" of "${outcome.server}" showed no sign of life for ${outcome.ms} ms`,
        where,
        fix: 'raise "timeout" (milliseconds) in its entry if the tool needs longer',
      };
    case 'cancelled':
      return { kind: outcome.kind, message: 'the call was cancelled', fix: 'run it again' };
    default:
      return outcome satisfies never;
  }
}

function invalidArguments(outcome: Failure & { readonly kind: 'invalid-arguments' }): ShownError {
  return {
    kind: outcome.kind,
    message: `"${outcome.tool}" of "${outcome.server}" does not take these arguments`,
    details: outcome.issues.map(({ path, message }) => (path === '' ? message : `${path} ${message}`)),
    fix: `see what it takes: plugboard tools ${outcome.server} --schema`,
  };
}
