// A transport over another transport that follows tasks for its client. Only calls that `begin` created declare support
// for tasks, so every task has a caller that waits for it. Unrequested tasks are not followed.

import type {
  JSONRPCMessage,
  JSONRPCRequest,
  MessageExtraInfo,
  RequestId,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import { abortable, type Clock, deadline, isObject, messageOf, never } from '@plugboard/base';
import { assumeContent } from '../modern/assume-complete.ts';
import { type Envelope, taskEnvelope } from './declare-tasks.ts';
import { isAnswer, isRequest } from './message-kind.ts';
import { OwnRequests } from './own-requests.ts';
import { type TaskRequest, TaskCall, type TaskPorts } from './task-call.ts';

/** One call, from before its request until its result is no longer needed. */
interface FollowableCall extends Disposable {
  /** To be set as `params._meta` of the `tools/call` request; not sent to the server. */
  readonly meta: Record<string, unknown>;
  /** Ends the call, and cancels an unfinished task. */
  [Symbol.dispose](): void;
}

/** Marks a request as part of a call. A symbol is never sent. */
const CALL = Symbol('followable call');

/** How many abandoned calls are remembered, since a server need not answer them. */
const MAX_ABANDONED = 100;
/** How long closing waits until the cancellations of tasks are delivered. */
const FAREWELL_MS = 200;

export class TaskTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly hasPerRequestStream: boolean;
  readonly #inner: Transport;
  readonly #clock: Clock;
  readonly #own: OwnRequests;
  readonly #ports: TaskPorts;
  readonly #calls = new Set<TaskCall>();
  /** The calls by their request, until it is answered. */
  readonly #legs = new Map<RequestId, TaskCall>();
  readonly #abandoned: RequestId[] = [];
  readonly #farewells = new Set<Promise<unknown>>();
  readonly #closed = new AbortController();

  constructor(inner: Transport, clock: Clock) {
    this.#inner = inner;
    this.#clock = clock;
    this.#own = new OwnRequests(inner);
    this.#ports = {
      clock,
      requests: this.#own,
      cancel: (taskId, envelope) => this.#cancel(taskId, envelope),
      deliver: (message) => this.onmessage?.(message),
    };
    this.hasPerRequestStream = inner.hasPerRequestStream === true;
    inner.onmessage = (message, extra) => this.#receive(message, extra);
    inner.onerror = (error) => this.onerror?.(error);
    inner.onclose = () => {
      this.#closed.abort();
      for (const call of this.#calls) call.drop();
      this.onclose?.();
    };
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#inner.setSupportedProtocolVersions?.(versions);
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  async close(): Promise<void> {
    for (const call of this.#calls) call.end();
    await this.#awaitFarewells();
    await this.#inner.close();
  }

  /** To be called before a `tools/call` that may become a task. */
  begin(): FollowableCall {
    const call = new TaskCall(this.#ports);
    this.#calls.add(call);
    const marked: MarkedRequest = { [CALL]: call };
    return {
      meta: marked as Record<string, unknown>,
      [Symbol.dispose]: () => {
        call.end();
        this.#calls.delete(call);
      },
    };
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (isRequest(message)) {
      const meta = message.params?._meta as MarkedRequest | undefined;
      const call = message.method === 'tools/call' ? meta?.[CALL] : undefined;
      const envelope = call === undefined ? undefined : taskEnvelope(meta);
      if (call !== undefined && envelope !== undefined) {
        return this.#sendLeg(call, { request: message, envelope }, options);
      }
    }
    const given = cancelledRequest(message);
    return given !== undefined && this.#giveUp(given) === 'kept'
      ? Promise.resolve()
      : this.#inner.send(message, options);
  }

  /** Settles when the request is answered, so that a failure while following can reject it. */
  #sendLeg(
    call: TaskCall,
    { request, envelope }: Pick<TaskRequest, 'request' | 'envelope'>,
    options: TransportSendOptions | undefined,
  ): Promise<void> {
    const { id } = request;
    options?.requestSignal?.addEventListener('abort', () => void this.#giveUp(id), { once: true });
    return new Promise((resolve, reject) => {
      const settle = (thrown?: unknown): void => {
        // A request that was given up may still be answered, possibly with a task.
        if (call.isAbandoned) this.#rememberAbandoned(id);
        else this.#legs.delete(id);
        if (thrown === undefined) resolve();
        else reject(thrown instanceof Error ? thrown : new Error(messageOf(thrown)));
      };
      this.#legs.set(id, call);
      if (call.begin({ request, envelope, settle }) === 'keep') return;
      this.#inner
        .send(declaring(request, envelope), options)
        .catch((thrown: unknown) => call.unsent(thrown));
    });
  }

  #giveUp(id: RequestId): 'kept' | 'passed-on' {
    const call = this.#legs.get(id);
    if (call === undefined) return 'passed-on';
    // A task has its own method for cancellation, so the notification is not sent.
    const isTask = call.taskId !== undefined;
    call.end();
    return isTask ? 'kept' : 'passed-on';
  }

  #rememberAbandoned(id: RequestId): void {
    this.#abandoned.push(id);
    const oldest = this.#abandoned.length > MAX_ABANDONED ? this.#abandoned.shift() : undefined;
    if (oldest !== undefined) this.#legs.delete(oldest);
  }

  #receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    if (this.#own.receive(message)) return;
    if (isAnswer(message)) {
      const call = message.id === undefined ? undefined : this.#legs.get(message.id);
      if (call?.receive(message) === 'kept') return;
      if (call !== undefined) assumeContent(message);
    }
    this.onmessage?.(message, extra);
  }

  async #awaitFarewells(): Promise<void> {
    if (this.#farewells.size === 0) return;
    using limit = deadline(FAREWELL_MS, this.#clock, never);
    const delivered = Promise.all(this.#farewells);
    // Does not wait longer for a slow server.
    await abortable(delivered, limit.signal).catch(() => {});
  }

  #cancel(taskId: string, envelope: Envelope): void {
    const params = { taskId, _meta: envelope };
    const farewell = this.#own
      .ask('tasks/cancel', params, this.#closed.signal)
      // If the cancellation fails, the task finishes and its result is not read.
      .catch(() => {})
      .finally(() => this.#farewells.delete(farewell));
    this.#farewells.add(farewell);
  }
}

interface MarkedRequest {
  readonly [CALL]?: TaskCall;
}

function declaring(request: JSONRPCRequest, envelope: Envelope): JSONRPCRequest {
  const { params } = request;
  return { ...request, params: { ...params, _meta: { ...params?._meta, ...envelope } } };
}

function cancelledRequest(message: JSONRPCMessage): RequestId | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined;
  const { params } = message;
  const id = isObject(params) ? params['requestId'] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
