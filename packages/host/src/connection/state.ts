// The state of one server's connection, as one value. Data of one state is in that variant and nowhere else.

import type { Instant } from '@plugboard/base';
import type { BlockingRule, TrustStanding } from '../admission/index.ts';
import type { Diagnostic } from '../config/index.ts';
import type { AuthorizationProblem, ProtocolFailure, Session } from '../protocol/index.ts';
import type { HelperFault } from './headers-helper.ts';

/** Why a server cannot be used: a failure of its connection, or something missing in its entry. */
export type ConnectionFailure =
  | ProtocolFailure
  | { readonly kind: 'unresolved'; readonly problems: readonly Diagnostic[] }
  /** The headers helper printed no usable headers. */
  | { readonly kind: 'helper-failed'; readonly reason: HelperFault }
  /** The server crashed repeatedly; it is not started again before `until`. */
  | {
      readonly kind: 'crash-loop';
      readonly crashes: number;
      readonly until: Instant;
      readonly last: ProtocolFailure;
    };

export type ConnectionState =
  | { readonly kind: 'disabled' }
  /** The server came with a folder or a plugin, and the user has not approved its current form. */
  | { readonly kind: 'untrusted'; readonly standing: TrustStanding }
  | { readonly kind: 'blocked'; readonly rule: BlockingRule }
  | { readonly kind: 'idle' }
  /** `attempt` is the number of this attempt; `tries` counts the attempts since the last success. */
  | {
      readonly kind: 'connecting';
      readonly attempt: number;
      readonly tries: number;
      /** The package runner that still fetches the server. */
      readonly installing?: string;
    }
  | {
      readonly kind: 'needs-auth';
      readonly url: string;
      /** Why the sign-in failed, if it was tried. */
      readonly reason?: AuthorizationProblem;
      /** When the refusal was recorded, if the server has not been contacted again. */
      readonly since?: Instant;
    }
  | {
      readonly kind: 'ready';
      readonly attempt: number;
      readonly session: Session;
      readonly since: Instant;
    }
  | {
      readonly kind: 'waiting';
      readonly attempt: number;
      readonly until: Instant;
      readonly tries: number;
      readonly max: number;
      readonly failure: ConnectionFailure;
    }
  | { readonly kind: 'failed'; readonly failure: ConnectionFailure };

/** The state after a connection could not be opened, or ended, without another attempt. */
export function stateAfter(failure: ConnectionFailure): ConnectionState {
  if (failure.kind !== 'unauthorized') return { kind: 'failed', failure };
  const { kind: _, status: __, ...known } = failure;
  return { kind: 'needs-auth', ...known };
}

/** What the user can do next. The surface turns it into a command. */
export type NextStep = 'enable' | 'trust' | 'ask-admin' | 'use' | 'wait' | 'sign-in' | 'repair';

export function nextStep(state: ConnectionState): NextStep {
  switch (state.kind) {
    case 'disabled':
      return 'enable';
    case 'untrusted':
      return 'trust';
    case 'blocked':
      return 'ask-admin';
    case 'idle':
    case 'ready':
      return 'use';
    case 'connecting':
    case 'waiting':
      return 'wait';
    case 'needs-auth':
      // A server whose entry contains its credentials has no sign-in.
      return state.reason === undefined ? 'repair' : 'sign-in';
    case 'failed':
      return 'repair';
    default:
      return state satisfies never;
  }
}
