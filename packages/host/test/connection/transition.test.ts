import { verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConnectionState, nextStep } from '../../src/connection/state.ts';
import {
  type ConnectionEffect,
  type ConnectionEvent,
  transition,
} from '../../src/connection/transition.ts';
import type { Session } from '../../src/protocol/index.ts';

const failure = { kind: 'closed' } as const;
const REFUSED = { kind: 'unauthorized', url: 'https://example.com', status: 401 } as const;
const UNTRUSTED = { kind: 'untrusted', standing: { kind: 'unknown' } } as const;
const BLOCKED = {
  kind: 'blocked',
  rule: { kind: 'not-allowed', origin: { kind: 'given', by: 'a test' }, scope: 'enterprise' },
} as const;

function fakeSession(name: string): Session {
  // Transitions never look inside a session; only its identity counts.
  return { name } as unknown as Session;
}

/** Tracks the resources as a runner would, and throws if they are inconsistent. */
class Books {
  state: ConnectionState = { kind: 'idle' };
  readonly attempts = new Set<number>();
  readonly sessions = new Set<Session>();
  readonly retries = new Set<number>();

  send(event: ConnectionEvent): void {
    const { state, effects } = transition(this.state, event);
    this.state = state;
    if (event.kind === 'opened') {
      this.attempts.delete(event.attempt);
      this.sessions.add(event.session);
    }
    if (event.kind === 'open-failed') this.attempts.delete(event.attempt);
    if (event.kind === 'retry-due') this.retries.delete(event.attempt);
    for (const effect of effects) this.#perform(effect);
    this.#check();
  }

  #perform(effect: ConnectionEffect): void {
    switch (effect.kind) {
      case 'open':
        this.attempts.add(effect.attempt);
        break;
      case 'abandon':
        this.attempts.delete(effect.attempt);
        break;
      case 'schedule-retry':
        this.retries.add(effect.attempt);
        break;
      case 'cancel-retry':
        this.retries.delete(effect.attempt);
        break;
      case 'close-session':
        this.sessions.delete(effect.session);
        break;
      default:
        effect satisfies never;
    }
  }

  #check(): void {
    const { state } = this;
    expect([...this.attempts]).toEqual(state.kind === 'connecting' ? [state.attempt] : []);
    expect([...this.sessions]).toEqual(state.kind === 'ready' ? [state.session] : []);
    expect([...this.retries]).toEqual(state.kind === 'waiting' ? [state.attempt] : []);
  }
}

/** The possible events, whether they make sense in a state or not. */
const moves = fc.array(
  fc.constantFrom(
    'want',
    'open',
    'fail',
    'fail-retry',
    'refuse',
    'end',
    'drop',
    'expire',
    'outdate',
    'crash',
    'hear-opened',
    'hear-failed',
    'hear-refused',
    'due',
    'close',
    'late',
  ),
  { maxLength: 60 },
);

function play(books: Books, move: string, fresh: () => number): void {
  const { state } = books;
  const attempt = 'attempt' in state ? state.attempt : -1;
  switch (move) {
    case 'want':
      books.send({ kind: 'wanted', attempt: fresh(), occasion: 'need', at: 0 });
      break;
    case 'open':
      if (state.kind === 'connecting') {
        books.send({ kind: 'opened', attempt, session: fakeSession(`s${attempt}`), at: 0 });
      }
      break;
    case 'fail':
      books.send({ kind: 'open-failed', attempt, failure, retry: undefined });
      break;
    case 'fail-retry':
      books.send({ kind: 'open-failed', attempt, failure, retry: { until: 5, max: 5 } });
      break;
    case 'refuse':
      books.send({
        kind: 'open-failed',
        attempt,
        failure: REFUSED,
        retry: undefined,
      });
      break;
    case 'end':
      books.send({ kind: 'ended', attempt, failure, retry: undefined });
      break;
    case 'drop':
      books.send({ kind: 'ended', attempt, failure, retry: { until: 5, max: 5 } });
      break;
    case 'expire':
      books.send({
        kind: 'ended',
        attempt,
        failure: { kind: 'session-expired', url: 'https://example.com', status: 404 },
        retry: undefined,
      });
      break;
    case 'outdate':
      books.send({
        kind: 'ended',
        attempt,
        failure: { kind: 'credentials-expired', url: 'https://example.com' },
        retry: undefined,
      });
      break;
    case 'crash':
      books.send({
        kind: 'ended',
        attempt,
        failure: { kind: 'crash-loop', crashes: 5, until: 9, last: failure },
        retry: undefined,
      });
      break;
    case 'hear-opened':
      books.send({ kind: 'observed', failure: undefined });
      break;
    case 'hear-failed':
      books.send({ kind: 'observed', failure });
      break;
    case 'hear-refused':
      books.send({ kind: 'observed', failure: REFUSED });
      break;
    case 'due':
      if (state.kind === 'waiting') books.send({ kind: 'retry-due', attempt, next: fresh() });
      break;
    case 'close':
      books.send({ kind: 'closed' });
      break;
    default:
      // The event of a superseded attempt.
      books.send({ kind: 'opened', attempt: -7, session: fakeSession('late'), at: 0 });
  }
}

describe('the state machine of a connection', () => {
  it('owns exactly the resources of its state, after any sequence of events', () => {
    verifies('CON-01');
    fc.assert(
      fc.property(moves, (sequence) => {
        const books = new Books();
        let last = 0;
        const fresh = (): number => {
          last += 1;
          return last;
        };
        for (const move of sequence) play(books, move, fresh);
        books.send({ kind: 'closed' });
        expect([books.attempts.size, books.sessions.size, books.retries.size]).toEqual([0, 0, 0]);
      }),
      { numRuns: 500 },
    );
  });

  it.each([{ kind: 'disabled' }, UNTRUSTED, BLOCKED] as const)(
    'does not start when it is $kind',
    (state) => {
      expect(transition(state, { kind: 'wanted', attempt: 1, occasion: 'need', at: 0 })).toEqual({
        state,
        effects: [],
      });
    },
  );

  it('takes over the outcome of another connection to the server, unless it has a session', () => {
    const after = (state: ConnectionState, outcome: typeof failure | typeof REFUSED | undefined) =>
      transition(state, { kind: 'observed', failure: outcome });
    const old = { kind: 'failed', failure: { kind: 'timeout', ms: 5 } } as const;
    const url = REFUSED.url;
    const asks = { kind: 'needs-auth', url } as const;
    expect(after(old, undefined)).toEqual({ state: { kind: 'idle' }, effects: [] });
    expect(after(old, failure).state).toEqual({ kind: 'failed', failure });
    expect(after({ kind: 'idle' }, REFUSED).state).toEqual(asks);
    expect(after(asks, undefined).state).toEqual({ kind: 'idle' });
    const session = fakeSession('s');
    const ready = { kind: 'ready', attempt: 1, session, since: 0 } as const;
    expect(after(ready, failure)).toEqual({ state: ready, effects: [] });
    expect(after(ready, REFUSED)).toEqual({
      state: asks,
      effects: [{ kind: 'close-session', session }],
    });
    const looping = { kind: 'crash-loop', crashes: 5, until: 9, last: failure } as const;
    const braked = { kind: 'failed', failure: looping } as const;
    expect(after(braked, undefined).state).toBe(braked);
  });

  it('does not restart a server in a crash loop too early', () => {
    verifies('CON-06');
    const state = {
      kind: 'failed',
      failure: { kind: 'crash-loop', crashes: 5, until: 100, last: failure },
    } as const;
    expect(transition(state, { kind: 'wanted', attempt: 1, occasion: 'need', at: 99 }).state).toBe(
      state,
    );
    expect(
      transition(state, { kind: 'wanted', attempt: 1, occasion: 'need', at: 100 }).state,
    ).toEqual({
      kind: 'connecting',
      attempt: 1,
      tries: 1,
    });
  });

  it.each([
    { kind: 'session-expired', url: 'https://example.com', status: 404 },
    { kind: 'credentials-expired', url: 'https://example.com' },
  ] as const)('can open another session after $kind', (ending) => {
    const session = fakeSession('s');
    const state = { kind: 'ready', attempt: 1, session, since: 0 } as const;
    expect(
      transition(state, { kind: 'ended', attempt: 1, failure: ending, retry: undefined }),
    ).toEqual({ state: { kind: 'idle' }, effects: [{ kind: 'close-session', session }] });
  });

  it('has a list of possible actions in every state', () => {
    verifies('CON-01');
    const states: ConnectionState[] = [
      { kind: 'disabled' },
      UNTRUSTED,
      BLOCKED,
      { kind: 'idle' },
      { kind: 'connecting', attempt: 1, tries: 1 },
      {
        kind: 'needs-auth',
        url: 'https://example.com',
        reason: { kind: 'sign-in-needed', issuer: 'https://issuer.example.com' },
      },
      // Its entry contains the credentials.
      { kind: 'needs-auth', url: 'https://example.com' },
      { kind: 'ready', attempt: 1, session: fakeSession('s'), since: 0 },
      { kind: 'waiting', attempt: 1, until: 1, tries: 1, max: 5, failure },
      { kind: 'failed', failure },
    ];
    expect(states.map(nextStep)).toEqual([
      'enable',
      'trust',
      'ask-admin',
      'use',
      'wait',
      'sign-in',
      'repair',
      'use',
      'wait',
      'repair',
    ]);
  });
});
