// Why a server gave no answer to a request other than a call, as a value.

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
  /** The server says that it has nothing of that kind. */
  | { readonly kind: 'unsupported'; readonly server: string; readonly feature: Feature };

export type Feature = 'resources' | 'subscriptions' | 'prompts' | 'completions' | 'skills';

export function unansweredWithout(server: string, state: ConnectionState): Unanswered {
  return withoutTool(withoutSession({ server, tool: '' }, state));
}

export function unansweredBy(server: string, configured: readonly string[]): Unanswered {
  return withoutTool(unknownServer({ server, tool: '' }, configured));
}

export function unansweredAfter(server: string, failure: ProtocolFailure): Unanswered {
  return withoutTool(withFailure({ server, tool: '' }, failure));
}

function withoutTool(outcome: CallOutcome): Unanswered {
  // None of the three makes any other outcome.
  const { tool: _, ...rest } = outcome as FailedCall;
  return rest;
}
