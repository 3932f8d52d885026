// Tasks of revision 2025-11-25: a client runs a call as a task, and requests its state and its result.

import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@plugboard/base';
import { type IncomingRequest, INVALID_PARAMS } from './json-rpc.ts';
import type { Outcome } from './tool-call.ts';

interface LegacyTask {
  readonly outcome: Promise<Outcome>;
  status: 'working' | 'completed' | 'cancelled';
}

export class LegacyTasks {
  static readonly capability: JsonObject = {
    list: {},
    cancel: {},
    requests: { tools: { call: {} } },
  };
  readonly #tasks = new Map<string, LegacyTask>();

  /** The reply to a call that becomes a task. */
  create(running: Outcome | Promise<Outcome>): Outcome {
    const id = randomUUID();
    const task: LegacyTask = { outcome: Promise.resolve(running), status: 'working' };
    this.#tasks.set(id, task);
    void task.outcome.then(() => {
      if (task.status === 'working') task.status = 'completed';
    });
    return { kind: 'result', result: { task: facts(id, task) } };
  }

  /** `undefined` if the request is not about tasks. */
  answer({ method, params }: IncomingRequest): Outcome | Promise<Outcome> | undefined {
    if (method === 'tasks/list') {
      return { kind: 'result', result: { tasks: [...this.#tasks].map((each) => facts(...each)) } };
    }
    if (!method.startsWith('tasks/')) return undefined;
    const { taskId } = params;
    const task = typeof taskId === 'string' ? this.#tasks.get(taskId) : undefined;
    if (typeof taskId !== 'string' || task === undefined) {
      return { kind: 'error', error: { code: INVALID_PARAMS, message: 'Task not found' } };
    }
    switch (method) {
      case 'tasks/result':
        return task.outcome.then((outcome) => related(taskId, outcome));
      case 'tasks/cancel':
        task.status = 'cancelled';
        return { kind: 'result', result: facts(taskId, task) };
      case 'tasks/get':
        return { kind: 'result', result: facts(taskId, task) };
      default:
        return undefined;
    }
  }
}

function facts(taskId: string, { status }: LegacyTask): JsonObject {
  const at = '2026-01-01T00:00:00.000Z';
  return { taskId, status, createdAt: at, lastUpdatedAt: at, ttl: 600_000, pollInterval: 100 };
}

function related(taskId: string, outcome: Outcome): Outcome {
  if (outcome.kind !== 'result') return outcome;
  const _meta = { 'io.modelcontextprotocol/related-task': { taskId } };
  return { kind: 'result', result: { ...outcome.result, _meta } };
}
