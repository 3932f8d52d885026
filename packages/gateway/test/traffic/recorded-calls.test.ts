// The records of requests of real clients to real servers, in all four cells and over every front.

import { Scope } from '@plugboard/base';
import { verifies, waitUntil } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Gateway } from '../../src/index.ts';
import type { CallDetail, MessageView } from '../../src/console-api.ts';
import { cells, frontCells, openGateway, serverOf } from '../cells.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const recording = {};

/** The last recorded request of a method, once it has ended. */
async function recorded(gateway: Gateway, method: string): Promise<CallDetail> {
  const { recorder } = gateway;
  if (recorder === undefined) throw new Error('the gateway does not record');
  const find = () => recorder.calls({ limit: 100 }).find((call) => call.method === method);
  await waitUntil(() => (find()?.state ?? 'running') !== 'running', { describe: method });
  return recorder.call(find()?.id ?? '') as CallDetail;
}

function shown({ hop, direction, era, kind, method }: MessageView): readonly unknown[] {
  return [hop, direction, era, kind, method];
}

describe.each(frontCells)('a recorded call of a $name', ({ front, client: clientEra, server }) => {
  it('has its messages on both hops, and the decision about it', async () => {
    verifies('CON-UI');
    const servers = { one: serverOf(server) };
    const { gateway, connect } = await openGateway(scope, { servers }, { recording });
    const client = await connect(clientEra, { front });
    await client.callTool({ name: 'one__echo', arguments: { message: 'hi' } });
    const call = await recorded(gateway, 'tools/call');
    expect(call).toMatchObject({
      clientName: 'official',
      clientEra,
      method: 'tools/call',
      subject: 'echo',
      server: 'one',
      serverEra: server,
      state: 'ok',
      messages: 4,
      attempts: 1,
      decision: { kind: 'ask', answer: 'allowed' },
      hooks: [],
    });
    expect(call.ms).toBeGreaterThan(0);
    expect(call.trace.map(shown)).toEqual([
      ['client', 'to-server', clientEra, 'request', 'tools/call'],
      ['server', 'to-server', server, 'request', 'tools/call'],
      ['server', 'to-client', server, 'result', undefined],
      ['client', 'to-client', clientEra, 'result', undefined],
    ]);
    expect(call.trace[0]?.body).toContain('"name":"one__echo"');
    expect(call.trace[1]?.body).toContain('"name":"echo"');
    expect(call.trace[3]?.body).toContain('"text":"hi"');
    expect(call.trace[0]?.headers !== undefined).toBe(front === 'http');
  });
});

const FORM = {
  message: 'What is your name?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
};

describe.each(cells)('a recorded call of a $name', ({ client: clientEra, server }) => {
  it('has the questions of the server and the answers of the client', async () => {
    verifies('CON-UI');
    const servers = { one: serverOf(server, { asking: true }) };
    const { gateway, connect } = await openGateway(scope, { servers }, { recording });
    const client = await connect(clientEra, {
      capabilities: { elicitation: { form: {} } },
      prepare: (made) =>
        made.setRequestHandler('elicitation/create', () => ({
          action: 'accept',
          content: { name: 'Ada' },
        })),
    });
    await client.callTool({
      name: 'one__ask',
      arguments: { method: 'elicitation/create', params: FORM },
    });
    const calls = gateway.recorder?.calls({ limit: 10 }) ?? [];
    const traces = calls
      .filter(({ method }) => method === 'tools/call')
      .toReversed()
      .flatMap(({ id }) => gateway.recorder?.call(id)?.trace ?? []);
    expect(traces.map(({ hop, direction }) => `${hop} ${direction}`)).toEqual([
      'client to-server',
      'server to-server',
      'server to-client',
      'client to-client',
      'client to-server',
      'server to-server',
      'server to-client',
      'client to-client',
    ]);
    expect(traces[3]?.body).toContain(FORM.message);
    expect(traces[5]?.body).toContain('Ada');
    expect(traces[7]?.body).toContain('Ada');
  });

  it('has the reason for a failure', async () => {
    verifies('CON-UI');
    const servers = { one: serverOf(server) };
    const { gateway, connect } = await openGateway(scope, { servers }, { recording });
    const client = await connect(clientEra);
    await client.callTool({ name: 'one__exit', arguments: { code: 7 } });
    const call = await recorded(gateway, 'tools/call');
    expect(call).toMatchObject({ state: 'error', server: 'one', subject: 'exit' });
    expect(call.problem).toContain('7');
    expect(gateway.recorder?.server('one')).toEqual({ calls: 1, failed: 1, latencies: [null] });
  });

  it('is cancelled if its client cancels it', async () => {
    verifies('CON-UI');
    const servers = { one: serverOf(server) };
    const { gateway, connect } = await openGateway(scope, { servers }, { recording });
    const client = await connect(clientEra);
    await client.listTools();
    const cancelled = new AbortController();
    const calling = client.callTool(
      { name: 'one__sleep', arguments: { ms: 600_000 } },
      { signal: cancelled.signal, onprogress: () => cancelled.abort() },
    );
    await expect(calling).rejects.toThrow();
    const call = await recorded(gateway, 'tools/call');
    expect(call.state).toBe('cancelled');
    expect(call.trace.map(({ method }) => method)).toContain('notifications/progress');
  });
});

describe('a recorded call', () => {
  it('is denied if a rule denies it, and names the rule', async () => {
    verifies('CON-UI');
    const { gateway, connect } = await openGateway(
      scope,
      { servers: { one: serverOf('legacy') }, permissions: { deny: ['one/echo'] } },
      { recording },
    );
    const client = await connect('legacy');
    await client.callTool({ name: 'one__echo', arguments: { message: 'hi' } });
    const call = await recorded(gateway, 'tools/call');
    expect(call).toMatchObject({ state: 'denied', attempts: 0, messages: 2 });
    expect(call.decision).toMatchObject({ kind: 'deny', rule: 'one/echo' });
  });

  it('hides secrets in bodies and headers', async () => {
    verifies('CON-UI');
    const token = 'tops3cret-of-the-client';
    const { gateway } = await openGateway(
      scope,
      { servers: { one: serverOf('legacy') } },
      { recording },
    );
    const { url } = await gateway.listen({ tokens: new Map([[token, 'me']]) });
    const headers = {
      Authorization: `Bearer ${token}`,
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
    };
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1', apiKey: token },
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const answered = await fetch(url, { method: 'POST', headers, body });
    const session = answered.headers.get('mcp-session-id') ?? '';
    await answered.text();
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' });
    const within = { ...headers, 'Mcp-Session-Id': session, Cookie: `id=${token}` };
    await (await fetch(url, { method: 'POST', headers: within, body: ping })).text();
    const pinged = await recorded(gateway, 'ping');
    const began = await recorded(gateway, 'initialize');
    expect(JSON.stringify([pinged, began])).not.toContain(token);
    expect(JSON.stringify(pinged)).not.toContain(session);
    expect(pinged.trace[0]?.headers).toMatchObject({
      authorization: '(hidden)',
      cookie: '(hidden)',
      'mcp-session-id': '(hidden)',
      'content-type': 'application/json',
    });
    expect(pinged).toMatchObject({ clientName: 'raw', server: undefined, state: 'ok' });
    // Another principal sees no calls.
    expect(gateway.recorder?.call(pinged.id, 'me')).toBeDefined();
    expect(gateway.recorder?.call(pinged.id, 'you')).toBeUndefined();
    expect(gateway.recorder?.calls({ limit: 10, principal: 'you' })).toEqual([]);
  });

  it('does not exist if the gateway does not record', async () => {
    verifies('CON-UI');
    const { gateway } = await openGateway(scope, { servers: { one: serverOf('legacy') } });
    expect(gateway.recorder).toBeUndefined();
  });
});
