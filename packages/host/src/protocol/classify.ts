// Classifies thrown values and the errors of answers as failures, by type, code and status. Pure. The caller passes the
// function that classifies errors of the SDK, if it has loaded the SDK.

import { type CancelSignal, DeadlineExceeded, isObject, type Json } from '@plugboard/base';
import { failureIn } from './frame/failed-answer.ts';
import { FailureError, type ProtocolFailure, unexpectedFailure } from './neutral/failure.ts';

export interface FailureContext {
  /** The signal of the request: its reason distinguishes a timeout from a cancellation. */
  readonly signal: CancelSignal;
  /** The time limit that the SDK was given for the request. */
  readonly timeoutMs: number;
  /** The server's address as it may be shown; empty for a local server. */
  readonly url: string;
  /** Why the transport ended, once it has. */
  readonly end: () => ProtocolFailure | undefined;
}

/** Classifies an error of the SDK; returns `undefined` for other values. */
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
  // The transport has the reason why it was closed.
  if (carried?.kind === 'closed') return context.end() ?? carried;
  if (carried !== undefined) return carried;
  return judge?.(thrown, context) ?? context.end() ?? unexpectedFailure(thrown);
}

/** A `FailureError` that passed through the SDK, either itself or as the cause of an SDK error. */
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

/** The error code of a server that supports none of the offered revisions. */
const UNSUPPORTED_VERSION = -32_022;

/** The failure for the error of an answer, as the server sent it. */
export function rpcFailure(error: unknown): ProtocolFailure {
  const { code, message, data } = isObject(error) ? error : {};
  const ours = failureIn(data);
  if (ours !== undefined) return ours;
  if (typeof code !== 'number' || typeof message !== 'string') {
    return { kind: 'invalid-result', detail: 'the error has no code or no message' };
  }
  if (code === UNSUPPORTED_VERSION && isObject(data) && Array.isArray(data['supported'])) {
    return { kind: 'wrong-era', wanted: 'modern', detail: message };
  }
  return { kind: 'rpc', code, message, ...(data === undefined ? {} : { data: data as Json }) };
}
