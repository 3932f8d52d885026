// A local web server that answers as a test specifies, and records its requests.

import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Scope } from '@plugboard/base';
import type { ConnectorSettings } from '../../src/connectors/index.ts';

export interface ListRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export interface ListServer {
  readonly url: string;
  readonly asked: readonly ListRequest[];
}

export type Serve = (request: IncomingMessage, response: ServerResponse, count: number) => void;

export async function startListServer(
  scope: Scope,
  serve: Serve,
  tls?: { readonly cert: string; readonly key: string },
): Promise<ListServer> {
  const asked: ListRequest[] = [];
  const listener: RequestListener = (request, response) => {
    asked.push({ path: request.url ?? '', headers: request.headers });
    serve(request, response, asked.length);
  };
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  scope.defer(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const { port } = server.address() as AddressInfo;
  const scheme = tls === undefined ? 'http' : 'https';
  return { url: `${scheme}://127.0.0.1:${port}/servers`, asked };
}

export function json(value: unknown): Serve {
  return (_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(value));
  };
}

export function status(code: number, headers: Readonly<Record<string, string>> = {}): Serve {
  return (_, response) => response.writeHead(code, { ...headers }).end();
}

export function settingsFor(
  url: string,
  changes: Partial<ConnectorSettings> = {},
): ConnectorSettings {
  return {
    name: 'acme',
    url,
    headers: { Authorization: 'Bearer first' },
    origin: { kind: 'file', file: '/home/u/settings.json', line: 3, column: 5 },
    ...changes,
  };
}
