import { Scope } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGateway, requestOf, rpcErrorOf, serverOf } from './cells.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const EXTENSION = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const PLACES = [
  { at: 'all servers', path: '', prefix: 'one__' },
  { at: 'one server', path: '/one', prefix: '' },
];

describe.each(PLACES)('at the address of $at', ({ path, prefix }) => {
  it('a legacy client runs calls as tasks of 2025-11-25 that no other client sees', async () => {
    verifies('GWY-01');
    const servers = { one: serverOf('legacy', { tasks: true, builtIns: ['echo'] }) };
    const { connect } = await openGateway(scope, { servers });
    const client = await connect('legacy', { path });
    const call = { name: `${prefix}echo`, arguments: { message: 'done' }, task: { ttl: 1000 } };
    const { task } = (await requestOf(client, 'tools/call', call)) as unknown as {
      readonly task: { readonly taskId: string };
    };
    const { taskId } = task;
    expect(await requestOf(client, 'tasks/get', { taskId })).toMatchObject({
      taskId,
      status: 'completed',
    });
    expect(await requestOf(client, 'tasks/result', { taskId })).toMatchObject({
      content: [{ type: 'text', text: 'done' }],
      _meta: { 'io.modelcontextprotocol/related-task': { taskId } },
    });
    expect(await requestOf(client, 'tasks/list')).toMatchObject({ tasks: [{ taskId }] });
    const stranger = await connect('legacy', { path });
    expect(await requestOf(stranger, 'tasks/list')).toEqual({ tasks: [] });
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
      const refused = requestOf(stranger, method, { taskId });
      expect(await rpcErrorOf(refused)).toMatchObject({ code: -32_602 });
    }
    expect(await requestOf(client, 'tasks/cancel', { taskId })).toMatchObject({
      status: 'cancelled',
    });
  });

  it('a modern client follows tasks of the extension that no other principal sees', async () => {
    verifies('GWY-01');
    const servers = { one: serverOf('modern', { tasks: true, builtIns: [] }) };
    const { gateway } = await openGateway(scope, { servers });
    const tokens = new Map([
      ['token-of-ada', 'ada'],
      ['token-of-bob', 'bob'],
    ]);
    const { url } = await gateway.listen({ tokens });
    const ada = modernClient(`${url}${path}`, 'token-of-ada');
    const bob = modernClient(`${url}${path}`, 'token-of-bob');
    const call = { name: `${prefix}confirm_delete`, arguments: { path: 'x' } };
    const { result: made } = await ada('tools/call', call);
    expect(made).toMatchObject({ resultType: 'task', status: 'working' });
    const { taskId } = made as { readonly taskId: string };
    const { result: asking } = await ada('tasks/get', { taskId });
    expect(asking).toMatchObject({ status: 'input_required', inputRequests: { confirm: {} } });
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const { error } = await bob(method, { taskId, inputResponses: {} });
      expect(error).toMatchObject({ code: -32_602 });
    }
    for (const method of ['tasks/result', 'tasks/list']) {
      expect((await ada(method, { taskId }))['error']).toMatchObject({ code: -32_601 });
    }
    const inputResponses = { confirm: { action: 'accept', content: { confirm: true } } };
    expect(await ada('tasks/update', { taskId, inputResponses })).toHaveProperty('result');
    const states = [await ada('tasks/get', { taskId }), await ada('tasks/get', { taskId })];
    expect(states.at(-1)?.['result']).toMatchObject({
      status: 'completed',
      result: { content: [{ text: 'deleted x' }] },
    });
    expect(await ada('tasks/cancel', { taskId })).toHaveProperty('result');
  });
});

/** Written by hand, since the official client does not support tasks of the extension. */
function modernClient(
  url: string,
  token: string,
): (method: string, params: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown>> {
  let id = 0;
  return async (method, params) => {
    const name = params['taskId'] ?? params['name'];
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        Authorization: `Bearer ${token}`,
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': method,
        'Mcp-Name': String(name),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: (id += 1),
        method,
        params: {
          ...params,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': EXTENSION,
          },
        },
      }),
    });
    return (await response.json()) as Record<string, unknown>;
  };
}
