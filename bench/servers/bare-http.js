// JSON-RPC over bare `node:http`, in both eras: reads a body, parses it, answers. It checks nothing, so it is a
// lower bound for gateways on Node. The argument is the port.

import { createServer } from 'node:http';

createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (text) => {
    body += text;
  });
  request.on('end', () => {
    const { id, method, params } = JSON.parse(body);
    const text = JSON.stringify({ jsonrpc: '2.0', id, result: resultOf(method, params) });
    response.writeHead(id === undefined ? 202 : 200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
      'Mcp-Session-Id': 'only',
    });
    response.end(text);
  });
}).listen(Number(process.argv[2]), '127.0.0.1');

function resultOf(method, params) {
  if (method === 'tools/call') {
    return { content: [{ type: 'text', text: params.arguments.message }] };
  }
  return {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'bare-http', version: '1.0.0' },
  };
}
