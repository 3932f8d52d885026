// The tasks of a scripted server (the Tasks extension of the modern era). The plot of a task decides its progress;
// requests about tasks are recorded.

import { randomUUID } from 'node:crypto';
import type { Json, JsonObject } from '@plugboard/base';
import { CAPABILITIES_KEY } from './era.ts';
import {
  type IncomingRequest,
  INVALID_PARAMS,
  isJsonObject,
  MISSING_CAPABILITY,
  objectOf,
} from './json-rpc.ts';
import type { Outcome } from './tool-call.ts';

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** The progress of a task. */
export interface TaskProgress {
  /** The number of earlier polls. */
  readonly polls: number;
  readonly elapsedMs: number;
  /** The input given so far, by key. */
  readonly input: JsonObject;
}

export interface Plot {
  readonly pollIntervalMs: number;
  /** The result of `tasks/get` without id and times; `undefined` if the server has forgotten the task. */
  state(progress: TaskProgress): JsonObject | undefined;
}

interface Task {
  readonly plot: Plot;
  readonly createdAt: Date;
  polls: number;
  input: JsonObject;
  isCancelled: boolean;
}

export const MISSING_TASKS: Outcome = {
  kind: 'error',
  error: {
    code: MISSING_CAPABILITY,
    message: 'Missing required client capability',
    data: { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } },
  },
};

export function isTaskMethod(method: string): boolean {
  return method === 'tasks/get' || method === 'tasks/update' || method === 'tasks/cancel';
}

/** Whether the client declared support for tasks. */
export function followsTasks(request: IncomingRequest): boolean {
  const capabilities = objectOf(objectOf(request.params['_meta'])[CAPABILITIES_KEY]);
  return isJsonObject(objectOf(capabilities['extensions'])[TASKS_EXTENSION]);
}

export class TaskDesk {
  /** Every request about tasks so far. */
  readonly log: JsonObject[] = [];
  readonly #tasks = new Map<string, Task>();

  /** The reply to a call that becomes a task. */
  create(plot: Plot): Outcome {
    const id = randomUUID();
    const task = { plot, createdAt: new Date(), polls: 0, input: {}, isCancelled: false };
    this.#tasks.set(id, task);
    const result = { ...facts(id, task), resultType: 'task', status: 'working' };
    return { kind: 'result', result };
  }

  answer(method: string, params: JsonObject): Outcome {
    const { taskId, inputResponses } = params;
    this.log.push({
      method,
      taskId: taskId ?? null,
      ...(inputResponses === undefined ? {} : { inputResponses }),
    });
    if (typeof taskId !== 'string') return unknownTask(taskId);
    const task = this.#tasks.get(taskId);
    if (task === undefined) return unknownTask(taskId);
    switch (method) {
      case 'tasks/update':
        task.input = { ...task.input, ...objectOf(inputResponses) };
        return ACKNOWLEDGED;
      case 'tasks/cancel':
        task.isCancelled = true;
        return ACKNOWLEDGED;
      default:
        return this.#describe(taskId, task);
    }
  }

  #describe(id: string, task: Task): Outcome {
    const state = task.isCancelled
      ? { status: 'cancelled' }
      : task.plot.state({
          polls: task.polls,
          elapsedMs: Date.now() - task.createdAt.getTime(),
          input: task.input,
        });
    task.polls += 1;
    if (state === undefined) {
      this.#tasks.delete(id);
      return unknownTask(id);
    }
    return { kind: 'result', result: { ...facts(id, task), ...state } };
  }
}

const ACKNOWLEDGED: Outcome = { kind: 'result', result: {} };

function facts(taskId: string, { createdAt, plot }: Task): JsonObject {
  return {
    taskId,
    createdAt: createdAt.toISOString(),
    lastUpdatedAt: new Date().toISOString(),
    ttlMs: 600_000,
    pollIntervalMs: plot.pollIntervalMs,
  };
}

function unknownTask(taskId: Json | undefined): Outcome {
  const message = `Task not found: ${JSON.stringify(taskId)}`;
  return { kind: 'error', error: { code: INVALID_PARAMS, message } };
}
