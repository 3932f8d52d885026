// One tool call as a script with the SDK makes it: starts the server, connects, calls, prints. Usage:
// sdk-call.js COMMAND ARGUMENTS...

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: 'sdk-call', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command, args }));
const { content } = await client.callTool({ name: 'echo', arguments: { message: 'hi' } });
process.stdout.write(`${content[0].text}\n`);
await client.close();
