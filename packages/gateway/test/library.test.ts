import { Scope } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cells, openGateway, requestOf, rpcErrorOf, serverOf } from './cells.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const UI = { ui: { csp: { connectDomains: ['https://example.test'] }, prefersBorder: true } };
const APP = 'ui://shop/cart';
const HIDDEN_APP = 'ui://shop/hidden';
const LINKED = 'scripted://notes/2';

const ICONS = [{ src: 'https://example.test/icon.svg', mimeType: 'image/svg+xml', theme: 'dark' }];
const META = { 'example.test/key': { deep: [1, 2] } };
/** Members that any listed item may have. */
const SAID = { title: 'As people read it', icons: ICONS, _meta: META, vendor: { unknown: true } };

const LIBRARY = {
  resources: [
    { uri: 'file:///a.txt', name: 'a', ...SAID, mimeType: 'text/plain', text: 'a text' },
    { uri: 'file:///b.bin', name: 'b', blob: 'AAEC' },
    { uri: APP, name: 'app', mimeType: 'text/html;profile=mcp-app', text: '<html>', _meta: UI },
    { uri: HIDDEN_APP, name: 'hidden', text: '<p>', hidden: true },
    { uri: LINKED, name: 'linked', text: 'a note', hidden: true },
    { uri: 'note:///7', name: 'fits', text: 'seven', hidden: true },
  ],
  templates: [{ uriTemplate: 'note:///{id}', name: 'notes', ...SAID }],
  prompts: [
    {
      name: 'greet',
      description: 'Greets',
      ...SAID,
      arguments: [{ name: 'who', required: true }],
      messages: [{ role: 'user', content: { type: 'text', text: 'hello' } }],
    },
  ],
  completions: { who: ['Ada', 'Alan', 'Grace'], id: ['7', '71'] },
} as const;

const APP_TOOL = { name: 'cart', _meta: { ui: { resourceUri: HIDDEN_APP } } };

describe.each(cells)('a gateway between a $name', ({ client: clientEra, server: serverEra }) => {
  const server = serverOf(serverEra, {
    builtIns: ['resource'],
    tools: [APP_TOOL],
    library: LIBRARY,
  });
  const other = serverOf(serverEra, {
    builtIns: [],
    library: { resources: [{ uri: 'file:///other', name: 'o', text: 'other' }] },
  });

  it('lists resources and templates as their servers do, and reads them', async () => {
    verifies('GWY-01');
    const { connect } = await openGateway(scope, { servers: { one: server, two: other } });
    const client = await connect(clientEra);
    const { resources } = await requestOf(client, 'resources/list');
    const uris = (resources as { uri: string }[]).map(({ uri }) => uri);
    expect(uris).toEqual(['file:///a.txt', 'file:///b.bin', APP, 'file:///other']);
    expect(resources).toContainEqual({
      uri: APP,
      name: 'app',
      mimeType: 'text/html;profile=mcp-app',
      _meta: UI,
    });
    const [listed] = resources as object[];
    expect(listed).toEqual({ uri: 'file:///a.txt', name: 'a', ...SAID, mimeType: 'text/plain' });
    const { resourceTemplates } = await requestOf(client, 'resources/templates/list');
    expect(resourceTemplates).toEqual(LIBRARY.templates);
    const read = async (uri: string): Promise<unknown> =>
      (await requestOf(client, 'resources/read', { uri }))['contents'];
    expect(await read('file:///a.txt')).toEqual([
      { uri: 'file:///a.txt', mimeType: 'text/plain', text: 'a text', _meta: META },
    ]);
    expect(await read('file:///b.bin')).toEqual([{ uri: 'file:///b.bin', blob: 'AAEC' }]);
    expect(await read(APP)).toEqual([
      { uri: APP, mimeType: 'text/html;profile=mcp-app', text: '<html>', _meta: UI },
    ]);
    expect(await read('note:///7')).toEqual([{ uri: 'note:///7', text: 'seven' }]);
    expect(await read('file:///other')).toEqual([{ uri: 'file:///other', text: 'other' }]);
  });

  it('reads an unlisted resource once a tool has linked it, and refuses one that no server has', async () => {
    verifies('GWY-01');
    const { connect } = await openGateway(scope, { servers: { one: server, two: other } });
    const client = await connect(clientEra);
    const message = expect.stringContaining('No server has') as unknown;
    // The official client also maps -32002 to this.
    const refusal = { code: -32_602, message };
    expect(await rpcErrorOf(client.readResource({ uri: 'file:///none' }))).toMatchObject(refusal);
    expect(await rpcErrorOf(client.readResource({ uri: LINKED }))).toMatchObject(refusal);
    await client.callTool({ name: 'one__resource' });
    expect((await client.readResource({ uri: LINKED })).contents).toMatchObject([
      { text: 'a note' },
    ]);
    expect((await client.readResource({ uri: HIDDEN_APP })).contents).toMatchObject([
      { text: '<p>' },
    ]);
  });

  it('refuses a resource that two servers list, names both, and reads it at the endpoint of either', async () => {
    verifies('GWY-01');
    const withText = (text: string): ReturnType<typeof serverOf> =>
      serverOf(serverEra, {
        builtIns: [],
        library: { resources: [{ uri: 'file:///same', name: 'same', text }] },
      });
    const { connect } = await openGateway(scope, {
      servers: { one: withText('of one'), two: withText('of two') },
    });
    const uri = 'file:///same';
    const client = await connect(clientEra);
    expect(await rpcErrorOf(client.readResource({ uri }))).toMatchObject({
      message: expect.stringContaining('one, two') as unknown,
    });
    for (const name of ['one', 'two']) {
      const alone = await connect(clientEra, { path: `/${name}` });
      expect((await alone.readResource({ uri })).contents).toMatchObject([{ text: `of ${name}` }]);
    }
  });

  it('lists and gives prompts, and completes their arguments and those of templates', async () => {
    verifies('GWY-01');
    const { connect } = await openGateway(scope, { servers: { one: server, two: server } });
    const client = await connect(clientEra);
    const [{ messages: _, ...listed }] = LIBRARY.prompts;
    expect((await requestOf(client, 'prompts/list'))['prompts']).toEqual([
      { ...listed, name: 'one__greet' },
      { ...listed, name: 'two__greet' },
    ]);
    const given = await client.getPrompt({ name: 'two__greet', arguments: { who: 'Ada' } });
    expect(given.messages).toEqual(LIBRARY.prompts[0].messages);
    const completed = await client.complete({
      ref: { type: 'ref/prompt', name: 'two__greet' },
      argument: { name: 'who', value: 'A' },
    });
    expect(completed.completion).toEqual({ values: ['Ada', 'Alan'], hasMore: false });
    const alone = await connect(clientEra, { path: '/one' });
    const ofTemplate = await alone.complete({
      ref: { type: 'ref/resource', uri: 'note:///{id}' },
      argument: { name: 'id', value: '7' },
    });
    expect(ofTemplate.completion.values).toEqual(['7', '71']);
    const unknown = client.getPrompt({ name: 'one__none' });
    expect(await rpcErrorOf(unknown)).toMatchObject({ code: -32_602 });
  });
});
