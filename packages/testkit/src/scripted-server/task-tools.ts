// Tools that return tasks: one for each outcome of a task, and one with a given plot.

import type { Json, JsonObject } from '@plugboard/base';
import { INTERNAL_ERROR, isJsonObject, objectOf } from './json-rpc.ts';
import type { Plot, TaskDesk } from './task-desk.ts';
import { structured, type Tool, type ToolCall } from './tool-call.ts';

const POLL_MS = 100;

export function taskTools(desk: TaskDesk): readonly Tool[] {
  const taskTool = (
    name: string,
    description: string,
    plotOf: (args: JsonObject) => Plot,
  ): Tool => ({
    definition: { name, description },
    makesTask: true,
    run: ({ args }: ToolCall) => desk.create(plotOf(args)),
  });
  return [
    taskTool('greet', 'Greets', ({ name }) => every(() => completed(`Hello, ${word(name)}!`))),
    taskTool('slow_compute', 'Takes some seconds', slowCompute),
    taskTool('failing_job', 'Fails as tools fail', () =>
      every(({ polls }) =>
        polls === 0 ? WORKING : completed('the job failed', { isError: true }),
      ),
    ),
    taskTool('protocol_error_job', 'Fails as requests fail', () =>
      every(({ polls }) => (polls === 0 ? WORKING : FAILED)),
    ),
    taskTool('confirm_delete', 'Asks before it deletes', confirmDelete),
    taskTool('job', 'Goes through the states it is given; null is forgotten', scriptedJob),
    {
      definition: { name: 'task_log', description: 'What was asked about tasks' },
      run: () => structured({ requests: desk.log }),
    },
  ];
}

const WORKING = { status: 'working', statusMessage: 'at it' };
const FAILED = {
  status: 'failed',
  statusMessage: 'it broke',
  error: { code: INTERNAL_ERROR, message: 'the job broke', data: { step: 1 } },
};

function slowCompute({ seconds }: JsonObject): Plot {
  const ms = Number(seconds ?? 0) * 1000;
  return every(({ elapsedMs }) => (elapsedMs < ms ? WORKING : completed('computed')));
}

function confirmDelete({ path }: JsonObject): Plot {
  const asking = {
    status: 'input_required',
    inputRequests: {
      confirm: {
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: `Delete ${word(path)}?`,
          requestedSchema: {
            type: 'object',
            properties: { confirm: { type: 'boolean' } },
            required: ['confirm'],
          },
        },
      },
    },
  };
  let seen = 0;
  return every(({ input }) => {
    if (input['confirm'] === undefined) return asking;
    // Servers need a moment to process an answer, and repeat the question until then.
    seen += 1;
    if (seen === 1) return asking;
    const { action, content } = objectOf(input['confirm']);
    const yes = action === 'accept' && objectOf(content)['confirm'] === true;
    return completed(`${yes ? 'deleted' : 'kept'} ${word(path)}`);
  });
}

/** `states`: the results of `tasks/get` in order; the last one is repeated. */
function scriptedJob({ states, pollIntervalMs }: JsonObject): Plot {
  const list: readonly Json[] = Array.isArray(states) ? (states as readonly Json[]) : [];
  return {
    pollIntervalMs: Number(pollIntervalMs ?? POLL_MS),
    state({ polls }) {
      const state = list[Math.min(polls, list.length - 1)];
      return isJsonObject(state) ? state : undefined;
    },
  };
}

function every(state: Plot['state']): Plot {
  return { pollIntervalMs: POLL_MS, state };
}

function word(value: Json | undefined): string {
  return typeof value === 'string' ? value : 'nobody';
}

function completed(text: string, more: JsonObject = {}): JsonObject {
  return { status: 'completed', result: { content: [{ type: 'text', text }], ...more } };
}
