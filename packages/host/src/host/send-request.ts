// Sends a request over a session, and repeats it once if the first attempt was lost with the connection and may be repeated.
// A server that has forgotten the session, or rejects the credentials, did not process the request; a server that died may
// have processed it, so then only a read-only or idempotent request is repeated.

import { err, type MaybePromise, type Result } from '@plugboard/base';
import type { ConnectionState } from '../connection/index.ts';
import { factsOf, type ProtocolFailure, type ToolDefinition } from '../protocol/index.ts';
import { type CalledTool, type CallOutcome, withFailure, withoutSession } from './call-outcome.ts';

type Repeatable = Pick<ToolDefinition, 'annotations'>;

/** A request that changes nothing. */
export const READING: Repeatable = { annotations: { readOnlyHint: true } };
/** A request that may change something. */
export const CHANGING: Repeatable = {};

export interface SentRequest<Session, Answer> {
  readonly called: CalledTool;
  readonly repeatable: Repeatable;
  connect(): MaybePromise<Result<Session, ConnectionState>>;
  /** The reason why the request may not be sent, checked once the server is connected. */
  refused?(): MaybePromise<CallOutcome | undefined>;
  send(session: Session): Promise<Result<Answer, ProtocolFailure>>;
  /** Called with the reason of each failed attempt. */
  failed?(failure: ProtocolFailure): void;
}

export async function sendRequest<Session, Answer>(
  request: SentRequest<Session, Answer>,
): Promise<Result<Answer, CallOutcome>> {
  const { called, repeatable } = request;
  for (let isFirst = true; ; isFirst = false) {
    const connecting = request.connect();
    const connected = connecting instanceof Promise ? await connecting : connecting;
    if (!connected.ok) return err(withoutSession(called, connected.error));
    const checking = request.refused?.();
    const refused = checking instanceof Promise ? await checking : checking;
    if (refused !== undefined) return err(refused);
    const answered = await request.send(connected.value);
    if (answered.ok) return answered;
    request.failed?.(answered.error);
    if (!isFirst || !mayRepeat(repeatable, answered.error)) {
      return err(withFailure(called, answered.error));
    }
  }
}

export function mayRepeat({ annotations }: Repeatable, failure: ProtocolFailure): boolean {
  const { processed } = factsOf(failure);
  const isHarmless = annotations?.readOnlyHint === true || annotations?.idempotentHint === true;
  return processed === 'no' || (processed === 'maybe' && isHarmless);
}
