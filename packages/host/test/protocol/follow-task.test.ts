import type { JSONRPCMessage, JSONRPCRequest, Transport } from '@modelcontextprotocol/client';
import { never } from '@plugboard/base';
import { ManualClock, verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkedPair } from '../../src/protocol/transport/in-process.ts';
import { followTask } from '../../src/protocol/tasks/follow-task.ts';
import { readHandle, readReport } from '../../src/protocol/tasks/read-task.ts';
import { TaskTransport } from '../../src/protocol/tasks/task-transport.ts';

describe('polling a task', () => {
  it('waits as long as the server states, with each answer', async () => {
    verifies('CAL-06');
    const clock = new ManualClock();
    const intervals = [3_000, 200];
    const polledAt: number[] = [];
    const end = followTask(
      { taskId: 't', pollMs: 1_000 },
      {
        clock,
        signal: never,
        seenKeys: new Set(),
        onReport: () => {},
        ask() {
          polledAt.push(clock.elapsed());
          const pollIntervalMs = intervals.shift();
          const result =
            pollIntervalMs === undefined
              ? { taskId: 't', status: 'completed', result: { content: [] } }
              : { taskId: 't', status: 'working', pollIntervalMs };
          return Promise.resolve({ kind: 'result', result });
        },
      },
    );
    await clock.advance(10_000);
    expect(await end).toEqual({ kind: 'completed', result: { content: [] } });
    expect(polledAt).toEqual([1_000, 4_000, 4_200]);
    expect(clock.pending).toBe(0);
  });

  it('always has a pause and always continues, whatever the server states', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (pollIntervalMs) => {
        const raw = { taskId: 't', status: 'working', pollIntervalMs };
        for (const read of [readHandle(raw), readReport(raw, 't')]) {
          expect(read.ok && read.value.pollMs >= 100 && read.value.pollMs <= 60_000).toBe(true);
        }
      }),
    );
  });

  it('accepts any answer of a server without throwing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (raw, taskId) => {
        readHandle(raw);
        readReport(raw, taskId);
      }),
    );
  });
});

describe('a transport that follows tasks', () => {
  it('passes messages of the legacy era through unchanged', async () => {
    const { tasks, heard } = await pair();
    using call = tasks.begin();
    const request = toolsCall(1, call.meta);
    void tasks.send(request);
    expect((await heard(1))[0]).toBe(request);
    await tasks.close();
  });

  it('cancels a task that the server creates after its call was aborted', async () => {
    const { tasks, heard, say, toClient } = await pair();
    using call = tasks.begin();
    void tasks.send(toolsCall(1, { ...call.meta, ...ENVELOPE }));
    await heard(1);
    await tasks.send(cancelled(1));
    await heard(2);
    say({ jsonrpc: '2.0', id: 1, result: { resultType: 'task', taskId: 't', status: 'working' } });
    const [, , last] = await heard(3);
    expect(last).toMatchObject({ method: 'tasks/cancel', params: { taskId: 't' } });
    expect(toClient).toEqual([]);
    say({ jsonrpc: '2.0', id: (last as JSONRPCRequest).id, result: { resultType: 'complete' } });
    await tasks.close();
  });

  it('makes one request at a time for a call', async () => {
    const { tasks } = await pair();
    using call = tasks.begin();
    void tasks.send(toolsCall(1, { ...call.meta, ...ENVELOPE }));
    const second = tasks.send(toolsCall(2, { ...call.meta, ...ENVELOPE }));
    await expect(second).rejects.toMatchObject({ code: 'call-in-use' });
    await tasks.close();
  });

  it('does not pass a second answer of a task call to the client', async () => {
    const { tasks, heard, say, toClient } = await pair();
    const call = tasks.begin();
    void tasks.send(toolsCall(1, { ...call.meta, ...ENVELOPE }));
    await heard(1);
    say({ jsonrpc: '2.0', id: 1, result: { resultType: 'task', taskId: 't', status: 'working' } });
    say({ jsonrpc: '2.0', id: 1, result: { resultType: 'complete', content: [] } });
    say({ jsonrpc: '2.0', method: 'notifications/message', params: {} });
    await until(() => toClient.length > 0);
    expect(toClient).toEqual([{ jsonrpc: '2.0', method: 'notifications/message', params: {} }]);
    call[Symbol.dispose]();
    const [, last] = await heard(2);
    expect(last).toMatchObject({ method: 'tasks/cancel', params: { taskId: 't' } });
    say({ jsonrpc: '2.0', id: (last as JSONRPCRequest).id, result: { resultType: 'complete' } });
    await tasks.close();
  });
});

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

interface Pair {
  readonly tasks: TaskTransport;
  readonly toClient: readonly JSONRPCMessage[];
  /** The messages that the server has received, once there are so many. */
  readonly heard: (count: number) => Promise<readonly JSONRPCMessage[]>;
  readonly say: (message: JSONRPCMessage) => void;
}

async function pair(): Promise<Pair> {
  const [ours, theirs]: readonly [Transport, Transport] = linkedPair();
  const tasks = new TaskTransport(ours, new ManualClock());
  const toClient: JSONRPCMessage[] = [];
  const toServer: JSONRPCMessage[] = [];
  tasks.onmessage = (message) => void toClient.push(message);
  theirs.onmessage = (message) => void toServer.push(message);
  await tasks.start();
  await theirs.start();
  return {
    tasks,
    toClient,
    async heard(count) {
      await until(() => toServer.length >= count);
      return toServer;
    },
    say: (message) => void theirs.send(message),
  };
}

/** Everything between linked transports happens on the microtask queue. */
async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 100 && !condition(); turn += 1) await Promise.resolve();
  expect(condition()).toBe(true);
}

function toolsCall(id: number, _meta: Record<string, unknown>): JSONRPCRequest {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'job', _meta } };
}

function cancelled(requestId: number): JSONRPCMessage {
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } };
}
