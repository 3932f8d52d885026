// Two hundred remote servers in one process: every path is a server with its own tools. They only answer the requests
// for lists.

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent } from '../measure/answer-parent.ts';
import { madeTool, TOOLS_OF_EACH } from './made-tools.ts';

interface Request {
  readonly id?: number | string;
  readonly method: string;
}

const http = createServer((request, response) => {
  void answer(request).then((body) => {
    response.writeHead(body === undefined ? 202 : 200, { 'content-type': 'application/json' });
    response.end(body);
  });
});
await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
const { port } = http.address() as AddressInfo;
answerParent(
  () => Promise.resolve(port),
  () => process.exit(),
);

async function answer(request: IncomingMessage): Promise<string | undefined> {
  if (request.method !== 'POST') return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { id, method } = JSON.parse(Buffer.concat(chunks).toString()) as Request;
  if (id === undefined) return undefined;
  const result = resultOf(method, Number(request.url?.slice(1)));
  return JSON.stringify(
    result === undefined
      ? { jsonrpc: '2.0', id, error: { code: -32_601, message: 'no such method' } }
      : { jsonrpc: '2.0', id, result },
  );
}

function resultOf(method: string, server: number): object | undefined {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: `server-${server}`, version: '1.0.0' },
      };
    case 'tools/list':
      return {
        tools: Array.from({ length: TOOLS_OF_EACH }, (_, index) => madeTool(server, index)),
      };
    default:
      return undefined;
  }
}
