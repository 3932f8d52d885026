// The lower bound: JSON-RPC lines over the pipes of a child process, without checks, deadlines or error handling. Not
// an example of how to call a server.

import { spawn } from 'node:child_process';
import { fastEchoServer, sdkEchoServer } from '../places.ts';
import { readLines } from '../servers/line-reader.js';
import type { Caller, Route } from './caller.ts';

interface Answer {
  readonly id: number;
  readonly result: { readonly content: readonly [{ readonly text: string }] };
}

export async function bareCaller(route: Route): Promise<Caller> {
  const server = route === 'fast' ? fastEchoServer : sdkEchoServer;
  const child = spawn(process.execPath, [server], { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<number, (answer: Answer) => void>();
  let lastId = 0;
  readLines(child.stdout, (answers: readonly Answer[]) => {
    for (const answer of answers) {
      waiting.get(answer.id)?.(answer);
      waiting.delete(answer.id);
    }
  });
  const request = (method: string, params: object): Promise<Answer> =>
    new Promise((resolve) => {
      lastId += 1;
      waiting.set(lastId, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params })}\n`);
    });
  await request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1.0.0' },
  });
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return {
    async echo(message) {
      const answer = await request('tools/call', { name: 'echo', arguments: { message } });
      return answer.result.content[0].text;
    },
    close: () =>
      new Promise((resolve) => {
        child.once('close', () => resolve());
        child.stdin.end();
      }),
  };
}
