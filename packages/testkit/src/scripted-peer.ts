// What the servers of this package have in common that listen on a port in the process of the test.

import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo, Server as TcpServer } from 'node:net';
import type { Machine } from './scripted-server/tool-call.ts';

/** The simulated process of such a server; a client can only observe its crash. */
export function appearance(close: () => Promise<void>): Machine {
  return {
    pid: process.pid,
    grandchildren: [],
    env: process.env,
    cwd: process.cwd(),
    // Must not end this process, which is the test's.
    crash: () => setImmediate(() => void close()),
  };
}

/** Listens on loopback; the port is a free one by default. Resolves with the port. */
export async function listenOnLoopback(server: TcpServer, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address of this shape.
  return (server.address() as AddressInfo).port;
}

/** Stops listening and cuts every connection. */
export async function stopListening(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

/** `undefined` if the client disconnected during its request. */
export async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks).toString('utf8');
}
