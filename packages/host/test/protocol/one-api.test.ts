// The same code for servers of both eras: sessions hide their differences.

import { type Json, type JsonObject, never, Scope } from '@plugboard/base';
import { verifies, waitUntil } from '@plugboard/testkit';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import {
  type Answer,
  type Era,
  open,
  type Question,
  type Session,
} from '../../src/protocol/index.ts';
import {
  type BareReply,
  type BareRequest,
  type BareScript,
  eventOf,
  startBareHttp,
} from './bare-http-server.ts';
import { openOrThrow, ports } from './cells.ts';

const patient = { signal: never, idleMs: 60_000, hardMs: 60_000 };
const ERAS: readonly Era[] = ['legacy', 'modern'];

const requestedSchema: JsonObject = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'nobody' },
    age: { type: 'integer', default: 30 },
    sure: { type: 'boolean' },
  },
};
const question: JsonObject = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Who are you?', requestedSchema },
};
const STATE = 'opaque {"not":"for us"} ';

/** A server that requests input before it answers, in the way of its era, and returns the input. */
function asking(era: Era): BareScript {
  let waiting: { readonly id: number; readonly response: ServerResponse } | undefined;
  return (request: BareRequest): BareReply | undefined => {
    const { id = 0, method, params, message } = request;
    if (era === 'legacy') {
      if (method === 'tools/call') {
        return {
          kind: 'events',
          write(response) {
            waiting = { id, response };
            response.write(eventOf({ jsonrpc: '2.0', id: 'question', ...question }));
          },
        };
      }
      if (message['id'] !== 'question' || waiting === undefined) return undefined;
      const result = toldBy(message['result'] as JsonObject);
      waiting.response.end(eventOf({ jsonrpc: '2.0', id: waiting.id, result }));
      return undefined;
    }
    if (method !== 'tools/call') return undefined;
    const { inputResponses } = params as { readonly inputResponses?: Record<string, JsonObject> };
    return {
      kind: 'result',
      result:
        inputResponses === undefined
          ? {
              resultType: 'input_required',
              inputRequests: { who: question },
              requestState: STATE,
            }
          : { resultType: 'complete', ...toldBy(inputResponses['who'] ?? {}) },
    };
  };
}

/** A server whose list changes with every call, and which announces it in the way of its era. */
function changing(era: Era): { readonly script: BareScript; readonly isWatched: () => boolean } {
  let stream: ServerResponse | undefined;
  const meta = { _meta: { 'io.modelcontextprotocol/subscriptionId': 0 } };
  const say = (method: string, params: JsonObject): void =>
    void stream?.write(eventOf({ jsonrpc: '2.0', method, params: { ...params, ...meta } }));
  return {
    isWatched: () => stream !== undefined,
    script({ httpMethod, id = 0, method }) {
      if (httpMethod === 'GET' || method === 'subscriptions/listen') {
        meta._meta['io.modelcontextprotocol/subscriptionId'] = id;
        const write = (response: ServerResponse): void => {
          stream = response;
          response.write(': open\n\n');
          if (era === 'legacy') return;
          const notifications = { toolsListChanged: true };
          say('notifications/subscriptions/acknowledged', { notifications });
        };
        return { kind: 'events', write };
      }
      if (method !== 'tools/call') return undefined;
      say('notifications/tools/list_changed', {});
      return { kind: 'result', result: { resultType: 'complete', content: [] } };
    },
  };
}

function toldBy(answer: JsonObject): JsonObject {
  return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
}

async function askedSession(
  era: Era,
  scope: Scope,
  answer: Answer,
): Promise<{
  readonly session: Session;
  readonly asked: readonly Question[];
  readonly requests: readonly BareRequest[];
}> {
  const asked: Question[] = [];
  const server = await startBareHttp(era, asking(era), scope);
  const inbound = {
    elicit: (asks: Question): Promise<Answer> => {
      asked.push(asks);
      return Promise.resolve(answer);
    },
  };
  const options = { signal: scope.signal, timeoutMs: 60_000 };
  const opened = await open(server.launch, options, { ...ports, inbound });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  scope.defer(() => opened.value.close());
  return { session: opened.value, asked, requests: server.requests };
}

describe.each(ERAS)('the API for the %s era', (era) => {
  it('makes calls and reports changed lists', async () => {
    verifies('TRN-09');
    await using scope = new Scope();
    const { script, isWatched } = changing(era);
    const server = await startBareHttp(era, script, scope);
    const session = await openOrThrow(server.launch, scope);
    const changed: string[] = [];
    using _watch = session.watchLists((list) => changed.push(list));
    await waitUntil(isWatched, { describe: 'the stream of changes' });
    expect(await session.callTool({ name: 'change', arguments: {} }, patient)).toEqual({
      ok: true,
      value: { content: [], isError: false },
    });
    await waitUntil(() => changed.length > 0, { describe: 'the change' });
    expect(changed).toEqual(['tools']);
  });

  it('passes an elicitation on, and the answer back', async () => {
    verifies('TRN-09');
    await using scope = new Scope();
    const accept: Answer = { kind: 'accept', content: { age: 7 } };
    const { session, asked } = await askedSession(era, scope, accept);
    const called = await session.callTool({ name: 'ask', arguments: { a: 1 } }, patient);
    expect(asked).toEqual([{ kind: 'form', message: 'Who are you?', schema: requestedSchema }]);
    expect(toldIn(called)).toEqual({ action: 'accept', content: { age: 7 } });
  });

  it.each(['decline', 'cancel'] as const)('passes a refusal on as given: %s', async (kind) => {
    await using scope = new Scope();
    const { session } = await askedSession(era, scope, { kind });
    const called = await session.callTool({ name: 'ask', arguments: {} }, patient);
    expect(toldIn(called)).toEqual({ action: kind });
  });
});

function toldIn(called: Awaited<ReturnType<Session['callTool']>>): Json | undefined {
  const [block] = called.ok ? called.value.content : [];
  return block?.type === 'text' ? (JSON.parse(block.text) as Json) : undefined;
}

describe('the second round of a modern call', () => {
  it('repeats the request under another id, with the state as it was', async () => {
    await using scope = new Scope();
    const accept: Answer = { kind: 'accept', content: {} };
    const { session, requests } = await askedSession('modern', scope, accept);
    await session.callTool({ name: 'ask', arguments: { a: 1 } }, patient);
    const [first, second] = requests.filter(({ method }) => method === 'tools/call');
    expect(second?.id).not.toBe(first?.id);
    expect(first?.params).not.toHaveProperty('requestState');
    const { name, arguments: given, requestState } = second?.params ?? {};
    expect({ name, given, requestState }).toEqual({
      name: 'ask',
      given: { a: 1 },
      requestState: STATE,
    });
  });
});

describe('a legacy stream that ends before its answer', () => {
  it('is not reopened without a pause, whatever retry time the server states', async () => {
    await using scope = new Scope();
    const opened: number[] = [];
    const server = await startBareHttp(
      'legacy',
      ({ httpMethod }) => {
        if (httpMethod !== 'GET') return undefined;
        opened.push(performance.now());
        const retry = opened.length === 1 ? '0' : '9'.repeat(20);
        const write = (response: ServerResponse): void => {
          response.end(`id: a\nretry: ${retry}\ndata: \n\n`);
        };
        return { kind: 'events', write };
      },
      scope,
    );
    await openOrThrow(server.launch, scope);
    await waitUntil(() => opened.length > 1, { describe: 'the second stream' });
    expect(opened[1]! - opened[0]!).toBeGreaterThan(200);
  });

  it('is resumed where it ended, after the retry time of the server', async () => {
    verifies('TRN-02');
    await using scope = new Scope();
    let callId = 0;
    const server = await startBareHttp(
      'legacy',
      ({ httpMethod, method, id = 0, headers }) => {
        if (method === 'tools/call') {
          callId = id;
          const write = (response: ServerResponse): void => {
            response.end('id: first\nretry: 20\ndata: \n\n');
          };
          return { kind: 'events', write };
        }
        if (httpMethod !== 'GET' || headers['last-event-id'] !== 'first') return undefined;
        const answer = { jsonrpc: '2.0', id: callId, result: { content: [] } };
        const write = (response: ServerResponse): void =>
          void response.write(eventOf(answer, 'second'));
        return { kind: 'events', write };
      },
      scope,
    );
    const session = await openOrThrow(server.launch, scope);
    expect(await session.callTool({ name: 'any', arguments: {} }, patient)).toEqual({
      ok: true,
      value: { content: [], isError: false },
    });
  });
});
