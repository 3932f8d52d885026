// Sends a request over a session, and once more where the first try was lost with the connection and may be repeated.
// A server that has forgotten the session, or does not take the credentials, did nothing with the request; one that died may
// have done all of it, so then only a request that changes nothing, or nothing more the second time, is repeated.

import { err, type MaybePromise, type Result } from '@plugboard/base';
import type { ConnectionState } from '../connection/index.ts';
import type { ProtocolFailure, ToolDefinition } from '../protocol/index.ts';
import { type CalledTool, type CallOutcome, withFailure, withoutSession } from './call-outcome.ts';

type Repeatable = Pick<ToolDefinition, 'annotations'>;

/** What changes nothing. */
export const READING: Repeatable = { annotations: { readOnlyHint: true } };
/** What may change something. */
export const CHANGING: Repeatable = {};

export interface SentRequest<Session, Answer> {
  readonly called: CalledTool;
  readonly repeatable: Repeatable;
  connect(): MaybePromise<Result<Session, ConnectionState>>;
  /** Why it may not be sent, now that the server is connected. */
  refused?(): MaybePromise<CallOutcome | undefined>;
  send(session: Session): Promise<Result<Answer, ProtocolFailure>>;
  /** Hears why a try failed. */
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
  switch (failure.kind) {
    case 'session-expired':
    case 'credentials-expired':
      return true;
    case 'exited':
    case 'closed':
    case 'unreachable':
      return annotations?.readOnlyHint === true || annotations?.idempotentHint === true;
    default:
      return false;
  }
}
