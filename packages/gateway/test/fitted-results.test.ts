import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Scope } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cells, openGateway, requestOf, serverOf } from './cells.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const ROWS = Array.from({ length: 60 }, (_, index) => ({
  identifier: index,
  description: `row number ${index}`,
  isImportant: index % 2 === 0,
}));
const TOOLS = [
  {
    name: 'rows',
    outputSchema: { type: 'object', properties: { rows: { type: 'array' } } },
    result: {
      content: [{ type: 'text', text: JSON.stringify({ rows: ROWS }) }],
      structuredContent: { rows: ROWS },
      _meta: { 'example.test/result': 'kept' },
    },
  },
  {
    name: 'long',
    result: {
      content: [
        {
          type: 'text',
          text: Array.from({ length: 2000 }, (_, line) => `line ${line} of a long text`).join('\n'),
        },
      ],
    },
  },
];
const PROFILES = {
  profiles: {
    short: { results: 'fitted' },
    found: { results: 'fitted', mode: 'search' },
    whole: { mode: 'search' },
  },
} as const;

/** So that a server's whole script fits into its command line. */
const SMALL = { maxCharacters: 10_000 };

function textOf(result: object): string {
  const { content } = result as { readonly content: readonly { readonly text?: string }[] };
  return content.map(({ text = '' }) => text).join('\n');
}

describe.each(cells)('a gateway between a $name', ({ client: clientEra, server: serverEra }) => {
  const servers = { one: serverOf(serverEra, { builtIns: [], tools: TOOLS }) };

  it('fits results for a model if the profile requires that', async () => {
    verifies('GWY-01');
    const { connect, gateway } = await openGateway(scope, { servers, output: SMALL }, PROFILES);
    await gateway.host.tools();
    const client = await connect(clientEra, { path: '/profile/short' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['one__long', 'one__rows', 'read_result']);
    expect(tools[1]?.outputSchema).toBeUndefined();
    const rows = await requestOf(client, 'tools/call', { name: 'one__rows', arguments: {} });
    expect(rows['structuredContent']).toBeUndefined();
    expect(rows['_meta']).toMatchObject(TOOLS[0]?.result._meta ?? {});
    expect(textOf(rows)).toContain('row number 59');
    expect(textOf(rows).length).toBeLessThan(JSON.stringify(ROWS).length / 1.5);
    const long = textOf(await client.callTool({ name: 'one__long' }));
    const id = /read_result \{"id":"(\w+)"\}/.exec(long)?.[1];
    expect(long).not.toContain('line 1500 ');
    const page = await client.callTool({
      name: 'read_result',
      arguments: { id, query: 'line 1500 of' },
    });
    expect(textOf(page)).toContain('line 1500 of a long text');
  });

  it('fits the result of a call by name only if the profile requires that', async () => {
    verifies('GWY-01');
    const { connect } = await openGateway(scope, { servers, output: SMALL }, PROFILES);
    const call = { name: 'call_tool', arguments: { name: 'one.long', arguments: {} } };
    const found = await connect(clientEra, { path: '/profile/found' });
    expect(textOf(await found.callTool(call))).toContain('read_result {"id":"');
    const whole = await connect(clientEra, { path: '/profile/whole' });
    expect((await whole.callTool(call)).content).toEqual(TOOLS[1]?.result.content);
  });
});

describe('a result that was cut for one token', () => {
  it('cannot be read further with another', async () => {
    verifies('GWY-01');
    const servers = { one: serverOf('legacy', { builtIns: [], tools: TOOLS }) };
    const { gateway } = await openGateway(scope, { servers, output: SMALL }, PROFILES);
    const tokens = new Map([
      ['token-of-ada', 'ada'],
      ['token-of-bob', 'bob'],
    ]);
    const { url } = await gateway.listen({ tokens });
    const clientOf = async (token: string): Promise<Client> => {
      const client = new Client({ name: 'official', version: '1.0.0' });
      const headers = { authorization: `Bearer ${token}` };
      const address = new URL(`${url}/profile/short`);
      await client.connect(
        new StreamableHTTPClientTransport(address, { requestInit: { headers } }),
      );
      scope.use({ [Symbol.asyncDispose]: () => client.close() });
      return client;
    };
    const ada = await clientOf('token-of-ada');
    const bob = await clientOf('token-of-bob');
    const cut = textOf(await ada.callTool({ name: 'one__long' }));
    const id = /read_result \{"id":"(\w+)"\}/.exec(cut)?.[1];
    const path = /in the file (\S+) \(/.exec(cut)?.[1];
    const read = async (client: Client, what: unknown): Promise<object> =>
      client.callTool({ name: 'read_result', arguments: { id: what } });
    expect(textOf(await read(ada, id))).toContain('line 0 of a long text');
    for (const what of [id, path, 'ffffffffffffffff']) {
      const refused = await read(bob, what);
      expect(refused).toMatchObject({ isError: true });
      expect(textOf(refused)).toBe('No result of this client has this id, or it is too old.');
    }
  });
});
