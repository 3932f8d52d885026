// The SDK's echo server over Streamable HTTP: with sessions in the legacy era, without in the modern one. The port is its
// argument.

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { echoServer } from './echo-server.js';

const modern = toNodeHandler(createMcpHandler(echoServer, { legacy: 'reject' }));
const sessions = new Map();

createServer((request, response) => {
  if (request.headers['mcp-method'] === undefined) void legacy(request, response);
  else void modern(request, response);
}).listen(Number(process.argv[2]), '127.0.0.1');

async function legacy(request, response) {
  const known = sessions.get(request.headers['mcp-session-id']);
  const transport = known ?? (await newSession());
  await transport.handleRequest(request, response);
}

async function newSession() {
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: true,
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  await echoServer().connect(transport);
  return transport;
}
