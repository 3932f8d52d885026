// A minimal gateway in front of a stdio server: `node:http` reads and parses a body, a line goes to the server, and its
// answer returns with the id of the client. It checks nothing, so it is a lower bound for gateways on Node. The
// argument is the port.

import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { readLines } from './line-reader.js';

const server = spawn(process.execPath, [fileURLToPath(new URL('fast-echo.js', import.meta.url))], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const waiting = new Map();
let lastId = 0;

createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (text) => {
    body += text;
  });
  request.on('end', () => {
    const message = JSON.parse(body);
    if (message.id === undefined) {
      response.writeHead(202).end();
      return;
    }
    lastId += 1;
    waiting.set(lastId, { id: message.id, response });
    server.stdin.write(`${JSON.stringify({ ...message, id: lastId })}\n`);
  });
}).listen(Number(process.argv[2]), '127.0.0.1');

readLines(server.stdout, (answers) => {
  for (const answer of answers) {
    const { id, response } = waiting.get(answer.id);
    waiting.delete(answer.id);
    const text = JSON.stringify({ ...answer, id });
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
      'Mcp-Session-Id': 'only',
    });
    response.end(text);
  }
});
process.once('SIGTERM', () => {
  server.kill();
  process.exit();
});
