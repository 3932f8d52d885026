// What scripted servers have in common that run inside the test's own process and listen on a port.

import type { IncomingMessage, Server } from 'node:http';
import type { Machine } from './scripted-server/tool-call.ts';

/** The process that such a server appears to be: a crash is all that a client can see of one. */
export function appearance(close: () => Promise<void>): Machine {
  return {
    pid: process.pid,
    grandchildren: [],
    env: process.env,
    cwd: process.cwd(),
    // Not this process, which is the test's.
    crash: () => setImmediate(() => void close()),
  };
}

/** Stops listening and cuts every connection. */
export async function stopListening(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

/** `undefined` when the client disconnected in the middle of its request, so that no answer can reach it. */
export async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks).toString('utf8');
}
