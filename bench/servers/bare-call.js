// One minimal tool call: starts the server, connects, calls, prints. The lower bound for every command that
// does the same. Usage: bare-call.js COMMAND ARGUMENTS...

import { spawn } from 'node:child_process';
import { readLines } from './line-reader.js';

const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

readLines(child.stdout, ([answer]) => {
  if (answer.id === 0) {
    send({ method: 'notifications/initialized' });
    send({ id: 1, method: 'tools/call', params: { name: 'echo', arguments: { message: 'hi' } } });
    return;
  }
  process.stdout.write(`${answer.result.content[0].text}\n`);
  child.stdin.end();
});
send({
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bare-call', version: '1.0.0' },
  },
});
