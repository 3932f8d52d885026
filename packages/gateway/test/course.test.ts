import { isObject, Scope } from '@plugboard/base';
import { atSomePace, verifies, waitUntil } from '@plugboard/testkit';
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cells, openGateway, requestOf, rpcErrorOf, serverOf } from './cells.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

async function heard(client: Client): Promise<Record<string, unknown>> {
  const { structuredContent } = await client.callTool({ name: 'one__heard' });
  return isObject(structuredContent) ? structuredContent : {};
}

describe.each(cells)('a gateway between a $name', ({ client: clientEra, server: serverEra }) => {
  const servers = {
    one: serverOf(serverEra, { asking: true, capabilities: { tools: {}, logging: {} } }),
  };

  it('reports the progress of a call under the token of the client', async () => {
    verifies('GWY-01');
    const { connect } = await openGateway(scope, { servers });
    const client = await connect(clientEra);
    // The SDK's client drops progress that it reads together with the answer, as on a busy machine.
    await atSomePace(async (ms) => {
      const progress: unknown[] = [];
      const result = await client.callTool(
        { name: 'one__sleep', arguments: { ms, steps: 3 } },
        { onprogress: (one) => progress.push(one) },
      );
      expect(result.content).toEqual([{ type: 'text', text: `slept ${ms} ms` }]);
      expect(progress).toEqual([1, 2, 3].map((step) => ({ progress: step, total: 3 })));
    });
  });

  it('leaves out progress that goes backwards', async () => {
    verifies('GWY-01');
    const { connect } = await openGateway(scope, { servers });
    const client = await connect(clientEra);
    const progress: unknown[] = [];
    client.setNotificationHandler('notifications/progress', ({ params }) => {
      progress.push([params.progressToken, params.progress]);
    });
    await requestOf(client, 'tools/call', {
      name: 'one__backwards',
      arguments: { steps: [1, 3, 2, 3, 4] },
      _meta: { progressToken: 'of-the-client' },
    });
    await waitUntil(() => progress.length >= 3, { describe: 'the progress' });
    expect(progress).toEqual([1, 3, 4].map((step) => ['of-the-client', step]));
  });

  it('tells the server that its client has cancelled a call', async () => {
    verifies('GWY-01');
    const { connect } = await openGateway(scope, { servers });
    const client = await connect(clientEra);
    await client.listTools();
    const cancelled = new AbortController();
    const call = client.callTool(
      { name: 'one__sleep', arguments: { ms: 600_000 } },
      { signal: cancelled.signal, onprogress: () => cancelled.abort() },
    );
    await expect(call).rejects.toThrow();
    await waitUntil(
      async () => JSON.stringify(await heard(client)).includes('notifications/cancelled'),
      { describe: 'the server to hear of it' },
    );
  });

  it('ends a call at its deadline, and reports that', async () => {
    verifies('GWY-01');
    const entry = { ...servers.one, timeout: 300 };
    const { connect } = await openGateway(scope, { servers: { one: entry } });
    const client = await connect(clientEra);
    const result = await client.callTool({ name: 'one__never' });
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result.content)).toContain('300 ms');
    // A busy server may take longer to report it.
    await waitUntil(
      async () => JSON.stringify(await heard(client)).includes('notifications/cancelled'),
      { describe: 'the server to hear of it' },
    );
  });

  it('passes logs only to the client that requested them', async () => {
    verifies('GWY-01');
    const { connect } = await openGateway(scope, { servers });
    const logs: unknown[][] = [[], []];
    const [wanting, other] = await Promise.all(
      logs.map((own) =>
        connect(clientEra, {
          prepare: (made) =>
            made.setNotificationHandler('notifications/message', ({ params }) => {
              own.push(params.data);
            }),
        }),
      ),
    );
    if (wanting === undefined || other === undefined) throw new Error('unreachable');
    if (clientEra === 'legacy') await wanting.setLoggingLevel('warning');
    const _meta = clientEra === 'legacy' ? {} : { [LOG_LEVEL]: 'warning' };
    const say = (data: string): object => ({
      name: 'one__say',
      arguments: { method: 'notifications/message', params: { level: 'error', data } },
    });
    await requestOf(wanting, 'tools/call', { ...say('first'), _meta });
    await requestOf(other, 'tools/call', { name: 'one__echo', arguments: { message: 'x' } });
    await requestOf(wanting, 'tools/call', { ...say('second'), _meta });
    await waitUntil(() => (logs[0]?.length ?? 0) >= 2, { describe: 'the log' });
    expect(logs).toEqual([['first', 'second'], []]);
    const level = serverEra === 'legacy' ? 'warning' : undefined;
    expect((await heard(wanting))['level']).toBe(level);
  });

  it('reports why a server fails during a call', async () => {
    verifies('GWY-01');
    const { connect } = await openGateway(scope, { servers });
    const client = await connect(clientEra);
    const result = await client.callTool({ name: 'one__exit', arguments: { code: 7 } });
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result.content)).toContain('7');
    const again = await client.callTool({ name: 'one__echo', arguments: { message: 'back' } });
    expect(again.content).toEqual([{ type: 'text', text: 'back' }]);
  });

  it('passes unknown requests and capabilities on at the endpoint of one server', async () => {
    verifies('GWY-01');
    const capabilities = { tools: {}, extensions: { 'example.test/more': { deep: [1] } } };
    const serverInfo = { name: 'peculiar', version: '3.2.1', title: 'Peculiar' };
    const { connect } = await openGateway(scope, {
      servers: {
        one: serverOf(serverEra, {
          ...{ capabilities, serverInfo, asking: true, instructions: 'Be kind.' },
          ownMethods: ['example/own'],
          library: { skills: [{ uri: 'skill://a', frontmatter: { name: 'a' } }] },
        }),
      },
    });
    const client = await connect(clientEra, { path: '/one' });
    expect(client.getServerCapabilities()).toEqual(capabilities);
    expect(client.getServerVersion()).toEqual(serverInfo);
    expect(client.getInstructions()).toBe('Be kind.');
    const own = { a: [1, { b: null }], c: 'd' };
    expect(await requestOf(client, 'example/own', own)).toMatchObject(own);
    expect(await requestOf(client, 'skills/list')).toMatchObject({
      skills: [{ uri: 'skill://a', frontmatter: { name: 'a' } }],
    });
    // The official client reports only the status of a modern response, which is 404.
    const code = clientEra === 'legacy' ? -32_601 : 'CLIENT_HTTP_NOT_IMPLEMENTED';
    expect(await rpcErrorOf(requestOf(client, 'example/none'))).toMatchObject({ code });
    const news: unknown[] = [];
    client.fallbackNotificationHandler = ({ method, params }) => {
      // The list of the server may also be announced meanwhile.
      if (!method.endsWith('/list_changed')) news.push([method, params?.['x']]);
      return Promise.resolve();
    };
    await client.callTool({
      name: 'say',
      arguments: { method: 'notifications/example', params: { x: 1 } },
    });
    await waitUntil(() => news.length > 0, { describe: 'the notification' });
    expect(news).toEqual([['notifications/example', 1]]);
  });
});

describe.each(cells)(
  'a gateway that is stopped between a $name',
  ({ client: clientEra, server }) => {
    const servers = { one: serverOf(server, { builtIns: ['sleep'] }) };

    it('answers a running call that the gateway was stopped', async () => {
      verifies('GWY-01');
      const { connect, gateway } = await openGateway(scope, { servers });
      const client = await connect(clientEra);
      let stopping: Promise<void> | undefined;
      const { isError, content } = await client.callTool(
        { name: 'one__sleep', arguments: { ms: 600_000 } },
        {
          onprogress: () => {
            stopping ??= gateway.close();
          },
        },
      );
      await stopping;
      const text =
        'Tool sleep gave no result: the gateway was stopped meanwhile. What it had done until then is not known.';
      expect({ isError, content }).toEqual({ isError: true, content: [{ type: 'text', text }] });
    });
  },
);
