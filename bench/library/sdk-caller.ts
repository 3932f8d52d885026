// Calls through the SDK's own client as its users do: connect, list the tools, call.

import { Client, InMemoryTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { fastEchoServer, sdkEchoServer } from '../places.ts';
import { type Caller, MODERN_REVISION, type Route } from './caller.ts';

export async function sdkCaller(route: Route): Promise<Caller> {
  const mode = route === 'sdk-modern' ? { pin: MODERN_REVISION } : 'legacy';
  const client = new Client(
    { name: 'bench', version: '1.0.0' },
    { capabilities: {}, versionNegotiation: { mode } },
  );
  await client.connect(await transportFor(route));
  // Fills its cache of tools, which each call consults.
  const { tools } = await client.listTools();
  if (tools.length !== 1) throw new Error('the server lists no tool');
  return {
    async echo(message) {
      const result = await client.callTool({ name: 'echo', arguments: { message } });
      const block = result.content[0];
      return block?.type === 'text' ? block.text : '';
    },
    close: () => client.close(),
  };
}

async function transportFor(route: Route): Promise<Transport> {
  if (route === 'in-process') {
    const { echoServer } = await import('../servers/echo-server.js');
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await echoServer().connect(theirs);
    return ours;
  }
  const server = route === 'fast' ? fastEchoServer : sdkEchoServer;
  return new StdioClientTransport({ command: process.execPath, args: [server] });
}
