// Asks how a task stands until there is something to tell the caller: an end, or a question that it
// has not been asked before. It keeps nothing between two calls but the keys already asked.

import { SdkHttpError } from '@modelcontextprotocol/client';
import { type Clock, codeOf, delay, stayAlive } from '@plugboard/base';
import { FailureError } from '../neutral/failure.ts';
import type { Answer } from './own-requests.ts';
import { type RpcError, readReport, type TaskHandle, type TaskReport } from './read-task.ts';

export type TaskEvent =
  | { readonly kind: 'completed'; readonly result: Readonly<Record<string, unknown>> }
  /** The task failed, was cancelled at the server, or is not known there any more. */
  | { readonly kind: 'failed'; readonly error: RpcError }
  | {
      readonly kind: 'input';
      readonly requests: Readonly<Record<string, unknown>>;
      /** How long to wait, once it is answered, before asking how the task stands. */
      readonly pollMs: number;
    }
  /** The server breaks the rules; what becomes of the task is not known. */
  | { readonly kind: 'invalid'; readonly detail: string };

export interface TaskWatch {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  ask(method: string, params: Readonly<Record<string, unknown>>): Promise<Answer>;
  /** Called for every sound answer: the server is alive. */
  onReport(report: TaskReport): void;
  /** Keys of input requests that were passed on before. New ones are added. */
  readonly asked: Set<string>;
}

/** JSON-RPC leaves this code to implementations; the extension names none for a cancelled task. */
const CANCELLED_AT_SERVER = -32_000;
/** A task may outlive a short outage of the network; so many polls in a row may fail to get through. */
const TRIES = 3;
const RETRY_MS = 500;

export async function followTask(task: TaskHandle, watch: TaskWatch): Promise<TaskEvent> {
  const { taskId } = task;
  let { pollMs } = task;
  // Between two polls over HTTP nothing may be open, and a program that waits for the task is not done.
  using _ = stayAlive();
  for (;;) {
    if (pollMs > 0) await delay(pollMs, watch.clock, watch.signal);
    const answer = await askPatiently('tasks/get', { taskId }, watch);
    if (answer.kind === 'error') return { kind: 'failed', error: answer.error };
    const report = readReport(answer.result, taskId);
    if (!report.ok) return { kind: 'invalid', detail: report.error };
    watch.onReport(report.value);
    const event = eventOf(report.value, watch.asked);
    if (event !== undefined) return event;
    pollMs = report.value.pollMs;
  }
}

/** Asks again when the question did not get through; both questions may be put twice. */
export async function askPatiently(
  method: 'tasks/get' | 'tasks/update',
  params: Readonly<Record<string, unknown>>,
  watch: TaskWatch,
): Promise<Answer> {
  const { clock, signal } = watch;
  for (let tries = 1; ; tries += 1) {
    try {
      return await watch.ask(method, params);
    } catch (thrown) {
      if (tries >= TRIES || signal.aborted || !mayPass(thrown)) throw thrown;
    }
    await delay(RETRY_MS * tries, clock, signal);
  }
}

function eventOf(
  { state, message, pollMs }: TaskReport,
  asked: Set<string>,
): TaskEvent | undefined {
  switch (state.kind) {
    case 'working':
      return undefined;
    case 'input-required': {
      const fresh = Object.entries(state.requests).filter(([key]) => !asked.has(key));
      for (const [key] of fresh) asked.add(key);
      // The server shows a question until it has taken in the answer.
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

function mayPass(thrown: unknown): boolean {
  if (thrown instanceof FailureError) return thrown.failure.kind === 'unreachable';
  if (thrown instanceof SdkHttpError) return thrown.status >= 500;
  return codeOf(thrown) === 'stream-broken-off';
}
