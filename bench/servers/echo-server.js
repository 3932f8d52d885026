// The echo server as most are written: the SDK's server with one tool. The caller connects it.

import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

export function echoServer() {
  const server = new McpServer({ name: 'sdk-echo', version: '1.0.0' });
  server.registerTool(
    'echo',
    {
      description: 'Says what it was told',
      inputSchema: z.object({ message: z.string() }),
      annotations: { readOnlyHint: true },
    },
    ({ message }) => ({ content: [{ type: 'text', text: message }] }),
  );
  return server;
}
