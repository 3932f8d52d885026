// A plain HTTP server on loopback with the answers of a test, which records its requests.

import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Scope } from '@plugboard/base';

export interface AskedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface WebServer {
  readonly origin: string;
  readonly port: number;
  readonly asked: readonly AskedRequest[];
  /** The number of connections, with or without a request. */
  connections(): number;
}

export type Answer = (response: ServerResponse, request: AskedRequest) => void;

export async function startWebServer(scope: Scope, answer: Answer): Promise<WebServer> {
  const asked: AskedRequest[] = [];
  let connections = 0;
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = incoming;
    const request = { method, path, headers, body: (await buffer(incoming)).toString() };
    asked.push(request);
    answer(response, request);
  };
  const server = createServer((incoming, response) => void serve(incoming, response));
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.defer(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, port, asked, connections: () => connections };
}

export const says =
  (text: string): Answer =>
  (response) =>
    response.end(text);

export const redirects =
  (location: string | (() => string), status = 302): Answer =>
  (response) =>
    response
      .writeHead(status, { location: typeof location === 'string' ? location : location() })
      .end();
