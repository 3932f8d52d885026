// Polls a task until there is something to report: its end, or input that was not requested before. Keeps no state
// between two calls except the keys of the requests that were passed on.

import { SdkHttpError } from '@modelcontextprotocol/client';
import { type Clock, codeOf, delay, stayAlive } from '@plugboard/base';
import { FailureError } from '../neutral/failure.ts';
import type { Answer } from './own-requests.ts';
import { type RpcError, readReport, type TaskHandle, type TaskReport } from './read-task.ts';

export type TaskEvent =
  | { readonly kind: 'completed'; readonly result: Readonly<Record<string, unknown>> }
  /** The task failed, was cancelled by the server, or is unknown to it. */
  | { readonly kind: 'failed'; readonly error: RpcError }
  | {
      readonly kind: 'input';
      readonly requests: Readonly<Record<string, unknown>>;
      /** How long to wait after the answer before the next poll. */
      readonly pollMs: number;
    }
  /** The server broke the rules, and the state of the task is unknown. */
  | { readonly kind: 'invalid'; readonly detail: string };

export interface TaskWatch {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  ask(method: string, params: Readonly<Record<string, unknown>>): Promise<Answer>;
  /** Called for every valid report, which shows that the server is alive. */
  onReport(report: TaskReport): void;
  /** Keys of input requests that were passed on before. New ones are added. */
  readonly seenKeys: Set<string>;
}

/** A code for implementations in JSON-RPC; the extension defines none for a cancelled task. */
const CANCELLED_AT_SERVER = -32_000;
/** Attempts per request, so that a task survives a short outage of the network. */
const TRIES = 3;
const RETRY_MS = 500;

export async function followTask(task: TaskHandle, watch: TaskWatch): Promise<TaskEvent> {
  const { taskId } = task;
  let { pollMs } = task;
  // Over HTTP nothing is open between two polls, and the process must not exit while it waits for the task.
  using _ = stayAlive();
  for (;;) {
    if (pollMs > 0) await delay(pollMs, watch.clock, watch.signal);
    const answer = await requestPatiently('tasks/get', { taskId }, watch);
    if (answer.kind === 'error') return { kind: 'failed', error: answer.error };
    const report = readReport(answer.result, taskId);
    if (!report.ok) return { kind: 'invalid', detail: report.error };
    watch.onReport(report.value);
    const event = eventOf(report.value, watch.seenKeys);
    if (event !== undefined) return event;
    pollMs = report.value.pollMs;
  }
}

/** Repeats a request that was not delivered. Both methods may be repeated. */
export async function requestPatiently(
  method: 'tasks/get' | 'tasks/update',
  params: Readonly<Record<string, unknown>>,
  watch: TaskWatch,
): Promise<Answer> {
  const { clock, signal } = watch;
  for (let tries = 1; ; tries += 1) {
    try {
      return await watch.ask(method, params);
    } catch (thrown) {
      if (tries >= TRIES || signal.aborted || !isTransient(thrown)) throw thrown;
    }
    await delay(RETRY_MS * tries, clock, signal);
  }
}

function eventOf(
  { state, message, pollMs }: TaskReport,
  seenKeys: Set<string>,
): TaskEvent | undefined {
  switch (state.kind) {
    case 'working':
      return undefined;
    case 'input-required': {
      const fresh = Object.entries(state.requests).filter(([key]) => !seenKeys.has(key));
      for (const [key] of fresh) seenKeys.add(key);
      // The server repeats a request until it has processed the answer.
      if (fresh.length === 0) return undefined;
      return { kind: 'input', requests: Object.fromEntries(fresh), pollMs };
    }
    case 'completed':
      return state;
    case 'failed':
      return state;
    case 'cancelled':
      return {
        kind: 'failed',
        error: { code: CANCELLED_AT_SERVER, message: message ?? 'the server cancelled the task' },
      };
    default:
      return state satisfies never;
  }
}

function isTransient(thrown: unknown): boolean {
  if (thrown instanceof FailureError) return thrown.failure.kind === 'unreachable';
  if (thrown instanceof SdkHttpError) return thrown.status >= 500;
  return codeOf(thrown) === 'stream-broken-off';
}
