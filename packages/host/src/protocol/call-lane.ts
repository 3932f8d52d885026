// Sends `tools/call` on the client's transport but past the SDK's client, whose checks and timers cost several
// times what a call costs. A lane sees every message before the client and takes those of its own calls; calls
// fail as they would in the client, and results are checked by the caller.

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { type Clock, isObject, type Json, messageOf, never } from '@plugboard/base';
import { failureIn } from './frame/failed-answer.ts';
import { FailureError } from './neutral/failure.ts';
import type { Progress } from './neutral/model.ts';
import type { CallOptions, ToolCall } from './neutral/session.ts';

/**
 * The client numbers its own requests from zero and never gets this far. The id is a number because some
 * servers accept no other type, and it fits into 32 bits.
 */
const FIRST_ID = 1_000_000_000;

type Fields = Record<string, unknown>;

interface PendingCall {
  readonly options: CallOptions;
  /** Both in the clock's elapsed time. */
  hardDue: number;
  idleDue: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
  onAbort: (() => void) | undefined;
}

/**
 * Puts a lane in front of the transport's current listener, which no longer sees the messages that the lane
 * takes. `undefined` if each request has its own stream, since the SDK resumes such a stream when it is cut.
 */
export function openLane(transport: Transport, clock: Clock): CallLane | undefined {
  if (transport.hasPerRequestStream === true) return undefined;
  const { onmessage, onclose } = transport;
  const lane = new CallLane(transport, clock);
  transport.onmessage = (message, extra) => {
    if (!lane.receive(message)) onmessage?.(message, extra);
  };
  transport.onclose = () => {
    try {
      onclose?.();
    } finally {
      lane.end();
    }
  };
  return lane;
}

export class CallLane {
  readonly #transport: Pick<Transport, 'send'>;
  readonly #clock: Clock;
  readonly #waiting = new Map<number, PendingCall>();
  #nextId = FIRST_ID;
  /** One timer for all calls; it is left running when they end, since most end long before it fires. */
  #timer: Disposable | undefined;
  #timerDue = Number.POSITIVE_INFINITY;
  #isEnded = false;
  /** When the time limits of all calls were suspended. */
  #stoppedAt: number | undefined;

  constructor(transport: Pick<Transport, 'send'>, clock: Clock) {
    this.#transport = transport;
    this.#clock = clock;
  }

  /** The result as the server sent it. Rejects with a `FailureError`. */
  call({ name, arguments: given }: ToolCall, options: CallOptions): Promise<unknown> {
    // A progress token is always sent: a server that reports keeps its call alive.
    const paramsFor = (id: number) => ({ name, arguments: given, _meta: { progressToken: id } });
    return this.#send('tools/call', paramsFor, options);
  }

  /** The same for any request. */
  request(method: string, params: Fields, options: CallOptions): Promise<unknown> {
    const { _meta } = params;
    const paramsFor = (id: number): Fields =>
      options.onProgress === undefined
        ? params
        : { ...params, _meta: { ...(isObject(_meta) ? _meta : {}), progressToken: id } };
    return this.#send(method, paramsFor, options);
  }

  #send(method: string, paramsFor: (id: number) => Fields, options: CallOptions): Promise<unknown> {
    if (this.#isEnded) return Promise.reject(new FailureError({ kind: 'closed' }));
    if (options.signal.aborted) return Promise.reject(aborted(options.signal));
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      this.#expect(id, options, { resolve, reject });
      try {
        this.#transport
          .send({ jsonrpc: '2.0', id, method, params: paramsFor(id) })
          .catch((thrown: unknown) => this.#take(id)?.reject(thrown));
      } catch (thrown) {
        // Arguments that are no JSON.
        this.#take(id)?.reject(thrown);
      }
    });
  }

  /** Takes messages about calls of this lane, including calls that were given up. */
  receive(message: JSONRPCMessage): boolean {
    if ('method' in message) {
      // A request from the server has an id that the server chose, whatever it looks like.
      return message.method === 'notifications/progress' && this.#hearProgress(message.params);
    }
    const id = this.#ownId(message.id);
    if (id === undefined) return false;
    const waiting = this.#take(id);
    if ('error' in message) waiting?.reject(errorOf(message.error));
    else waiting?.resolve(message.result);
    return true;
  }

  /** Suspends the time limits of all calls until `start`. */
  stop(): void {
    this.#stoppedAt ??= this.#clock.elapsed();
    this.#timer?.[Symbol.dispose]();
    this.#timerDue = Number.POSITIVE_INFINITY;
  }

  start(): void {
    if (this.#stoppedAt === undefined) return;
    const now = this.#clock.elapsed();
    const stood = now - this.#stoppedAt;
    this.#stoppedAt = undefined;
    for (const waiting of this.#waiting.values()) {
      waiting.hardDue += stood;
      waiting.idleDue = now + waiting.options.idleMs;
    }
    this.#wake();
  }

  /** The connection has ended; fails all pending calls. */
  end(): void {
    this.#isEnded = true;
    this.#timer?.[Symbol.dispose]();
    for (const id of this.#waiting.keys()) {
      this.#take(id)?.reject(new FailureError({ kind: 'closed' }));
    }
  }

  #expect(
    id: number,
    options: CallOptions,
    { resolve, reject }: Pick<PendingCall, 'resolve' | 'reject'>,
  ): void {
    const { signal, idleMs, hardMs } = options;
    const now = this.#clock.elapsed();
    const idleDue = now + idleMs;
    const hardDue = now + hardMs;
    const waiting = { options, hardDue, idleDue, resolve, reject, onAbort: undefined };
    this.#waiting.set(id, waiting);
    // A signal that never aborts needs no listener on every call.
    if (signal !== never) this.#listen(id, waiting, signal);
    this.#wakeAt(Math.min(idleDue, hardDue), now);
  }

  #listen(id: number, waiting: PendingCall, signal: AbortSignal): void {
    waiting.onAbort = () => this.#giveUp(id, messageOf(signal.reason), aborted(signal));
    signal.addEventListener('abort', waiting.onAbort, { once: true });
  }

  /** Anything that arrives for the call after this is too late. */
  #take(id: number): PendingCall | undefined {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return undefined;
    this.#waiting.delete(id);
    const { onAbort, options } = waiting;
    if (onAbort !== undefined) options.signal.removeEventListener('abort', onAbort);
    return waiting;
  }

  #giveUp(id: number, reason: string, thrown: Error): void {
    const waiting = this.#take(id);
    if (waiting === undefined) return;
    void this.#sayCancelled(id, reason);
    waiting.reject(thrown);
  }

  async #sayCancelled(requestId: number, reason: string): Promise<void> {
    const params = { requestId, reason };
    try {
      await this.#transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    } catch {
      // The server does not learn of the cancellation and keeps working.
    }
  }

  #hearProgress(params: Readonly<Record<string, unknown>> | undefined): boolean {
    const id = this.#ownId(params?.['progressToken']);
    if (params === undefined || id === undefined) return false;
    const waiting = this.#waiting.get(id);
    const progress = readProgress(params);
    if (waiting === undefined || progress === undefined) return true;
    waiting.idleDue = this.#clock.elapsed() + waiting.options.idleMs;
    try {
      waiting.options.onProgress?.(progress);
    } catch {
      // A listener that throws must not fail the message that the transport is delivering.
    }
    return true;
  }

  /** Some servers return numeric ids as strings. */
  #ownId(id: unknown): number | undefined {
    const number = typeof id === 'string' ? Number(id) : id;
    return typeof number === 'number' && number >= FIRST_ID && number < this.#nextId
      ? number
      : undefined;
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
    for (const [id, { options, idleDue, hardDue }] of this.#waiting) {
      const due = Math.min(idleDue, hardDue);
      if (due > now) {
        next = Math.min(next, due);
        continue;
      }
      const ms = hardDue <= now ? options.hardMs : options.idleMs;
      this.#giveUp(id, 'the time is up', new FailureError({ kind: 'timeout', ms }));
    }
    this.#wakeAt(next, now);
  };
}

/** Not inspected: under an aborted signal, the signal determines the failure. */
function aborted(signal: AbortSignal): Error {
  return new Error('the call was given up', { cause: signal.reason });
}

function errorOf(error: unknown): FailureError {
  const { code, message, data } = isObject(error) ? error : {};
  const ours = failureIn(data);
  if (ours !== undefined) return new FailureError(ours);
  if (typeof code !== 'number' || typeof message !== 'string') {
    const detail = 'the error has no code or no message';
    return new FailureError({ kind: 'invalid-result', detail });
  }
  const more = data === undefined ? {} : { data: data as Json };
  return new FailureError({ kind: 'rpc', code, message, ...more });
}

/** `undefined` for a malformed report. */
function readProgress({
  progress,
  total,
  message,
}: Readonly<Record<string, unknown>>): Progress | undefined {
  if (typeof progress !== 'number') return undefined;
  if (total !== undefined && typeof total !== 'number') return undefined;
  if (message !== undefined && typeof message !== 'string') return undefined;
  return {
    progress,
    ...(total === undefined ? {} : { total }),
    ...(message === undefined ? {} : { message }),
  };
}
