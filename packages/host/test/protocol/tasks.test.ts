import { SdkErrorCode } from '@modelcontextprotocol/client';
import { type Json, type JsonObject, Scope } from '@plugboard/base';
import { atSomePace, startScriptedHttp, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { FailureError, type ProtocolFailure } from '../../src/protocol/neutral/failure.ts';
import {
  connectPeer,
  type ElicitAnswer,
  httpTasks,
  taskCells,
  type TaskPeer,
} from './task-peers.ts';

const script = { tasks: true, eras: ['modern'] } as const;
const text = (value: string): JsonObject => ({ content: [{ type: 'text', text: value }] });

describe.each(taskCells)('a call that becomes a task, over $name', (cell) => {
  const peer = async (scope: Scope, elicit?: () => Promise<ElicitAnswer>): Promise<TaskPeer> =>
    connectPeer(await cell.transport(script, scope), scope, elicit === undefined ? {} : { elicit });

  it('is answered with the result of the task', async () => {
    verifies('CAL-06');
    await using scope = new Scope();
    const { call, asked } = await peer(scope);
    expect(await call('greet', { name: 'Ada' })).toMatchObject(text('Hello, Ada!'));
    expect(await asked(0)).toEqual([]);
  });

  it.each(['legacy', 'modern'] as const)(
    'is not used in the %s era, whose detection is unaffected',
    async (era) => {
      await using scope = new Scope();
      const transport = await cell.transport({ eras: [era] }, scope);
      const { call, client } = await connectPeer(transport, scope, { mode: 'auto' });
      expect(client.getProtocolEra()).toBe(era);
      expect(await call('echo', { message: 'hi' })).toMatchObject(text('hi'));
    },
  );

  it('does not affect calls that are answered at once', async () => {
    await using scope = new Scope();
    const { call } = await peer(scope);
    expect(await call('echo', { message: 'hi' })).toMatchObject(text('hi'));
    // The SDK's client drops progress that it reads together with the answer, as on a busy machine.
    await atSomePace(async (unitMs) => {
      const seen: number[] = [];
      const onprogress = ({ progress }: { progress: number }): void => void seen.push(progress);
      await call('sleep', { ms: unitMs, steps: 2 }, { onprogress });
      expect(seen).toEqual([1, 2]);
    });
  });

  it('distinguishes a failing tool from a failing request', async () => {
    await using scope = new Scope();
    const { call } = await peer(scope);
    expect(await call('failing_job', {})).toMatchObject({
      ...text('the job failed'),
      isError: true,
    });
    await expect(call('protocol_error_job', {})).rejects.toMatchObject({
      code: -32_603,
      message: expect.stringContaining('the job broke'),
      data: { step: 1 },
    });
  });

  it('survives its idle deadline while the server answers', async () => {
    verifies('CAL-06');
    await using scope = new Scope();
    const { call } = await peer(scope);
    await atSomePace(async (unitMs) => {
      const messages: (string | undefined)[] = [];
      const done = await call(
        'slow_compute',
        { seconds: (8 * unitMs) / 1000 },
        {
          timeout: 4 * unitMs,
          resetTimeoutOnProgress: true,
          onprogress: ({ message }) => void messages.push(message),
        },
      );
      expect(done).toMatchObject(text('computed'));
      expect(messages.length).toBeGreaterThan(3);
      expect(messages[0]).toBe('at it');
    });
  });

  it('asks for the input of a task once, however often the server repeats the request', async () => {
    verifies('CAL-06');
    await using scope = new Scope();
    let questions = 0;
    const { call, asked } = await peer(scope, () => {
      questions += 1;
      return Promise.resolve({ action: 'accept', content: { confirm: true } });
    });
    expect(await call('confirm_delete', { path: 'a.txt' })).toMatchObject(text('deleted a.txt'));
    expect(questions).toBe(1);
    expect(await asked(1)).toEqual([
      {
        method: 'tasks/update',
        taskId: expect.any(String),
        inputResponses: { confirm: { action: 'accept', content: { confirm: true } } },
      },
    ]);
  });

  it('cancels the task when the call is aborted, and the session continues', async () => {
    verifies('CAL-06');
    await using scope = new Scope();
    const { call, asked } = await peer(scope);
    const abort = new AbortController();
    const slow = call(
      'slow_compute',
      { seconds: 60 },
      { signal: abort.signal, onprogress: () => abort.abort() },
    );
    await expect(slow).rejects.toMatchObject({ code: SdkErrorCode.RequestTimeout });
    expect(await asked(1)).toEqual([{ method: 'tasks/cancel', taskId: expect.any(String) }]);
  });

  it('cancels the task at the hard deadline of the call', async () => {
    await atSomePace(async (unitMs) => {
      await using scope = new Scope();
      const { call, asked } = await peer(scope);
      let heard = 0;
      const options = {
        timeout: 4 * unitMs,
        maxTotalTimeout: 5 * unitMs,
        resetTimeoutOnProgress: true,
        onprogress: () => void (heard += 1),
      };
      await expect(call('slow_compute', { seconds: 60 }, options)).rejects.toMatchObject({
        code: SdkErrorCode.RequestTimeout,
      });
      // Before that, the client has no task.
      expect(heard).toBeGreaterThan(0);
      expect(await asked(1)).toEqual([{ method: 'tasks/cancel', taskId: expect.any(String) }]);
    });
  });

  it('cancels the task when the call is aborted while its question is open', async () => {
    await using scope = new Scope();
    const abort = new AbortController();
    const { call, asked } = await peer(scope, () => {
      abort.abort();
      return Promise.reject(new Error('nobody answers'));
    });
    await expect(
      call('confirm_delete', { path: 'a.txt' }, { signal: abort.signal }),
    ).rejects.toThrow();
    expect(await asked(1)).toEqual([{ method: 'tasks/cancel', taskId: expect.any(String) }]);
  });

  it('fails when the connection is lost, without waiting for its deadline', async () => {
    verifies('CAL-06');
    await using scope = new Scope();
    const { call, plainCall } = await peer(scope);
    let isExiting = false;
    const onprogress = (): void => {
      if (isExiting) return;
      isExiting = true;
      // The server exits without an answer; how this call fails does not matter here.
      plainCall('exit', {}).catch(() => {});
    };
    const lost = await call('slow_compute', { seconds: 60 }, { onprogress }).catch(
      (thrown: unknown) => thrown,
    );
    expect(cell.name === 'http' ? failureOf(lost).kind : lost).toEqual(
      cell.name === 'http'
        ? 'unreachable'
        : expect.objectContaining({ code: SdkErrorCode.ConnectionClosed }),
    );
  });
});

describe.each(taskCells)('a misbehaving server with tasks, over $name', (cell) => {
  const job = async (states: readonly Json[], scope: Scope) => {
    const peer = await connectPeer(await cell.transport(script, scope), scope, {
      elicit: () => Promise.resolve({ action: 'accept', content: { confirm: true } }),
    });
    const outcome = await peer
      .call('job', { states, pollIntervalMs: 1 })
      .catch((thrown: unknown) => thrown);
    return { outcome, asked: peer.asked };
  };
  const cancelled = [{ method: 'tasks/cancel', taskId: expect.any(String) }];

  it('that forgets a task ends its call', async () => {
    verifies('CAL-06');
    await using scope = new Scope();
    const { outcome, asked } = await job([{ status: 'working' }, null], scope);
    expect(outcome).toMatchObject({ code: -32_602 });
    expect(await asked(0)).toEqual([]);
  });

  it('that cancels a task ends its call with the reason', async () => {
    await using scope = new Scope();
    const { outcome } = await job([{ status: 'cancelled', statusMessage: 'maintenance' }], scope);
    expect(outcome).toMatchObject({
      code: -32_000,
      message: expect.stringContaining('maintenance'),
    });
  });

  it.each([
    ['an unknown status', { status: 'pondering' }, 'the task has the unknown status "pondering"'],
    ['no result', { status: 'completed' }, 'the task is completed and has no result'],
    ['very many questions', manyQuestions(), 'it asks for input more than 1000 times at once'],
    ['no questions', { status: 'input_required' }, 'the task needs input and does not say which'],
    [
      'the state of another task',
      { status: 'completed', taskId: 'foreign', result: { content: [] } },
      'the answer is about another task',
    ],
  ])(
    'that sends a task with %s fails its call, and the task is cancelled',
    async (_, state, detail) => {
      await using scope = new Scope();
      const { outcome, asked } = await job([{ status: 'working' }, state], scope);
      expect(failureOf(outcome)).toEqual({ kind: 'invalid-result', detail });
      expect(await asked(1)).toEqual(cancelled);
    },
  );

  it('that asks again and again is given up after ten answers', async () => {
    await using scope = new Scope();
    const states = Array.from({ length: 12 }, (_, index) => question(`key-${index}`));
    const { outcome, asked } = await job(states, scope);
    expect(outcome).toBeInstanceOf(Error);
    expect((await asked(11)).map(({ method }) => method)).toEqual([
      ...Array.from({ length: 10 }, () => 'tasks/update'),
      'tasks/cancel',
    ]);
  });

  it('that sends an unrequested task fails its call, and the task is not followed', async () => {
    await using scope = new Scope();
    const phantom = {
      name: 'phantom',
      result: { resultType: 'task', taskId: 'phantom', status: 'working' },
    };
    const transport = await cell.transport({ ...script, tools: [phantom] }, scope);
    const { plainCall } = await connectPeer(transport, scope);
    await expect(plainCall('phantom', {})).rejects.toMatchObject({
      code: SdkErrorCode.UnsupportedResultType,
    });
    await expect(plainCall('slow_compute', {})).rejects.toMatchObject({ code: -32_021 });
    const log = await plainCall('task_log', {});
    expect(log).toMatchObject({ structuredContent: { requests: [] } });
  });

  it('that sends a task without an id fails its call', async () => {
    await using scope = new Scope();
    const nameless = { name: 'nameless', result: { resultType: 'task', status: 'working' } };
    const transport = await cell.transport({ ...script, tools: [nameless] }, scope);
    const { call } = await connectPeer(transport, scope);
    const outcome = await call('nameless', {}).catch((thrown: unknown) => thrown);
    expect(failureOf(outcome)).toEqual({ kind: 'invalid-result', detail: 'the task has no id' });
  });
});

describe('tasks over http', () => {
  it('survive a short outage between two polls', async () => {
    await using scope = new Scope();
    const http = { methods: ['tasks/get'], times: 2, status: 502 } as const;
    const server = scope.use(await startScriptedHttp({ ...script, http }));
    const { call } = await connectPeer(httpTasks(server.url), scope);
    expect(await call('greet', { name: 'Ada' })).toMatchObject(text('Hello, Ada!'));
  });

  it('send the id of the task in a header, so that requests reach the server that has it', async () => {
    await using scope = new Scope();
    const server = scope.use(await startScriptedHttp(script));
    const { call } = await connectPeer(httpTasks(server.url), scope);
    await call('greet', { name: 'Ada' });
    const poll = server.requests.find(({ rpcMethod }) => rpcMethod === 'tasks/get');
    const { params } = JSON.parse(poll?.body ?? '{}') as { params: { taskId: string } };
    expect(poll?.headers).toMatchObject({ 'mcp-method': 'tasks/get', 'mcp-name': params.taskId });
  });

  it('are cancelled when the connection is closed', async () => {
    await using scope = new Scope();
    const server = scope.use(await startScriptedHttp(script));
    const { call, client } = await connectPeer(httpTasks(server.url), scope);
    const onprogress = (): void => void client.close();
    await expect(call('slow_compute', { seconds: 60 }, { onprogress })).rejects.toMatchObject({
      code: SdkErrorCode.ConnectionClosed,
    });
    expect(server.requests.map(({ rpcMethod }) => rpcMethod)).toContain('tasks/cancel');
  });
});

function failureOf(thrown: unknown): ProtocolFailure {
  expect(thrown).toBeInstanceOf(FailureError);
  return (thrown as FailureError).failure;
}

function manyQuestions(): JsonObject {
  const keys = Array.from({ length: 1001 }, (_, index) => [`key-${index}`, {}] as const);
  return { status: 'input_required', inputRequests: Object.fromEntries(keys) };
}

function question(key: string): JsonObject {
  const requestedSchema = {
    type: 'object',
    properties: { confirm: { type: 'boolean' } },
    required: ['confirm'],
  };
  const params = { mode: 'form', message: 'Sure?', requestedSchema };
  return {
    status: 'input_required',
    inputRequests: { [key]: { method: 'elicitation/create', params } },
  };
}
