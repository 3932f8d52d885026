// The reason why a server did not answer a request other than a call.

import type { ConnectionState } from '../connection/index.ts';
import type { ProtocolFailure } from '../protocol/index.ts';
import { type CallOutcome, unknownServer, withFailure, withoutSession } from './call-outcome.ts';

type FailedCall = Extract<
  CallOutcome,
  {
    readonly kind:
      | 'needs-auth'
      | 'not-connected'
      | 'timeout'
      | 'cancelled'
      | 'protocol-error'
      | 'unknown-server';
  }
>;

type WithoutTool<Outcome> = Outcome extends unknown ? Omit<Outcome, 'tool'> : never;

export type Unanswered =
  | WithoutTool<FailedCall>
  /** The server does not support the feature. */
  | { readonly kind: 'unsupported'; readonly server: string; readonly feature: Feature };

export type Feature = 'resources' | 'subscriptions' | 'prompts' | 'completions' | 'skills';

export function noSessionAnswer(server: string, state: ConnectionState): Unanswered {
  return withoutTool(withoutSession({ server, tool: '' }, state));
}

export function unknownServerAnswer(server: string, configured: readonly string[]): Unanswered {
  return withoutTool(unknownServer({ server, tool: '' }, configured));
}

export function failedRequestAnswer(server: string, failure: ProtocolFailure): Unanswered {
  return withoutTool(withFailure({ server, tool: '' }, failure));
}

function withoutTool(outcome: CallOutcome): Unanswered {
  // The three callers create no other outcome.
  const { tool: _, ...rest } = outcome as FailedCall;
  return rest;
}
