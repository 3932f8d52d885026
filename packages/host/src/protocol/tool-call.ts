// Calls a tool by a request: its parameters, its time limits, and the check of its result. A tool of a legacy server
// that only works as a task (revision 2025-11-25) takes two requests: the call starts the task, and a second request
// waits for its result. The task is cancelled if its caller aborts.

import { isObject, never, ok, type Result } from '@plugboard/base';
import { checkedBy } from './client-primitives.ts';
import type { TimedOptions } from './elicitation.ts';
import type { ProtocolFailure } from './neutral/failure.ts';
import type { ToolResult } from './neutral/model.ts';
import type { CallOptions, ToolCall } from './neutral/session.ts';
import { readToolResult } from './read-result.ts';

const CANCEL_MS = 5_000;

export type SendRequest = (
  method: string,
  params: Record<string, unknown>,
  options: TimedOptions,
) => Promise<Result<unknown, ProtocolFailure>>;

export type ToolCallResult = Promise<Result<ToolResult, ProtocolFailure>>;

export async function callLegacy(
  call: ToolCall,
  options: CallOptions,
  request: SendRequest,
): ToolCallResult {
  return checkedBy(
    readToolResult,
    call.needsTask === true
      ? await callAsTask(call, options, request)
      : await request('tools/call', paramsOf(call), timedBy(options)),
  );
}

export function paramsOf({ name, arguments: given }: ToolCall): Record<string, unknown> {
  return { name, arguments: given };
}

export function timedBy({ signal, idleMs, hardMs, onProgress }: CallOptions): TimedOptions {
  return {
    signal,
    timeout: idleMs,
    maxTotalTimeout: hardMs,
    // A progress token is always sent: a server that reports progress keeps its call alive.
    resetTimeoutOnProgress: true,
    onprogress: onProgress ?? ignore,
  };
}

async function callAsTask(
  call: ToolCall,
  { signal, idleMs, hardMs }: CallOptions,
  request: SendRequest,
): Promise<Result<unknown, ProtocolFailure>> {
  const params = { ...paramsOf(call), task: {} };
  const begun = await request('tools/call', params, { signal, timeout: idleMs });
  if (!begun.ok) return begun;
  const taskId = taskIdIn(begun.value);
  if (taskId === undefined) return ok(begun.value);
  // A server may be silent while it works on a task.
  const response = await request('tasks/result', { taskId }, { signal, timeout: hardMs });
  if (!response.ok && response.error.kind !== 'rpc') {
    void request('tasks/cancel', { taskId }, { signal: never, timeout: CANCEL_MS });
  }
  return response;
}

function taskIdIn(answer: unknown): string | undefined {
  const task = isObject(answer) ? answer['task'] : undefined;
  const id = isObject(task) ? task['taskId'] : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function ignore(): void {}
