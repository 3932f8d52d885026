// The requests on one stream that wait for an answer: numbers them, enforces their deadlines, and gives up those whose
// deadline has passed or whose caller has aborted.

import { BriefMap, type CancelSignal, type Clock, messageOf, never } from '@plugboard/base';
import { FailureError } from './neutral/failure.ts';
import type { PausableTimer } from './patience.ts';

export interface PendingOptions {
  readonly signal?: CancelSignal;
  /** How long the server may be silent. */
  readonly timeout: number;
  /** How long the request may take, even if the server shows signs of life. */
  readonly maxTotalTimeout?: number;
}

interface Settling {
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

interface PendingRequest<Options extends PendingOptions> extends Settling {
  readonly options: Options;
  /** Both deadlines are in the clock's elapsed time. */
  hardDue: number;
  idleDue: number;
  onAbort: (() => void) | undefined;
}

export class PendingRequests<Options extends PendingOptions> {
  /** Pauses the time limits of all requests. */
  readonly limits: PausableTimer = { start: () => this.#resume(), stop: () => this.#pause() };
  readonly #clock: Clock;
  readonly #onGivenUp: (id: number, reason: string, options: Options) => void;
  readonly #pending = new BriefMap<number, PendingRequest<Options>>();
  #nextId = 0;
  /** One timer for all requests. It keeps running when they end, since most end long before it fires. */
  #timer: Disposable | undefined;
  #timerDue = Number.POSITIVE_INFINITY;
  /** When the time limits were paused. */
  #pausedAt: number | undefined;

  /** `onGivenUp` notifies the server that a request was given up. */
  constructor(clock: Clock, onGivenUp: (id: number, reason: string, options: Options) => void) {
    this.#clock = clock;
    this.#onGivenUp = onGivenUp;
  }

  get size(): number {
    return this.#pending.size;
  }

  takeId(): number {
    const id = this.#nextId;
    this.#nextId += 1;
    return id;
  }

  add(id: number, options: Options, { resolve, reject }: Settling): void {
    const { signal = never, timeout, maxTotalTimeout = timeout } = options;
    const now = this.#clock.elapsed();
    const idleDue = now + timeout;
    const hardDue = now + maxTotalTimeout;
    const pending = { options, hardDue, idleDue, resolve, reject, onAbort: undefined };
    this.#pending.set(id, pending);
    // A signal that never aborts needs no listener on every request.
    if (signal !== never) this.#listen(id, pending, signal);
    this.#wakeAt(Math.min(idleDue, hardDue), now);
  }

  /** Removes a request; later answers to it are dropped. */
  take(id: number): (Settling & { readonly options: Options }) | undefined {
    const pending = this.#pending.take(id);
    if (pending === undefined) return undefined;
    const { onAbort, options } = pending;
    if (onAbort !== undefined) options.signal?.removeEventListener('abort', onAbort);
    return pending;
  }

  /** Restarts the idle deadline of a request, for which the server shows a sign of life. */
  keepAlive(id: number): Options | undefined {
    const pending = this.#pending.get(id);
    if (pending === undefined) return undefined;
    pending.idleDue = this.#clock.elapsed() + pending.options.timeout;
    return pending.options;
  }

  /** The options of all pending requests. */
  *options(): Iterable<Options> {
    for (const { options } of this.#pending.values()) yield options;
  }

  /** Fails all pending requests, because the connection has ended. */
  end(): void {
    this.#timer?.[Symbol.dispose]();
    for (const [id] of this.#pending.entries()) {
      this.take(id)?.reject(new FailureError({ kind: 'closed' }));
    }
  }

  #listen(id: number, pending: PendingRequest<Options>, signal: CancelSignal): void {
    pending.onAbort = () => this.#giveUp(id, messageOf(signal.reason), abortedRequest(signal));
    signal.addEventListener('abort', pending.onAbort, { once: true });
  }

  #giveUp(id: number, reason: string, thrown: Error): void {
    const pending = this.take(id);
    if (pending === undefined) return;
    this.#onGivenUp(id, reason, pending.options);
    pending.reject(thrown);
  }

  #pause(): void {
    this.#pausedAt ??= this.#clock.elapsed();
    this.#timer?.[Symbol.dispose]();
    this.#timerDue = Number.POSITIVE_INFINITY;
  }

  #resume(): void {
    if (this.#pausedAt === undefined) return;
    const now = this.#clock.elapsed();
    const pausedMs = now - this.#pausedAt;
    this.#pausedAt = undefined;
    for (const pending of this.#pending.values()) {
      pending.hardDue += pausedMs;
      pending.idleDue = now + pending.options.timeout;
    }
    this.#wake();
  }

  #wakeAt(due: number, now: number): void {
    if (due >= this.#timerDue || this.#pausedAt !== undefined) return;
    this.#timer?.[Symbol.dispose]();
    this.#timerDue = due;
    this.#timer = this.#clock.after(due - now, this.#wake);
  }

  readonly #wake = (): void => {
    this.#timer = undefined;
    this.#timerDue = Number.POSITIVE_INFINITY;
    const now = this.#clock.elapsed();
    let next = Number.POSITIVE_INFINITY;
    for (const [id, { options, idleDue, hardDue }] of this.#pending.entries()) {
      const due = Math.min(idleDue, hardDue);
      if (due > now) {
        next = Math.min(next, due);
        continue;
      }
      const { timeout, maxTotalTimeout = timeout } = options;
      const ms = hardDue <= now ? maxTotalTimeout : timeout;
      this.#giveUp(id, 'the time is up', new FailureError({ kind: 'timeout', ms }));
    }
    this.#wakeAt(next, now);
  };
}

/** Its contents do not matter: the aborted signal determines the failure. */
export function abortedRequest(signal: CancelSignal): Error {
  return new Error('the request was given up', { cause: signal.reason });
}

const NO_ID = -1;

/** The number of the request that an answer belongs to. Some servers return numeric ids as strings. */
export function pendingId(id: unknown): number {
  if (typeof id === 'number') return id;
  return typeof id === 'string' && String(Number(id)) === id ? Number(id) : NO_ID;
}
