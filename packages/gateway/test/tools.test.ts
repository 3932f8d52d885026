import { createHash } from 'node:crypto';
import { Scope } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cells, requestOf, openGateway, rpcErrorOf, serverOf } from './cells.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const RICH = {
  name: 'rich',
  title: 'Rich',
  description: 'Has every member',
  inputSchema: { type: 'object', properties: { n: { type: 'integer', 'x-vendor': [1] } } },
  outputSchema: { type: 'object', properties: { n: { type: 'number' } } },
  annotations: { readOnlyHint: true, title: 'Rich one', vendorHint: 'kept' },
  icons: [{ src: 'https://example.test/icon.png', mimeType: 'image/png', sizes: ['48x48'] }],
  _meta: { 'example.test/key': { deep: [1, 2] } },
  vendor: { unknown: true },
  result: {
    content: [{ type: 'text', text: '{"n":1}', vendor: 'kept', _meta: { 'example.test/c': 1 } }],
    structuredContent: { n: 1 },
    _meta: { 'example.test/result': 'kept' },
  },
};

const LONG = `${'long-'.repeat(12)}name`;

describe.each(cells)('a gateway between a $name', ({ client: clientEra, server: serverEra }) => {
  it('passes on every member of a tool and of its result', async () => {
    verifies('GWY-01');
    const { connect } = await openGateway(scope, {
      servers: { one: serverOf(serverEra, { builtIns: [], tools: [RICH] }) },
    });
    const client = await connect(clientEra);
    const { tools } = await requestOf(client, 'tools/list');
    const { result: _, ...definition } = RICH;
    expect(tools).toEqual([{ ...definition, name: 'one__rich' }]);
    const call = { name: 'one__rich', arguments: {} };
    const { content, structuredContent, _meta } = await requestOf(client, 'tools/call', call);
    expect({ content, structuredContent }).toEqual({
      content: RICH.result.content,
      structuredContent: RICH.result.structuredContent,
    });
    expect(_meta).toMatchObject(RICH.result._meta);
  });

  it('lists the tools of one server in the order of the server', async () => {
    verifies('GWY-01');
    const names = ['zebra', 'Ant', 'mouse', 'ant', '10', '9'];
    const { connect } = await openGateway(scope, {
      servers: {
        one: serverOf(serverEra, { builtIns: [], tools: names.map((name) => ({ name })) }),
      },
    });
    const client = await connect(clientEra, { path: '/one' });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(names);
  });

  it('passes on errors of tools, and errors of requests with code and data', async () => {
    verifies('GWY-01');
    const error = { code: -32_050, message: 'refused', data: { why: ['because'] } };
    const { connect } = await openGateway(scope, {
      servers: {
        one: serverOf(serverEra, { builtIns: ['error'], tools: [{ name: 'refused', error }] }),
      },
    });
    const client = await connect(clientEra);
    const failed = await client.callTool({ name: 'one__error' });
    expect(failed).toMatchObject({ isError: true, content: [{ text: 'the tool failed' }] });
    expect(await rpcErrorOf(client.callTool({ name: 'one__refused' }))).toEqual(error);
  });

  it('refuses unknown tools and cursors, and names them', async () => {
    verifies('GWY-01');
    const { connect } = await openGateway(scope, { servers: { one: serverOf(serverEra) } });
    const client = await connect(clientEra);
    expect(await rpcErrorOf(client.callTool({ name: 'one__none' }))).toMatchObject({
      code: -32_602,
      message: expect.stringContaining('one__none') as unknown,
    });
    const stranger = requestOf(client, 'tools/list', { cursor: 'x' });
    expect(await rpcErrorOf(stranger)).toMatchObject({ code: -32_602 });
  });

  it('splits long lists into pages, whatever pages the servers use', async () => {
    verifies('GWY-01');
    const tools = Array.from({ length: 1200 }, (_, index) => ({ name: `tool-${index}` }));
    const { connect } = await openGateway(scope, {
      servers: {
        one: serverOf(serverEra, { builtIns: [], tools, pages: { kind: 'normal', size: 500 } }),
      },
    });
    const client = await connect(clientEra);
    const first = await requestOf(client, 'tools/list');
    const rest = await requestOf(client, 'tools/list', { cursor: first['nextCursor'] });
    expect(rest['nextCursor']).toBeUndefined();
    const names = [first, rest].flatMap(({ tools: page }) =>
      (page as { readonly name: string }[]).map(({ name }) => name),
    );
    expect(names.toSorted()).toEqual(tools.map(({ name }) => `one__${name}`).toSorted());
  });

  it('gives unique names to tools whose names collide or are too long', async () => {
    verifies('GWY-01');
    const says = (name: string, text: string): object => ({
      name,
      result: { content: [{ type: 'text', text }] },
    });
    const script = (...tools: object[]): never => ({ builtIns: [], tools }) as never;
    const { connect } = await openGateway(scope, {
      servers: {
        a: serverOf(serverEra, script(says('b__c', 'c of b of a'), says(LONG, 'long'))),
        a__b: serverOf(serverEra, script(says('c', 'c of a__b'), says('constructor', 'new'))),
      },
    });
    const client = await connect(clientEra);
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    const suffix = (server: string, tool: string): string =>
      createHash('sha256').update(`${server}\0${tool}`).digest('hex').slice(0, 12);
    const [ofA, ofB] = [`a__b__c_${suffix('a', 'b__c')}`, `a__b__c_${suffix('a__b', 'c')}`];
    const long = names.find((name) => name.startsWith('a__long')) ?? '';
    expect(names.toSorted()).toEqual([ofA, ofB, 'a__b__constructor', long].toSorted());
    expect(long).toHaveLength(48);
    const said = async (name: string): Promise<unknown> =>
      (await client.callTool({ name })).content;
    expect(await Promise.all([ofA, ofB, long, 'a__b__constructor'].map(said))).toEqual(
      ['c of b of a', 'c of a__b', 'long', 'new'].map((text) => [{ type: 'text', text }]),
    );
  });
});
