// Real SDK servers for transports that need no process. The caller connects them to a transport, or passes the function
// to the SDK as a factory.

import type { McpServer, Transport } from '@modelcontextprotocol/server';
import type { StdioServerHandle } from '@modelcontextprotocol/server/stdio';

export async function inProcessServer(): Promise<McpServer> {
  // Loaded here, since most tests do not need the SDK.
  const [{ McpServer: SdkServer }, { z }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('zod'),
  ]);
  const server = new SdkServer({ name: 'in-process', version: '1.0.0' });
  server.registerTool(
    'echo',
    { description: 'Says what it was told', inputSchema: z.object({ message: z.string() }) },
    ({ message }) => ({ content: [{ type: 'text', text: message }] }),
  );
  server.registerTool(
    'add',
    {
      description: 'Adds two numbers',
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
    },
    ({ a, b }) => {
      const sum = { sum: a + b };
      return { content: [{ type: 'text', text: JSON.stringify(sum) }], structuredContent: sum };
    },
  );
  return server;
}

export interface TextTool {
  /** Optional strings. */
  readonly parameters: readonly string[];
  readonly answer: (given: Readonly<Record<string, string>>) => string;
}

/** A server with tools that take strings and return one. */
export async function textToolServer(
  tools: Readonly<Record<string, TextTool>>,
): Promise<McpServer> {
  const [{ McpServer: SdkServer }, { z }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('zod'),
  ]);
  const server = new SdkServer({ name: 'texts', version: '1.0.0' });
  for (const [name, { parameters, answer }] of Object.entries(tools)) {
    const inputSchema = z.object(
      Object.fromEntries(parameters.map((parameter) => [parameter, z.string().optional()])),
    );
    server.registerTool(name, { description: name, inputSchema }, (given) => ({
      content: [{ type: 'text', text: answer(given as Readonly<Record<string, string>>) }],
    }));
  }
  return server;
}

/** Serves both eras on the transport, with a new server for the era that the client speaks. */
export async function serveInProcess(transport: Transport): Promise<StdioServerHandle> {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  return serveStdio(inProcessServer, { transport });
}
