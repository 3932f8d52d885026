// A tool of a legacy server that only works as a task (revision 2025-11-25): the call starts the task, and a
// second request waits for its result. Questions from the server arrive as with any call. A task is cancelled
// when its caller gives up.

import { isObject, never, ok, type Result } from '@plugboard/base';
import type { TimedOptions } from './elicitation.ts';
import type { ProtocolFailure } from './neutral/failure.ts';
import type { CallOptions, ToolCall } from './neutral/session.ts';

const CANCEL_MS = 5_000;

export type SendRequest = (
  method: string,
  params: Record<string, unknown>,
  options: TimedOptions,
) => Promise<Result<unknown, ProtocolFailure>>;

/** The result as the server sent it. */
export async function callAsTask(
  { name, arguments: given }: ToolCall,
  { signal, idleMs, hardMs }: CallOptions,
  request: SendRequest,
): Promise<Result<unknown, ProtocolFailure>> {
  const params = { name, arguments: given, task: {} };
  const begun = await request('tools/call', params, { signal, timeout: idleMs });
  if (!begun.ok) return begun;
  const taskId = taskIdIn(begun.value);
  if (taskId === undefined) return ok(begun.value);
  // A server may be silent for as long as it works on a task.
  const answered = await request('tasks/result', { taskId }, { signal, timeout: hardMs });
  if (!answered.ok && answered.error.kind !== 'rpc') {
    void request('tasks/cancel', { taskId }, { signal: never, timeout: CANCEL_MS });
  }
  return answered;
}

function taskIdIn(answer: unknown): string | undefined {
  const task = isObject(answer) ? answer['task'] : undefined;
  const id = isObject(task) ? task['taskId'] : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
