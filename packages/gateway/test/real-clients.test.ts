// Clients of other projects, each with a gateway that requires a token: the official ones of both eras, the one before
// them, mcporter, the MCP clients of the AI SDK and of OpenAI's Agents SDK, and mcp-remote, which speaks stdio to its own
// client.

import { fileURLToPath } from 'node:url';
import { createMCPClient } from '@ai-sdk/mcp';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { MCPServerStreamableHttp } from '@openai/agents-core';
import { Scope } from '@plugboard/base';
import type { Era } from '@plugboard/host/relay';
import { tempFolder, verifies } from '@plugboard/testkit';
import { createRuntime } from 'mcporter';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGateway, serverOf } from './cells.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const TOKEN = 'token-of-a-real-client';
const headers = { Authorization: `Bearer ${TOKEN}` };
const INFO = { name: 'real', version: '1' };

interface RealClient {
  list(): Promise<readonly string[]>;
  /** The result as the client returns it to its program. */
  call(name: string, args: Record<string, unknown>): Promise<unknown>;
}

/** An official client of either version. */
function official(client: Pick<Client, 'listTools' | 'callTool'>): RealClient {
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args) => client.callTool({ name, arguments: args }),
  };
}

async function officialOf(era: Era, url: URL): Promise<RealClient> {
  const mode = era === 'modern' ? ({ pin: '2026-07-28' } as const) : 'legacy';
  const client = new Client(INFO, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  scope.defer(() => client.close());
  return official(client);
}

const MCP_REMOTE = fileURLToPath(import.meta.resolve('mcp-remote/dist/proxy.js'));

const CLIENTS: Readonly<Record<string, (url: URL) => Promise<RealClient>>> = {
  'the official client of the modern era': (url) => officialOf('modern', url),
  'the official client of the legacy era': (url) => officialOf('legacy', url),
  'the official client of version 1': async (url) => {
    const client = new OldClient(INFO);
    await client.connect(new OldTransport(url, { requestInit: { headers } }));
    scope.defer(() => client.close());
    return official(client as unknown as Client);
  },
  mcporter: async (url) => {
    const command = { kind: 'http', url, headers } as const;
    const runtime = await createRuntime({ servers: [{ name: 'all', command }] });
    scope.defer(() => runtime.close());
    return {
      list: async () => (await runtime.listTools('all')).map(({ name }) => name),
      call: (name, args) => runtime.callTool('all', name, { args }),
    };
  },
  'the MCP client of the AI SDK': async (url) => {
    const client = await createMCPClient({ transport: { type: 'http', url: url.href, headers } });
    scope.defer(() => client.close());
    const tools = await client.tools();
    return {
      list: () => Promise.resolve(Object.keys(tools)),
      call: async (name, args) => tools[name]?.execute(args, { toolCallId: '1', messages: [] }),
    };
  },
  'the MCP client of the Agents SDK': async (url) => {
    const client = new MCPServerStreamableHttp({ url: url.href, requestInit: { headers } });
    await client.connect();
    scope.defer(() => client.close());
    return {
      list: async () => (await client.listTools()).map(({ name }) => name),
      call: (name, args) => client.callToolResult(name, args),
    };
  },
  'mcp-remote': async (url) => {
    const home = scope.use(await tempFolder());
    const args = [url.href, '--header', `Authorization:Bearer ${TOKEN}`, '--silent'];
    const client = new Client(INFO);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [MCP_REMOTE, ...args],
      cwd: home.path,
      env: { PATH: process.env['PATH'] ?? '', HOME: home.path, MCP_REMOTE_CONFIG_DIR: home.path },
      stderr: 'ignore',
    });
    await client.connect(transport);
    scope.defer(() => client.close());
    return official(client);
  },
};

describe.each(Object.entries(CLIENTS))('%s', (_, open) => {
  verifies('GWY-01');

  it('lists tools of servers of both eras, calls them, and gets structured results and errors', async () => {
    const { url } = await openGateway(
      scope,
      { servers: { old: serverOf('legacy'), new: serverOf('modern') } },
      { address: { tokens: new Map([[TOKEN, 'user']]) } },
    );
    const client = await open(new URL(url));
    const names = await client.list();
    for (const server of ['old', 'new']) {
      expect(names).toContain(`${server}__add`);
      const sum = await client.call(`${server}__add`, { a: 2, b: 3 });
      expect(sum).toMatchObject({ structuredContent: { sum: 5 } });
      const failed = await client.call(`${server}__error`, {});
      expect(failed).toMatchObject({ isError: true, content: [{ type: 'text' }] });
      await expect(client.call(`${server}__rpc-error`, {})).rejects.toThrow();
    }
  });
});
