// What happens to a connection, decided without doing any of it. Every event names the attempt it
// belongs to; one that comes late, from an attempt that is no longer the current one, changes
// nothing and only has its leftovers closed.

import type { Instant } from '@plugboard/base';
import type { Session } from '../protocol/index.ts';
import type { ConnectionFailure, ConnectionState } from './state.ts';

export type ConnectionEvent =
  /** Someone needs the server. `attempt` is a number never used before. */
  | { readonly kind: 'wanted'; readonly attempt: number }
  | {
      readonly kind: 'opened';
      readonly attempt: number;
      readonly session: Session;
      readonly at: Instant;
    }
  | {
      readonly kind: 'open-failed';
      readonly attempt: number;
      readonly failure: ConnectionFailure;
      /** When to try again, where that is worth it. */
      readonly retry?: { readonly until: Instant; readonly max: number };
    }
  | { readonly kind: 'ended'; readonly attempt: number; readonly failure: ConnectionFailure }
  | { readonly kind: 'retry-due'; readonly attempt: number; readonly next: number }
  | { readonly kind: 'closed' };

export type ConnectionEffect =
  | { readonly kind: 'open'; readonly attempt: number }
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
      return wanted(state, event.attempt);
    case 'opened':
      return isCurrent(state, event.attempt)
        ? to({ kind: 'ready', attempt: event.attempt, session: event.session, since: event.at })
        : to(state, { kind: 'close-session', session: event.session });
    case 'open-failed':
      return isCurrent(state, event.attempt) ? openFailed(event) : to(state);
    case 'ended':
      return state.kind === 'ready' && state.attempt === event.attempt
        ? to({ kind: 'failed', failure: event.failure }, closing(state.session))
        : to(state);
    case 'retry-due':
      return state.kind === 'waiting' && state.attempt === event.attempt
        ? connecting(event.next)
        : to(state);
    case 'closed':
      return closed(state);
    default:
      return event satisfies never;
  }
}

function wanted(state: ConnectionState, attempt: number): Transition {
  switch (state.kind) {
    case 'idle':
    case 'failed':
    case 'needs-auth':
      return connecting(attempt);
    case 'waiting': {
      const { effects, state: next } = connecting(attempt);
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

function openFailed(event: ConnectionEvent & { readonly kind: 'open-failed' }): Transition {
  const { attempt, failure, retry } = event;
  if (failure.kind === 'unauthorized') return to({ kind: 'needs-auth', url: failure.url });
  if (retry === undefined) return to({ kind: 'failed', failure });
  const { until, max } = retry;
  return to(
    { kind: 'waiting', until, attempt, max, failure },
    { kind: 'schedule-retry', attempt, until },
  );
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

function isCurrent(state: ConnectionState, attempt: number): boolean {
  return state.kind === 'connecting' && state.attempt === attempt;
}

function connecting(attempt: number): Transition {
  return to({ kind: 'connecting', attempt }, { kind: 'open', attempt });
}

function closing(session: Session): ConnectionEffect {
  return { kind: 'close-session', session };
}

function to(state: ConnectionState, ...effects: readonly ConnectionEffect[]): Transition {
  return { state, effects };
}
