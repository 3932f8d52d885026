// Listens for HTTP requests on one address, and limits the size of requests and the time to send them. The caller handles
// the requests.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { type Clock, CodedError, codeOf } from '@plugboard/base';

export interface HttpStart {
  readonly host: string;
  /** Zero lets the system choose a port. */
  readonly port: number;
  readonly clock: Clock;
  /** How long a client may take to send a request. */
  readonly receiveMs?: number;
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

export interface HttpListener {
  readonly port: number;
  /** Accepts no more requests, gives running ones a moment to end, then closes all connections. */
  close(): Promise<void>;
}

const RECEIVE_MS = 30_000;
const HEADERS_MS = 10_000;
/** How often these timeouts are checked. */
const CHECK_MS = 500;
const IDLE_MS = 30_000;
const MOST_HEADER_BYTES = 32 * 1024;
const MOST_CONNECTIONS = 512;
const GRACE_MS = 2000;

export async function listenHttp(start: HttpStart): Promise<HttpListener> {
  const { receiveMs = RECEIVE_MS } = start;
  const server = createServer(
    {
      maxHeaderSize: MOST_HEADER_BYTES,
      requestTimeout: receiveMs,
      headersTimeout: Math.min(HEADERS_MS, receiveMs),
      keepAliveTimeout: IDLE_MS,
      connectionsCheckingInterval: CHECK_MS,
    },
    (request, response) => {
      start.onRequest(request, response).catch(() => {
        // The connection broke during the response, so no error can be sent.
        response.destroy();
      });
    },
  );
  server.maxConnections = MOST_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    const fail = (thrown: unknown): void => reject(notListening(start, thrown));
    server.once('error', fail);
    server.listen(start.port, start.host, () => {
      server.off('error', fail);
      resolve();
    });
  });
  // A server that listens on a port has an address of this shape.
  const { port } = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  return { port, close: () => (closing ??= close(server, start.clock)) };
}

async function close(server: Server, clock: Clock): Promise<void> {
  using _ = clock.after(GRACE_MS, () => server.closeAllConnections());
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}

function notListening({ host, port }: HttpStart, cause: unknown): CodedError {
  const system = codeOf(cause);
  const message = `cannot listen on ${host} port ${port} (${system ?? 'unknown reason'})`;
  return new CodedError('not-listening', message, { data: { host, port, system }, cause });
}

/** An IPv4 or IPv6 address, not a name. */
export function isAddress(host: string): boolean {
  return isIP(host) !== 0;
}
