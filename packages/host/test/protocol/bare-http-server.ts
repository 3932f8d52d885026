// An HTTP server that sends exactly what a test states, for answers that no correct server sends. It answers
// `server/discover`, `initialize` and `tools/list` itself unless the test does.

import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject, Scope } from '@plugboard/base';
import type { Era, Launch } from '../../src/protocol/index.ts';

export interface BareRequest {
  readonly httpMethod: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The method of the JSON-RPC message; undefined if there is none. */
  readonly id: number | undefined;
  readonly method: string | undefined;
  readonly params: JsonObject;
  /** The whole message. */
  readonly message: JsonObject;
}

export type BareReply =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly code: number; readonly data?: JsonObject }
  | { readonly kind: 'text'; readonly status: number; readonly type: string; readonly text: string }
  /** An event stream, which the function writes and ends. */
  | { readonly kind: 'events'; write(response: ServerResponse): void };

/** If undefined, the server answers itself. */
export type BareScript = (request: BareRequest) => BareReply | undefined;

export interface BareServer {
  readonly url: string;
  readonly launch: Launch & { readonly kind: 'http' };
  readonly requests: readonly BareRequest[];
}

export async function startBareHttp(
  era: Era,
  script: BareScript,
  scope: Scope,
): Promise<BareServer> {
  const requests: BareRequest[] = [];
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await readRequest(incoming);
    requests.push(request);
    send(response, request, script(request) ?? ownReply(era, request));
  };
  const server = createServer((incoming, response) => void serve(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  scope.defer(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/mcp`;
  return { url, requests, launch: { kind: 'http', url, headers: {}, era: 'auto' } };
}

async function readRequest(incoming: IncomingMessage): Promise<BareRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const message = (text === '' ? {} : JSON.parse(text)) as JsonObject;
  const { id, method, params = {} } = message;
  return {
    httpMethod: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    id: id as number | undefined,
    method: method as string | undefined,
    params: params as JsonObject,
    message,
  };
}

/** One event of a stream. */
export function eventOf(message: JsonObject, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`;
}

function send(response: ServerResponse, request: BareRequest, reply: BareReply | 'none'): void {
  if (reply === 'none') {
    response.writeHead(request.httpMethod === 'POST' ? 202 : 405).end();
  } else if (reply.kind === 'events') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    reply.write(response);
  } else if (reply.kind === 'text') {
    response.writeHead(reply.status, { 'content-type': reply.type }).end(reply.text);
  } else {
    const { id } = request;
    const body =
      reply.kind === 'result'
        ? { jsonrpc: '2.0', id, result: reply.result }
        : { jsonrpc: '2.0', id, error: { message: 'refused', ...errorOf(reply) } };
    response.writeHead(reply.kind === 'result' ? 200 : 400, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  }
}

function errorOf({ code, data }: BareReply & { readonly kind: 'error' }): JsonObject {
  return data === undefined ? { code } : { code, data };
}

const CAPABILITIES = { tools: { listChanged: true } };
const SERVER_INFO = { name: 'bare', version: '1.0.0' };
const COMPLETE = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

function ownReply(era: Era, { method }: BareRequest): BareReply | 'none' {
  switch (method) {
    case 'server/discover':
      return era === 'legacy'
        ? { kind: 'error', code: -32_601 }
        : {
            kind: 'result',
            result: {
              ...COMPLETE,
              supportedVersions: ['2026-07-28'],
              capabilities: CAPABILITIES,
              _meta: { 'io.modelcontextprotocol/serverInfo': SERVER_INFO },
            },
          };
    case 'initialize':
      return {
        kind: 'result',
        result: {
          protocolVersion: '2025-11-25',
          capabilities: CAPABILITIES,
          serverInfo: SERVER_INFO,
        },
      };
    case 'tools/list':
      return { kind: 'result', result: { ...COMPLETE, tools: [] } };
    default:
      return 'none';
  }
}
