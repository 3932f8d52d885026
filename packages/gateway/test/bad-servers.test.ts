import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { Scope } from '@plugboard/base';
import { startScriptedHttp, verifies, waitUntil } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cells, openGateway, serverOf } from './cells.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

describe.each(cells)('a gateway between a $name', ({ client: clientEra, server: serverEra }) => {
  const good = serverOf(serverEra, { builtIns: ['echo'] });

  it('lists and calls good servers beside those that hang, crash or want a sign-in', async () => {
    verifies('GWY-01');
    const locked = scope.use(await startScriptedHttp({ eras: [serverEra], http: { status: 401 } }));
    const { connect, gateway } = await openGateway(
      scope,
      {
        servers: {
          good,
          hanging: { ...serverOf(serverEra, { silent: true }), connectTimeout: 600_000 },
          crashing: serverOf(serverEra, { exitAtStart: { exit: 3, stderr: 'no licence' } }),
          locked: { type: 'http', url: locked.url },
        },
      },
      { listWaitMs: 3000 },
    );
    const client = await connect(clientEra);
    const listed = async (): Promise<readonly string[]> =>
      (await client.listTools()).tools.map(({ name }) => name);
    // On a busy machine, a good server may start after the list.
    await waitUntil(async () => (await listed()).length > 0, { describe: 'the good server' });
    expect(await listed()).toEqual(['good__echo']);
    const result = await client.callTool({ name: 'good__echo', arguments: { message: 'hi' } });
    expect(result.content).toEqual([{ type: 'text', text: 'hi' }]);
    const hanging = gateway.host.servers.find(({ name }) => name === 'hanging');
    expect(hanging?.state.kind).toBe('connecting');
    const said = async (name: string): Promise<string> => {
      const { isError, content } = await client.callTool({ name });
      return JSON.stringify({ isError, content });
    };
    expect(await said('crashing__any')).toMatch(
      /"isError":true.*no licence.*plugboard doctor crashing/,
    );
    expect(await said('locked__any')).toMatch(/"isError":true.*plugboard login locked/);
  });

  it('answers the first request of a client before any server was started', async () => {
    verifies('GWY-01');
    const hanging = { ...serverOf(serverEra, { silent: true }), connectTimeout: 600_000 };
    const { connect, gateway } = await openGateway(scope, { servers: { hanging, good } });
    const client = await connect(clientEra);
    expect(client.getServerCapabilities()).toMatchObject({ tools: { listChanged: true } });
    expect(gateway.host.servers.map(({ state }) => state.kind)).toEqual(['idle', 'idle']);
  });

  it('explains at the endpoint of a server why it is unreachable, without naming a tool', async () => {
    const crashing = serverOf(serverEra, { exitAtStart: { exit: 3, stderr: 'no licence' } });
    const { connect } = await openGateway(scope, { servers: { crashing } });
    // The official modern client has its own error message.
    const words =
      clientEra === 'legacy'
        ? /initialize gave no result: server crashing .*no licence/s
        : /Version negotiation failed/;
    await expect(connect(clientEra, { path: '/crashing' })).rejects.toThrow(words);
  });

  it('answers a call to a server that hangs while it starts after one attempt', async () => {
    const hanging = { ...serverOf(serverEra, { silent: true }), connectTimeout: 1000 };
    const { connect, gateway } = await openGateway(scope, { servers: { hanging } });
    const states: string[] = [];
    gateway.host.on((event) => {
      if (event.kind === 'state') states.push(event.server.state.kind);
    });
    const client = await connect(clientEra);
    const { isError, content } = await client.callTool({ name: 'hanging__any' });
    expect(JSON.stringify({ isError, content })).toMatch(
      /"isError":true.*did not answer within 1000 ms.*plugboard doctor hanging/,
    );
    expect(states).toEqual(['connecting', 'failed']);
  });

  it('makes one attempt for successive clients of a server that hangs', async () => {
    let asked = 0;
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const server = scope.use(
      await startScriptedHttp({ eras: [serverEra] }, async () => {
        asked += 1;
        await ended;
        return 'passed';
      }),
    );
    scope.defer(() => end());
    const hanging = { type: 'http', url: server.url, connectTimeout: 3000 } as const;
    const { connect } = await openGateway(scope, { servers: { hanging } });
    await expect(connect(clientEra, { path: '/hanging' })).rejects.toThrow();
    const before = asked;
    expect(before).toBeGreaterThan(0);
    await expect(connect(clientEra, { path: '/hanging' })).rejects.toThrow();
    expect(asked).toBe(before);
  });

  it('announces a server that is late, and lists it from then on', async () => {
    verifies('GWY-01');
    let arrive = (): void => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const library = { prompts: [{ name: 'p' }] };
    const server = scope.use(
      await startScriptedHttp({ eras: [serverEra], builtIns: ['echo'], library }, async () => {
        await arrived;
        return 'passed';
      }),
    );
    const late = { type: 'http', url: server.url, connectTimeout: 600_000 } as const;
    const { connect } = await openGateway(scope, { servers: { late } }, { listWaitMs: 1 });
    const changed: string[] = [];
    const client = await connect(clientEra, {
      prepare: (made) => {
        for (const list of ['tools', 'prompts'] as const) {
          made.setNotificationHandler(`notifications/${list}/list_changed`, () => {
            changed.push(list);
          });
        }
      },
    });
    if (clientEra === 'modern') {
      await client.listen({ toolsListChanged: true, promptsListChanged: true });
    }
    expect((await client.listTools()).tools).toEqual([]);
    expect((await client.listPrompts()).prompts).toEqual([]);
    arrive();
    await waitUntil(() => changed.includes('tools') && changed.includes('prompts'), {
      describe: 'the announcements',
    });
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('late__echo');
    await waitUntil(
      async () => (await client.listPrompts()).prompts.some(({ name }) => name === 'late__p'),
      { describe: 'the prompts' },
    );
  });
});

/** A modern server that answers every call with many requests for the roots. */
async function askingServer(times: number): Promise<string> {
  const answers: Readonly<Record<string, object>> = {
    'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
    'tools/list': { tools: [{ name: 'act', inputSchema: { type: 'object' } }] },
    'tools/call': {
      resultType: 'input_required',
      requestState: 'on and on',
      inputRequests: Object.fromEntries(
        Array.from({ length: times }, (_, index) => [`ask${index}`, { method: 'roots/list' }]),
      ),
    },
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { id, method } = (await json(request)) as { id: number; method: string };
    const known = answers[method];
    const result = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...known };
    const error = { code: -32_601, message: 'no such method' };
    response.writeHead(known === undefined ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(known ? { result } : { error }) }));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  scope.defer(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

describe('a modern server that asks a legacy client very many times at once', () => {
  it('has its call fail, and the client is not asked', async () => {
    verifies('GWY-01');
    const one = { type: 'http', url: await askingServer(101), protocol: 'modern' } as const;
    const { connect } = await openGateway(scope, { servers: { one } });
    let asked = 0;
    const client = await connect('legacy', {
      capabilities: { roots: {} },
      prepare: (made) =>
        made.setRequestHandler('roots/list', () => {
          asked += 1;
          return { roots: [] };
        }),
    });
    asked = 0;
    const { isError, content } = await client.callTool({ name: 'one__act' });
    expect({ isError, asked }).toEqual({ isError: true, asked: 0 });
    expect(JSON.stringify(content)).toContain('asks for input more than 100 times at once');
  });
});
