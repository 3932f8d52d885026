// One call that its server may answer with a task, between the SDK's client and the transport. The client sees one long
// request, or one that needs input. The server sees a call, polls, updates, and a cancellation if the caller aborts.

import type { JSONRPCMessage, JSONRPCRequest, JSONRPCResponse } from '@modelcontextprotocol/client';
import { type Clock, CodedError, isObject } from '@plugboard/base';
import { FailureError } from '../neutral/failure.ts';
import type { Envelope } from './declare-tasks.ts';
import { requestPatiently, followTask, type TaskEvent, type TaskWatch } from './follow-task.ts';
import type { OwnRequests } from './own-requests.ts';
import { isTaskResult, readHandle, type TaskHandle, type TaskReport } from './read-task.ts';

export interface TaskPorts {
  readonly clock: Clock;
  /** Sends requests to the server. */
  readonly requests: OwnRequests;
  /** Tells the server that the task is no longer needed. */
  cancel(taskId: string, envelope: Envelope): void;
  /** Delivers a message to the client as if the server had sent it. */
  deliver(message: JSONRPCMessage): void;
}

/** One request of the client: a call takes several when the server asks for input. */
export interface TaskRequest {
  readonly request: JSONRPCRequest;
  readonly envelope: Envelope;
  /** Ends the `send` of this request, with an error if it failed. */
  settle(thrown?: unknown): void;
}

type State =
  | { readonly kind: 'fresh' }
  | { readonly kind: 'called'; readonly leg: TaskRequest }
  /** Ended before the server answered. A task that it still creates is cancelled. */
  | { readonly kind: 'abandoned'; readonly leg: TaskRequest }
  | {
      readonly kind: 'following';
      readonly taskId: string;
      readonly leg: TaskRequest;
      readonly abort: AbortController;
    }
  /** The client is collecting the input that the task asked for. */
  | (TaskHandle & { readonly kind: 'asking'; readonly envelope: Envelope })
  | { readonly kind: 'over' };

const MAX_INPUT_ROUNDS = 10;

export class TaskCall {
  readonly #ports: TaskPorts;
  readonly #seenKeys = new Set<string>();
  #state: State = { kind: 'fresh' };
  #inputRounds = 0;
  #reports = 0;

  constructor(ports: TaskPorts) {
    this.#ports = ports;
  }

  get taskId(): string | undefined {
    return 'taskId' in this.#state ? this.#state.taskId : undefined;
  }

  /** Whether it was given up before the server answered. */
  get isAbandoned(): boolean {
    return this.#state.kind === 'abandoned';
  }

  /** Takes a request of the client. Returns whether to send it to the server. */
  begin(leg: TaskRequest): 'send' | 'keep' {
    const state = this.#state;
    switch (state.kind) {
      case 'fresh':
        this.#state = { kind: 'called', leg };
        return 'send';
      case 'asking':
        this.#follow(leg, state);
        return 'keep';
      case 'called':
      case 'following':
        leg.settle(
          new CodedError('call-in-use', 'a call makes one request at a time', { data: {} }),
        );
        return 'keep';
      case 'abandoned':
      case 'over':
        leg.settle(new FailureError({ kind: 'cancelled' }));
        return 'keep';
      default:
        return state satisfies never;
    }
  }

  /** To be called if the request could not be delivered. */
  unsent(thrown: unknown): void {
    if (this.#state.kind !== 'called') return;
    const { leg } = this.#state;
    this.#state = { kind: 'fresh' };
    leg.settle(thrown);
  }

  /** Takes the server's answer to the pending request. Returns whether to pass it on to the client. */
  receive(response: JSONRPCResponse): 'kept' | 'passed-on' {
    const state = this.#state;
    const isTask = 'result' in response && isTaskResult(response.result);
    if (state.kind === 'following') return 'kept';
    if (state.kind !== 'called' && state.kind !== 'abandoned') return 'passed-on';
    const { leg } = state;
    this.#state = { kind: state.kind === 'called' ? 'fresh' : 'over' };
    if (!isTask) {
      leg.settle();
      return 'passed-on';
    }
    const handle = readHandle(response.result);
    if (state.kind === 'abandoned') {
      leg.settle();
      if (handle.ok) this.#ports.cancel(handle.value.taskId, leg.envelope);
    } else if (handle.ok) {
      this.#follow(leg, handle.value);
    } else {
      this.#fail(leg, new FailureError(invalid(handle.error)));
    }
    return 'kept';
  }

  /** Ends the call, and cancels an unfinished task. Idempotent. */
  end(): void {
    const state = this.#state;
    if (state.kind === 'abandoned') return;
    this.#state = { kind: 'over' };
    if (state.kind === 'following') {
      state.abort.abort();
      this.#ports.cancel(state.taskId, state.leg.envelope);
      state.leg.settle();
    } else if (state.kind === 'asking') {
      this.#ports.cancel(state.taskId, state.envelope);
    } else if (state.kind === 'called') {
      this.#state = { kind: 'abandoned', leg: state.leg };
      state.leg.settle();
    }
  }

  /** Ends the call because the connection is lost. */
  drop(): void {
    const state = this.#state;
    this.#state = { kind: 'over' };
    if (state.kind === 'following') state.abort.abort();
    if ('leg' in state) state.leg.settle();
  }

  #follow(leg: TaskRequest, task: TaskHandle): void {
    const abort = new AbortController();
    const state: State = { kind: 'following', taskId: task.taskId, leg, abort };
    this.#state = state;
    void this.#run(leg, task, abort.signal).then(
      (event) => {
        if (this.#state === state) this.#conclude(leg, task.taskId, event);
      },
      (thrown: unknown) => {
        if (this.#state === state) this.#fail(leg, thrown);
      },
    );
  }

  async #run(leg: TaskRequest, task: TaskHandle, signal: AbortSignal): Promise<TaskEvent> {
    const watch = this.#watch(leg, signal);
    const inputResponses = leg.request.params?.['inputResponses'];
    if (!isObject(inputResponses)) return followTask(task, watch);
    const params = { taskId: task.taskId, inputResponses };
    const taken = await requestPatiently('tasks/update', params, watch);
    if (taken.kind === 'error') return { kind: 'failed', error: taken.error };
    return followTask(task, watch);
  }

  #watch(leg: TaskRequest, signal: AbortSignal): TaskWatch {
    const { envelope } = leg;
    return {
      clock: this.#ports.clock,
      signal,
      seenKeys: this.#seenKeys,
      ask: (method, params) =>
        this.#ports.requests.ask(method, { ...params, _meta: envelope }, signal),
      onReport: (report) => this.#showLife(leg, report),
    };
  }

  /** Tasks have no progress of their own; without any, the client would treat the server as dead. */
  #showLife(leg: TaskRequest, { message }: TaskReport): void {
    // A report that arrives together with the end of the task is dropped.
    if (!('leg' in this.#state) || this.#state.leg !== leg) return;
    this.#reports += 1;
    const progressToken = leg.request.params?._meta?.progressToken;
    if (progressToken === undefined) return;
    const progress = this.#reports;
    const params = { progressToken, progress, ...(message === undefined ? {} : { message }) };
    this.#ports.deliver({ jsonrpc: '2.0', method: 'notifications/progress', params });
  }

  #conclude(leg: TaskRequest, taskId: string, event: TaskEvent): void {
    const { id } = leg.request;
    switch (event.kind) {
      case 'completed':
        this.#state = { kind: 'over' };
        this.#answer(id, { ...event.result, resultType: 'complete' });
        break;
      case 'failed':
        this.#state = { kind: 'over' };
        this.#ports.deliver({ jsonrpc: '2.0', id, error: event.error });
        break;
      case 'input':
        this.#inputRounds += 1;
        if (this.#inputRounds > MAX_INPUT_ROUNDS) {
          this.#fail(leg, new FailureError(invalid('the task asks for input again and again')));
          return;
        }
        this.#state = { kind: 'asking', taskId, pollMs: event.pollMs, envelope: leg.envelope };
        // The client answers the requests, and sends its request again with the answers.
        this.#answer(id, { resultType: 'input_required', inputRequests: event.requests });
        break;
      case 'invalid':
        this.#fail(leg, new FailureError(invalid(event.detail)));
        return;
      default:
        event satisfies never;
    }
    leg.settle();
  }

  #answer(id: JSONRPCRequest['id'], result: Record<string, unknown>): void {
    this.#ports.deliver({ jsonrpc: '2.0', id, result });
  }

  #fail(leg: TaskRequest, thrown: unknown): void {
    // Before `end`, which would settle it as a success.
    leg.settle(thrown);
    this.end();
  }
}

function invalid(detail: string): { readonly kind: 'invalid-result'; readonly detail: string } {
  return { kind: 'invalid-result', detail };
}
