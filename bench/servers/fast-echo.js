// An MCP echo server written by hand: JSON-RPC lines over stdio and no library, so that its own time
// does not hide the client's. With a file as its argument, it records its start there.

import { appendFileSync } from 'node:fs';
import { readLines } from './line-reader.js';

const TOOL = {
  name: 'echo',
  description: 'Says what it was told',
  inputSchema: {
    type: 'object',
    properties: { message: { type: 'string' } },
    required: ['message'],
  },
  // Read-only, so that calls may run in parallel.
  annotations: { readOnlyHint: true },
};

const startsFile = process.argv[2];
if (startsFile !== undefined) appendFileSync(startsFile, `${process.pid}\n`);

readLines(process.stdin, (requests) => {
  const answers = requests.filter(({ id }) => id !== undefined).map(answer);
  if (answers.length > 0) process.stdout.write(`${answers.join('\n')}\n`);
});

function answer({ id, method, params }) {
  switch (method) {
    case 'initialize':
      return success(id, {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'fast-echo', version: '1.0.0' },
      });
    case 'tools/list':
      return success(id, { tools: [TOOL] });
    case 'tools/call':
      return success(id, { content: [{ type: 'text', text: params.arguments.message }] });
    default:
      return JSON.stringify({
        jsonrpc: '2.0',
        id,
        error: { code: -32601, message: `no such method: ${method}` },
      });
  }
}

function success(id, result) {
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}
