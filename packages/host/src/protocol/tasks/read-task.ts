// Checks a server's report on a task. Only the id, the status and the members of that status must be valid. Pure.

import { err, isObject, ok, type Result } from '@plugboard/base';
import { hasTooManyQuestions, TOO_MANY_QUESTIONS } from '../modern/bound-questions.ts';
import { shortJson } from '../frame/short-json.ts';

/** A hostile or careless server could request polls without a pause, or almost never. */
const SHORTEST_POLL_MS = 100;
const LONGEST_POLL_MS = 60_000;
const DEFAULT_POLL_MS = 1_000;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The answer to a call in place of its result. */
export interface TaskHandle {
  readonly taskId: string;
  /** How long to wait before the next poll. */
  readonly pollMs: number;
}

export type TaskState =
  | { readonly kind: 'working' }
  | { readonly kind: 'input-required'; readonly requests: Readonly<Record<string, unknown>> }
  | { readonly kind: 'completed'; readonly result: Readonly<Record<string, unknown>> }
  | { readonly kind: 'failed'; readonly error: RpcError }
  | { readonly kind: 'cancelled' };

export interface TaskReport extends TaskHandle {
  readonly state: TaskState;
  /** The server's text about the state. */
  readonly message: string | undefined;
}

/** Whether a result is a task in place of the result. */
export function isTaskResult(result: unknown): boolean {
  return isObject(result) && result['resultType'] === 'task';
}

export function readHandle(raw: unknown): Result<TaskHandle, string> {
  if (!isObject(raw)) return err('the task is not an object');
  const { taskId, status, pollIntervalMs } = raw;
  if (typeof taskId !== 'string' || taskId === '') return err('the task has no id');
  // A task that is not working has something to report at once.
  const pollMs = status === 'working' ? pollMsOf(pollIntervalMs) : 0;
  return ok({ taskId, pollMs });
}

export function readReport(raw: unknown, taskId: string): Result<TaskReport, string> {
  if (!isObject(raw)) return err('the task is not an object');
  if (raw['taskId'] !== taskId) return err('the answer is about another task');
  const state = readState(raw);
  if (!state.ok) return state;
  const message = raw['statusMessage'];
  return ok({
    taskId,
    pollMs: pollMsOf(raw['pollIntervalMs']),
    state: state.value,
    message: typeof message === 'string' ? message : undefined,
  });
}

function readState(raw: Readonly<Record<string, unknown>>): Result<TaskState, string> {
  const { status, inputRequests, result, error } = raw;
  switch (status) {
    case 'working':
    case 'cancelled':
      return ok({ kind: status });
    case 'input_required':
      if (hasTooManyQuestions(inputRequests)) return err(TOO_MANY_QUESTIONS);
      return isObject(inputRequests)
        ? ok({ kind: 'input-required', requests: inputRequests })
        : err('the task needs input and does not say which');
    case 'completed':
      return isObject(result)
        ? ok({ kind: 'completed', result })
        : err('the task is completed and has no result');
    case 'failed':
      return ok({ kind: 'failed', error: readError(error) });
    default:
      return err(`the task has the unknown status ${shortJson(status)}`);
  }
}

const INTERNAL_ERROR = -32_603;

/** A task has failed even if its error is malformed. */
function readError(error: unknown): RpcError {
  const { code, message, data } = isObject(error) ? error : {};
  return {
    code: typeof code === 'number' && Number.isInteger(code) ? code : INTERNAL_ERROR,
    message: typeof message === 'string' ? message : 'the task failed',
    ...(data === undefined ? {} : { data }),
  };
}

function pollMsOf(interval: unknown): number {
  if (typeof interval !== 'number' || !Number.isFinite(interval)) return DEFAULT_POLL_MS;
  return Math.min(Math.max(interval, SHORTEST_POLL_MS), LONGEST_POLL_MS);
}
