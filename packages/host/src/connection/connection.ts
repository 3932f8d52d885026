// Runs the connection to one server: passes events to `transition` and performs its effects. Opens at most one
// session at a time, which all callers share.

import {
  abortable,
  type Clock,
  Emitter,
  err,
  type Listener,
  type Logger,
  messageOf,
  ok,
  type Random,
  type Result,
  Scope,
} from '@plugboard/base';
import { type ProtocolFailure, type Session, unexpectedFailure } from '../protocol/index.ts';
import { CrashBrake } from './crash-brake.ts';
import { type Heartbeat, startHeartbeat } from './heartbeat.ts';
import { watchIdle } from './idle-watch.ts';
import { type Reconnection, retryDelay } from './reconnection.ts';
import type { ConnectionFailure, ConnectionState } from './state.ts';
import {
  type ConnectionEffect,
  type ConnectionEvent,
  type Occasion,
  type Retry,
  transition,
} from './transition.ts';

/** Opens one session. On failure everything that was started has been closed again. */
export type Opening<S> = (
  signal: AbortSignal,
  occasion: Occasion,
  onInstalling: (runner: string | undefined) => void,
) => Promise<Result<S, ConnectionFailure>>;

/** How a connection is maintained between calls. */
export interface Upkeep {
  readonly reconnection: Reconnection;
  /** A server that was not used for this long is stopped. */
  readonly idleStopMs: number | undefined;
  readonly heartbeat: Heartbeat | undefined;
}

export interface ConnectionPorts {
  readonly open: Opening<Session>;
  readonly upkeep: Upkeep;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

const ABORTED: ConnectionState = { kind: 'failed', failure: { kind: 'cancelled' } };

interface Attempt {
  readonly number: number;
  readonly scope: Scope;
  readonly settled: Promise<void>;
}

export class Connection {
  readonly name: string;
  readonly #ports: ConnectionPorts;
  readonly #changes: Emitter<ConnectionState>;
  readonly #closings = new Set<Promise<void>>();
  readonly #retries = new Map<number, Disposable>();
  readonly #upkeeps = new Map<Session, Scope>();
  #state: ConnectionState;
  #attempt: Attempt | undefined;
  #lastAttempt = 0;
  /** Set while an exited server is cleaned up: its processes may hold resources that the next one needs. */
  #exiting: Promise<void> | undefined;
  readonly #brake: CrashBrake;

  constructor(name: string, initial: ConnectionState, ports: ConnectionPorts) {
    this.name = name;
    this.#state = initial;
    this.#ports = ports;
    this.#brake = new CrashBrake(ports.clock);
    this.#changes = new Emitter((thrown) =>
      ports.logger.log('error', 'a listener threw', { server: name, reason: messageOf(thrown) }),
    );
  }

  get state(): ConnectionState {
    return this.#state;
  }

  onChange(listener: Listener<ConnectionState>): Disposable {
    return this.#changes.on(listener);
  }

  /** The open session, if there is one. */
  get ready(): Session | undefined {
    return this.#state.kind === 'ready' ? this.#state.session : undefined;
  }

  /**
   * Returns the open session, and connects first if possible. The error is the state that prevents this; a caller
   * that aborts gets a failure of its own.
   */
  async session(
    signal: AbortSignal,
    occasion: Occasion = 'need',
  ): Promise<Result<Session, ConnectionState>> {
    if (this.ready !== undefined) return ok(this.ready);
    if (signal.aborted) return err(ABORTED);
    if (occasion === 'need' && this.#isHung) return err(this.#state);
    this.#requestOpen(occasion);
    try {
      if (this.#attempt !== undefined) await abortable(this.#attempt.settled, signal);
    } catch {
      // An attempt itself never rejects, so the signal aborted.
      return err(ABORTED);
    }
    const state = this.#current();
    return state.kind === 'ready' ? ok(state.session) : err(state);
  }

  /**
   * Takes over the outcome of another connection to the same server, such as that of a client; `undefined` means that
   * it was opened. Otherwise the state of a server that only clients use would be out of date.
   */
  noteOutcome(failure: ConnectionFailure | undefined): void {
    if (failure?.kind === 'cancelled' || failure?.kind === 'closed' || this.#isHung) return;
    this.#dispatch({ kind: 'observed', failure });
  }

  /** Ends the open session or the attempt. A later call connects again. */
  async close(): Promise<void> {
    const abandoned = this.#attempt?.settled;
    this.#dispatch({ kind: 'closed' });
    await abandoned;
    await Promise.all(this.#closings);
  }

  /** A method, because TypeScript keeps the narrowed type of a field across an await. */
  #current(): ConnectionState {
    return this.#state;
  }

  get #isHung(): boolean {
    const failure = 'failure' in this.#state ? this.#state.failure : undefined;
    return failure !== undefined && failure === this.#brake.hung;
  }

  #nextAttempt(): number {
    this.#lastAttempt += 1;
    return this.#lastAttempt;
  }

  #requestOpen(occasion: Occasion): void {
    const at = this.#ports.clock.now();
    this.#dispatch({ kind: 'wanted', attempt: this.#nextAttempt(), occasion, at });
  }

  #dispatch(event: ConnectionEvent): void {
    const { state, effects } = transition(this.#state, event);
    const changed = state !== this.#state;
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
    if (changed) this.#changes.emit(state);
  }

  #perform(effect: ConnectionEffect): void {
    switch (effect.kind) {
      case 'open':
        this.#open(effect.attempt, effect.occasion);
        break;
      case 'abandon':
        if (this.#attempt?.number === effect.attempt) void this.#attempt.scope.close();
        break;
      case 'schedule-retry':
        this.#scheduleRetry(effect.attempt, effect.until);
        break;
      case 'cancel-retry':
        this.#retries.get(effect.attempt)?.[Symbol.dispose]();
        this.#retries.delete(effect.attempt);
        break;
      case 'close-session':
        this.#closeSession(effect.session);
        break;
      default:
        effect satisfies never;
    }
  }

  #open(attempt: number, occasion: Occasion): void {
    const scope = new Scope();
    const settled = this.#run(attempt, scope, occasion).finally(() => {
      if (this.#attempt?.number === attempt) this.#attempt = undefined;
    });
    this.#attempt = { number: attempt, scope, settled };
  }

  async #run(attempt: number, scope: Scope, occasion: Occasion): Promise<void> {
    if (this.#exiting !== undefined) await this.#exiting;
    const opened = await this.#openSafely(attempt, scope.signal, occasion);
    if (!opened.ok) {
      this.#fail('open-failed', attempt, opened.error);
      return;
    }
    const session = opened.value;
    this.#upkeep(attempt, session);
    void session.closed.then((failure) => {
      if (failure.kind === 'exited') this.#awaitExit(session.close());
      this.#fail('ended', attempt, failure);
    });
    this.#dispatch({ kind: 'opened', attempt, session, at: this.#ports.clock.now() });
  }

  /** A bug in the layers below fails this server instead of leaving its callers waiting. */
  async #openSafely(
    attempt: number,
    signal: AbortSignal,
    occasion: Occasion,
  ): Promise<Result<Session, ConnectionFailure>> {
    try {
      return await this.#ports.open(signal, occasion, (runner) =>
        this.#dispatch({ kind: 'installing', attempt, runner }),
      );
    } catch (thrown) {
      if (signal.aborted) return err({ kind: 'cancelled' });
      return err(unexpectedFailure(thrown));
    }
  }

  #awaitExit(closing: Promise<void>): void {
    const exiting = closing
      .catch(() => {})
      .finally(() => {
        if (this.#exiting === exiting) this.#exiting = undefined;
      });
    this.#exiting = exiting;
  }

  #fail(kind: 'open-failed' | 'ended', attempt: number, failure: ConnectionFailure): void {
    const braked =
      kind === 'ended' ? this.#brake.after(failure) : this.#brake.afterOpening(failure);
    const retry = this.#retryAfter(braked, kind === 'ended' ? 1 : undefined);
    this.#dispatch({ kind, attempt, failure: braked, retry });
  }

  #retryAfter(failure: ConnectionFailure, tries = this.#tries()): Retry | undefined {
    const { upkeep, clock, random } = this.#ports;
    const { reconnection } = upkeep;
    const delay = retryDelay({ failure, tries }, reconnection, random);
    if (delay === undefined) return undefined;
    return { until: clock.now() + delay, max: reconnection.backoff.maxAttempts };
  }

  #tries(): number {
    return this.#state.kind === 'connecting' ? this.#state.tries : 1;
  }

  #scheduleRetry(attempt: number, until: number): void {
    const { clock } = this.#ports;
    const timer = clock.after(until - clock.now(), () => {
      this.#retries.delete(attempt);
      this.#dispatch({ kind: 'retry-due', attempt, next: this.#nextAttempt() });
    });
    this.#retries.set(attempt, timer);
  }

  /** Starts the idle timer and the heartbeat of a session. */
  #upkeep(attempt: number, session: Session): void {
    const { upkeep, clock } = this.#ports;
    const scope = new Scope();
    if (upkeep.idleStopMs !== undefined) {
      const onIdle = (): void => this.#dispatchIfCurrent(attempt, { kind: 'closed' });
      scope.use(watchIdle(session, upkeep.idleStopMs, { clock, onIdle }));
    }
    if (upkeep.heartbeat !== undefined) {
      const onMissed = (failure: ProtocolFailure): void => this.#onMissedBeat(attempt, failure);
      scope.use(startHeartbeat(session, upkeep.heartbeat, { clock, onMissed }));
    }
    this.#upkeeps.set(session, scope);
  }

  #onMissedBeat(attempt: number, failure: ProtocolFailure): void {
    if (this.#state.kind !== 'ready' || this.#state.attempt !== attempt) return;
    this.#fail('ended', attempt, failure);
    // A server that was in use is reconnected even without automatic retries.
    if (this.#current().kind === 'failed') this.#requestOpen('need');
  }

  #dispatchIfCurrent(attempt: number, event: ConnectionEvent): void {
    if (this.#state.kind === 'ready' && this.#state.attempt === attempt) this.#dispatch(event);
  }

  #closeSession(session: Session): void {
    const closing = this.#endUpkeep(session)
      .then(() => session.close())
      .catch((thrown: unknown) =>
        this.#ports.logger.log('warn', 'a session did not close cleanly', {
          server: this.name,
          reason: messageOf(thrown),
        }),
      )
      .finally(() => void this.#closings.delete(closing));
    this.#closings.add(closing);
  }

  async #endUpkeep(session: Session): Promise<void> {
    const scope = this.#upkeeps.get(session);
    this.#upkeeps.delete(session);
    await scope?.close();
  }
}
