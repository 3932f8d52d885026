// Decides which failure a thrown value is, by its type, code and status. Pure. Errors of the SDK are judged by
// the module that has loaded the SDK.

import { type CancelSignal, DeadlineExceeded, isObject } from '@plugboard/base';
import { FailureError, type ProtocolFailure, unexpectedFailure } from './neutral/failure.ts';

export interface FailureContext {
  /** The signal the work was done under: its reason tells a time-out from a cancellation. */
  readonly signal: CancelSignal;
  /** The time limit that the SDK was given for the request. */
  readonly timeoutMs: number;
  /** Where the server is, as it may be shown; empty for a local one. */
  readonly url: string;
  /** Why the transport ended, when it has. */
  readonly end: () => ProtocolFailure | undefined;
}

/** Which failure an error of the SDK's is. */
export type JudgeSdkError = (
  thrown: unknown,
  context: FailureContext,
) => ProtocolFailure | undefined;

export function classify(
  thrown: unknown,
  context: FailureContext,
  judge: JudgeSdkError | undefined,
): ProtocolFailure {
  if (context.signal.aborted) return abortFailure(context.signal.reason);
  const carried = carriedFailure(thrown);
  // The transport knows why it was closed.
  if (carried?.kind === 'closed') return context.end() ?? carried;
  if (carried !== undefined) return carried;
  return judge?.(thrown, context) ?? context.end() ?? unexpectedFailure(thrown);
}

/** A failure of ours that passed through the SDK, bare or as the cause of an SDK error. */
function carriedFailure(thrown: unknown): ProtocolFailure | undefined {
  let current = thrown;
  for (let depth = 0; depth < 5 && isObject(current); depth += 1) {
    if (current instanceof FailureError) return current.failure;
    current = current['cause'];
  }
  return undefined;
}

function abortFailure(reason: unknown): ProtocolFailure {
  return reason instanceof DeadlineExceeded
    ? { kind: 'timeout', ms: reason.data.ms }
    : { kind: 'cancelled' };
}
