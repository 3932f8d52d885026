// Requests that wait for an answer on one stream: it numbers them, holds their deadlines, and gives up those whose time
// is up or whose caller has left.

import { BriefMap, type CancelSignal, type Clock, messageOf, never } from '@plugboard/base';
import { FailureError } from './neutral/failure.ts';
import type { PausableTimer } from './patience.ts';

export interface PendingOptions {
  readonly signal?: CancelSignal;
  /** How long the server may show no sign of life. */
  readonly timeout: number;
  /** How long the request may take, whatever the server shows. */
  readonly maxTotalTimeout?: number;
}

interface Settling {
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

interface PendingRequest<Options extends PendingOptions> extends Settling {
  readonly options: Options;
  /** Both in the clock's elapsed time. */
  hardDue: number;
  idleDue: number;
  onAbort: (() => void) | undefined;
}

export class PendingRequests<Options extends PendingOptions> {
  /** The time limits of all requests can be suspended. */
  readonly limits: PausableTimer = { start: () => this.#start(), stop: () => this.#stop() };
  readonly #clock: Clock;
  readonly #onGivenUp: (id: number, reason: string, options: Options) => void;
  readonly #waiting = new BriefMap<number, PendingRequest<Options>>();
  #nextId = 0;
  /** One timer for all requests; it is left running when they end, since most end long before it fires. */
  #timer: Disposable | undefined;
  #timerDue = Number.POSITIVE_INFINITY;
  /** When the time limits of all requests were suspended. */
  #stoppedAt: number | undefined;

  /** `onGivenUp` tells the server that a request is no longer waited for. */
  constructor(clock: Clock, onGivenUp: (id: number, reason: string, options: Options) => void) {
    this.#clock = clock;
    this.#onGivenUp = onGivenUp;
  }

  get size(): number {
    return this.#waiting.size;
  }

  takeId(): number {
    const id = this.#nextId;
    this.#nextId += 1;
    return id;
  }

  expect(id: number, options: Options, { resolve, reject }: Settling): void {
    const { signal = never, timeout, maxTotalTimeout = timeout } = options;
    const now = this.#clock.elapsed();
    const idleDue = now + timeout;
    const hardDue = now + maxTotalTimeout;
    const waiting = { options, hardDue, idleDue, resolve, reject, onAbort: undefined };
    this.#waiting.set(id, waiting);
    // A signal that never aborts needs no listener on every request.
    if (signal !== never) this.#listen(id, waiting, signal);
    this.#wakeAt(Math.min(idleDue, hardDue), now);
  }

  /** Anything that arrives for the request after this is too late. */
  take(id: number): (Settling & { readonly options: Options }) | undefined {
    const waiting = this.#waiting.take(id);
    if (waiting === undefined) return undefined;
    const { onAbort, options } = waiting;
    if (onAbort !== undefined) options.signal?.removeEventListener('abort', onAbort);
    return waiting;
  }

  /** The server shows a sign of life for a request. */
  hear(id: number): Options | undefined {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return undefined;
    waiting.idleDue = this.#clock.elapsed() + waiting.options.timeout;
    return waiting.options;
  }

  /** What is waited for now. */
  *options(): Iterable<Options> {
    for (const { options } of this.#waiting.values()) yield options;
  }

  /** The connection has ended; fails all pending requests. */
  end(): void {
    this.#timer?.[Symbol.dispose]();
    for (const [id] of this.#waiting.entries()) {
      this.take(id)?.reject(new FailureError({ kind: 'closed' }));
    }
  }

  #listen(id: number, waiting: PendingRequest<Options>, signal: CancelSignal): void {
    waiting.onAbort = () => this.#giveUp(id, messageOf(signal.reason), abortedRequest(signal));
    signal.addEventListener('abort', waiting.onAbort, { once: true });
  }

  #giveUp(id: number, reason: string, thrown: Error): void {
    const waiting = this.take(id);
    if (waiting === undefined) return;
    this.#onGivenUp(id, reason, waiting.options);
    waiting.reject(thrown);
  }

  #stop(): void {
    this.#stoppedAt ??= this.#clock.elapsed();
    this.#timer?.[Symbol.dispose]();
    this.#timerDue = Number.POSITIVE_INFINITY;
  }

  #start(): void {
    if (this.#stoppedAt === undefined) return;
    const now = this.#clock.elapsed();
    const stood = now - this.#stoppedAt;
    this.#stoppedAt = undefined;
    for (const waiting of this.#waiting.values()) {
      waiting.hardDue += stood;
      waiting.idleDue = now + waiting.options.timeout;
    }
    this.#wake();
  }

  #wakeAt(due: number, now: number): void {
    if (due >= this.#timerDue || this.#stoppedAt !== undefined) return;
    this.#timer?.[Symbol.dispose]();
    this.#timerDue = due;
    this.#timer = this.#clock.after(due - now, this.#wake);
  }

  readonly #wake = (): void => {
    this.#timer = undefined;
    this.#timerDue = Number.POSITIVE_INFINITY;
    const now = this.#clock.elapsed();
    let next = Number.POSITIVE_INFINITY;
    for (const [id, { options, idleDue, hardDue }] of this.#waiting.entries()) {
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

/** Not inspected: under an aborted signal, the signal determines the failure. */
export function abortedRequest(signal: CancelSignal): Error {
  return new Error('the request was given up', { cause: signal.reason });
}

const NO_ID = -1;

/** The number of a request that an answer names. Some servers return numeric ids as strings. */
export function pendingId(id: unknown): number {
  if (typeof id === 'number') return id;
  return typeof id === 'string' && String(Number(id)) === id ? Number(id) : NO_ID;
}
