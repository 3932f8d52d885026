// Decides what an event does to a connection, without side effects. Every event names the attempt it belongs
// to; an event of an attempt that is no longer current changes nothing, and its session is closed.

import type { Instant } from '@plugboard/base';
import type { Session } from '../protocol/index.ts';
import { BRAKE } from './crash-brake.ts';
import { type ConnectionFailure, type ConnectionState, stateAfter } from './state.ts';

/** Why a session is opened: `need`, for a call; `wish`, to check the state of the server. */
export type Occasion = 'need' | 'wish';

/** When to try again automatically, if that is useful. */
export interface Retry {
  readonly until: Instant;
  readonly max: number;
}

export type ConnectionEvent =
  /** A caller requests the server. `attempt` is a new number. */
  | {
      readonly kind: 'wanted';
      readonly attempt: number;
      readonly occasion: Occasion;
      readonly at: Instant;
    }
  | {
      readonly kind: 'opened';
      readonly attempt: number;
      readonly session: Session;
      readonly at: Instant;
    }
  | {
      readonly kind: 'open-failed' | 'ended';
      readonly attempt: number;
      readonly failure: ConnectionFailure;
      readonly retry: Retry | undefined;
    }
  /** `runner` still fetches the server; without it, the server was started. */
  | { readonly kind: 'installing'; readonly attempt: number; readonly runner: string | undefined }
  | { readonly kind: 'retry-due'; readonly attempt: number; readonly next: number }
  /** Another connection to the same server was opened, or could not be. */
  | { readonly kind: 'observed'; readonly failure: ConnectionFailure | undefined }
  | { readonly kind: 'closed' };

export type ConnectionEffect =
  | { readonly kind: 'open'; readonly attempt: number; readonly occasion: Occasion }
  | { readonly kind: 'abandon'; readonly attempt: number }
  | { readonly kind: 'schedule-retry'; readonly attempt: number; readonly until: Instant }
  | { readonly kind: 'cancel-retry'; readonly attempt: number }
  | { readonly kind: 'close-session'; readonly session: Session };

export interface Transition {
  readonly state: ConnectionState;
  readonly effects: readonly ConnectionEffect[];
}

export function transition(state: ConnectionState, event: ConnectionEvent): Transition {
  switch (event.kind) {
    case 'wanted':
      return wanted(state, event);
    case 'opened':
      return isOpening(state, event.attempt)
        ? to({ kind: 'ready', attempt: event.attempt, session: event.session, since: event.at })
        : to(state, { kind: 'close-session', session: event.session });
    case 'open-failed':
      return isOpening(state, event.attempt) ? failedAttempt(event, state.tries) : to(state);
    case 'ended':
      return state.kind === 'ready' && state.attempt === event.attempt
        ? ended(state.session, event)
        : to(state);
    case 'installing':
      return isOpening(state, event.attempt) ? to(installing(state, event.runner)) : to(state);
    case 'retry-due':
      return state.kind === 'waiting' && state.attempt === event.attempt
        ? connecting({ attempt: event.next, occasion: 'need' }, state.tries + 1)
        : to(state);
    case 'observed':
      return observed(state, event.failure);
    case 'closed':
      return closed(state);
    default:
      return event satisfies never;
  }
}

function wanted(
  state: ConnectionState,
  event: ConnectionEvent & { readonly kind: 'wanted' },
): Transition {
  switch (state.kind) {
    case 'idle':
    case 'needs-auth':
      return connecting(event, 1);
    case 'failed':
      return isBraked(state.failure, event.at) ? to(state) : connecting(event, 1);
    case 'waiting': {
      const { effects, state: next } = connecting(event, state.tries + 1);
      return to(next, { kind: 'cancel-retry', attempt: state.attempt }, ...effects);
    }
    case 'disabled':
    case 'untrusted':
    case 'blocked':
    case 'connecting':
    case 'ready':
      return to(state);
    default:
      return state satisfies never;
  }
}

function isBraked(failure: ConnectionFailure, at: Instant): boolean {
  if (failure.kind !== 'crash-loop') return false;
  const left = failure.until - at;
  // If more time is left than the brake can last, the clock was set back.
  return left > 0 && left <= BRAKE.withinMs;
}

type FailureEvent = ConnectionEvent & { readonly kind: 'open-failed' | 'ended' };

function failedAttempt({ attempt, failure, retry }: FailureEvent, tries: number): Transition {
  if (failure.kind === 'unauthorized' || retry === undefined) return to(stateAfter(failure));
  const { until, max } = retry;
  return to(
    { kind: 'waiting', attempt, until, tries, max, failure },
    { kind: 'schedule-retry', attempt, until },
  );
}

function ended(session: Session, event: FailureEvent): Transition {
  if (isRenewed(event.failure)) return to({ kind: 'idle' }, closing(session));
  const { state, effects } = failedAttempt(event, 0);
  return to(state, closing(session), ...effects);
}

/** A forgotten session or expired credentials are not a failure: the next call opens another session at once. */
function isRenewed({ kind }: ConnectionFailure): boolean {
  return kind === 'session-expired' || kind === 'credentials-expired';
}

/** Takes over the outcome of another connection, unless this one has its own. */
function observed(state: ConnectionState, failure: ConnectionFailure | undefined): Transition {
  switch (state.kind) {
    case 'idle':
      return failure === undefined ? to(state) : to(stateAfter(failure));
    case 'failed':
      // The brake ends at its own time.
      if (state.failure.kind === 'crash-loop') return to(state);
      return failure === undefined ? to({ kind: 'idle' }) : to(stateAfter(failure));
    case 'needs-auth':
      return failure === undefined ? to({ kind: 'idle' }) : to(stateAfter(failure));
    case 'ready':
      return failure?.kind === 'unauthorized'
        ? to(stateAfter(failure), closing(state.session))
        : to(state);
    // An attempt follows or is under way.
    case 'waiting':
    case 'connecting':
    case 'disabled':
    case 'untrusted':
    case 'blocked':
      return to(state);
    default:
      return state satisfies never;
  }
}

function closed(state: ConnectionState): Transition {
  switch (state.kind) {
    case 'connecting':
      return to({ kind: 'idle' }, { kind: 'abandon', attempt: state.attempt });
    case 'ready':
      return to({ kind: 'idle' }, closing(state.session));
    case 'waiting':
      return to({ kind: 'idle' }, { kind: 'cancel-retry', attempt: state.attempt });
    case 'disabled':
    case 'untrusted':
    case 'blocked':
    case 'idle':
    case 'needs-auth':
    case 'failed':
      return to(state);
    default:
      return state satisfies never;
  }
}

function isOpening(
  state: ConnectionState,
  attempt: number,
): state is ConnectionState & { readonly kind: 'connecting' } {
  return state.kind === 'connecting' && state.attempt === attempt;
}

function installing(
  { kind, attempt, tries }: ConnectionState & { readonly kind: 'connecting' },
  runner: string | undefined,
): ConnectionState {
  return runner === undefined
    ? { kind, attempt, tries }
    : { kind, attempt, tries, installing: runner };
}

function connecting(
  { attempt, occasion }: { readonly attempt: number; readonly occasion: Occasion },
  tries: number,
): Transition {
  return to({ kind: 'connecting', attempt, tries }, { kind: 'open', attempt, occasion });
}

function closing(session: Session): ConnectionEffect {
  return { kind: 'close-session', session };
}

function to(state: ConnectionState, ...effects: readonly ConnectionEffect[]): Transition {
  return { state, effects };
}
