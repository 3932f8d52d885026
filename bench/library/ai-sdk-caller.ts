// Calls through the MCP client of the AI SDK as its users do: make the tools, execute one.

import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio';
import { fastEchoServer, sdkEchoServer } from '../places.ts';
import type { Caller, Route } from './caller.ts';

interface Answer {
  readonly content: readonly [{ readonly text: string }];
}

export async function aiSdkCaller(route: Route): Promise<Caller> {
  const server = route === 'fast' ? fastEchoServer : sdkEchoServer;
  const transport = new StdioTransport({ command: process.execPath, args: [server] });
  const client = await createMCPClient({ transport });
  const { echo } = await client.tools();
  if (echo === undefined) throw new Error('the server lists no tool');
  return {
    async echo(message) {
      const answer = await echo.execute({ message }, { toolCallId: '1', messages: [] });
      return (answer as unknown as Answer).content[0].text;
    },
    close: () => client.close(),
  };
}
