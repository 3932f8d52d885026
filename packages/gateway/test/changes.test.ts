import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Scope } from '@plugboard/base';
import { tempFolder, verifies, waitUntil } from '@plugboard/testkit';
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cells, openGateway, type OpenGateway, rpcErrorOf, serverOf } from './cells.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const URI = 'file:///watched';
const OTHER = 'file:///other';
const LIBRARY = {
  resources: [
    { uri: URI, name: 'watched' },
    { uri: OTHER, name: 'other' },
  ],
  prompts: [{ name: 'p' }],
  listChanged: true,
};

interface Hearing {
  readonly updates: string[];
  readonly lists: string[];
  /** Only for a modern client. */
  readonly granted?: unknown;
}

/** Subscribes a client of either era to both resources and all lists. */
async function hearing(client: Client, uris: readonly string[] = [URI]): Promise<Hearing> {
  const updates: string[] = [];
  const lists: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    updates.push(params.uri);
  });
  for (const list of ['tools', 'prompts', 'resources'] as const) {
    client.setNotificationHandler(`notifications/${list}/list_changed`, () => {
      lists.push(list);
    });
  }
  if (client.getNegotiatedProtocolVersion() !== '2026-07-28') {
    for (const uri of uris) await client.subscribeResource({ uri });
    return { updates, lists };
  }
  const { honoredFilter } = await client.listen({
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: [...uris],
  });
  return { updates, lists, granted: honoredFilter };
}

/** For all processes of the server: that of the host, and that of the client. */
async function everywhere(
  { gateway }: OpenGateway,
  client: Client,
  call: { readonly tool: string; readonly arguments: Record<string, string> },
): Promise<void> {
  const { tool, arguments: given } = call;
  await gateway.host.call({ server: 'one', tool }, given);
  await client.callTool({ name: `one__${tool}`, arguments: given });
}

describe.each(cells)('a gateway between a $name', ({ client: clientEra, server: serverEra }) => {
  const server = serverOf(serverEra, { builtIns: ['exit', 'echo'], library: LIBRARY });

  it('reports changes of resources that the client subscribed to, and of no others', async () => {
    verifies('GWY-01');
    const open = await openGateway(scope, { servers: { one: server } });
    const client = await open.connect(clientEra);
    const { updates } = await hearing(client);
    await everywhere(open, client, { tool: 'touch', arguments: { uri: OTHER } });
    await everywhere(open, client, { tool: 'touch', arguments: { uri: URI } });
    await waitUntil(() => updates.length > 0, { describe: 'the update' });
    expect(new Set(updates)).toEqual(new Set([URI]));
  });

  it('reports changes of resources after the server was restarted, too', async () => {
    verifies('GWY-01');
    const open = await openGateway(scope, { servers: { one: server } });
    const client = await open.connect(clientEra);
    const { updates } = await hearing(client);
    await open.gateway.host.call({ server: 'one', tool: 'exit' }, { code: 1 });
    await client.callTool({ name: 'one__exit', arguments: { code: 1 } });
    // The resource may have changed meanwhile.
    await waitUntil(() => updates.length > 0, { describe: 'the renewal' });
    updates.length = 0;
    await everywhere(open, client, { tool: 'touch', arguments: { uri: URI } });
    await waitUntil(() => updates.length > 0, { describe: 'the update' });
    expect(new Set(updates)).toEqual(new Set([URI]));
  });

  it('reports that lists changed', async () => {
    verifies('GWY-01');
    const open = await openGateway(scope, { servers: { one: server } });
    const client = await open.connect(clientEra);
    await client.listPrompts();
    await client.listResources();
    const { lists } = await hearing(client);
    for (const list of ['prompts', 'resources']) {
      await everywhere(open, client, { tool: 'announce', arguments: { list } });
      await waitUntil(() => lists.includes(list), { describe: `the change of ${list}` });
    }
  });

  it('reports that tools changed, and lists the new ones', async () => {
    verifies('GWY-01');
    const growing = serverOf(serverEra, {
      builtIns: ['echo'],
      growOn: { tool: 'echo' },
      capabilities: { tools: { listChanged: true } },
    });
    const { connect, gateway } = await openGateway(scope, {
      servers: { one: growing },
      pins: 'off',
    });
    const client = await connect(clientEra);
    const names = async (): Promise<readonly string[]> =>
      (await client.listTools()).tools.map(({ name }) => name);
    // On a busy machine, the first list may precede the server's tools, whose arrival is also a change.
    await expect.poll(names).toContain('one__echo');
    const { lists } = await hearing(client, []);
    await gateway.host.call({ server: 'one', tool: 'echo' }, { message: 'x' });
    await waitUntil(() => lists.includes('tools'), { describe: 'the change' });
    await expect.poll(names).toContain('one__grown-1');
  });

  it('reports that the list of a server differs from an earlier run once the client uses the server', async () => {
    verifies('GWY-01');
    const { path: home } = scope.use(await tempFolder());
    const at = join(home, 'swapped');
    const swap = { at, tools: [{ name: 'new' }] };
    const options = {
      servers: { one: serverOf(serverEra, { builtIns: ['echo'], swap }) },
      pins: 'off',
    } as const;
    const earlier = await openGateway(scope, options, { home });
    await (await earlier.connect(clientEra)).listTools();
    await earlier.gateway.close();
    await writeFile(at, '');
    const { connect } = await openGateway(scope, options, { home });
    const client = await connect(clientEra);
    const { lists } = await hearing(client, []);
    const names = async (): Promise<readonly string[]> =>
      (await client.listTools()).tools.map(({ name }) => name);
    expect(await names()).toEqual(['one__echo']);
    await client.callTool({ name: 'one__echo', arguments: { message: 'x' } });
    await waitUntil(() => lists.includes('tools'), { describe: 'the change' });
    expect(await names()).toEqual(['one__echo', 'one__new']);
  });

  it('grants no subscription to a resource that no server has', async () => {
    verifies('GWY-01');
    const { connect } = await openGateway(scope, { servers: { one: server } });
    const client = await connect(clientEra);
    if (clientEra === 'legacy') {
      const refused = client.subscribeResource({ uri: 'file:///none' });
      expect(await rpcErrorOf(refused)).toMatchObject({ code: expect.any(Number) as unknown });
      return;
    }
    const { granted } = await hearing(client, [URI, 'file:///none']);
    expect(granted).toMatchObject({ resourceSubscriptions: [URI], toolsListChanged: true });
  });

  it('reports nothing once the client has unsubscribed', async () => {
    verifies('GWY-01');
    const open = await openGateway(scope, { servers: { one: server } });
    const client = await open.connect(clientEra);
    const { updates } = await hearing(client, clientEra === 'legacy' ? [URI, OTHER] : [OTHER]);
    if (clientEra === 'legacy') await client.unsubscribeResource({ uri: URI });
    await everywhere(open, client, { tool: 'touch', arguments: { uri: URI } });
    await everywhere(open, client, { tool: 'touch', arguments: { uri: OTHER } });
    await waitUntil(() => updates.includes(OTHER), { describe: 'the other update' });
    expect(updates).not.toContain(URI);
  });
});
