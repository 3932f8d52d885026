// Routes the allowed requests: the protocol of both eras is on `/mcp` and `POST /`, the state on `/health`. Requests of
// legacy clients without a session are answered one at a time.

import {
  createMcpHandler,
  type InMemoryServerEventBus,
  isInitializeRequest,
  isJsonContentType,
  isLegacyRequest,
  type McpHttpHandler,
  type McpServer,
  readRequestBody,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { type Clock, type Logger, messageOf } from '@plugboard/base';
import { readMessage } from '../wire/read-message.ts';
import { LegacySessions } from './legacy-sessions.ts';

export interface Health {
  readonly status: 'ok' | 'root-gone';
  readonly [more: string]: unknown;
}

export interface RouteOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly bus: InMemoryServerEventBus;
  /** Creates a server object for a session of the legacy era. */
  readonly createForSession: () => McpServer;
  /** Creates a server object for one request. */
  readonly createForRequest: () => McpServer;
  readonly health: () => Promise<Health>;
}

export const MOST_BODY_BYTES = 4 * 1024 * 1024;
const REFUSED = -32_000;

export class Routes {
  readonly #options: RouteOptions;
  readonly #modern: McpHttpHandler;
  readonly #sessions: LegacySessions;

  constructor(options: RouteOptions) {
    this.#options = options;
    const { clock, logger, bus, createForSession, createForRequest } = options;
    this.#sessions = new LegacySessions({ clock, create: createForSession });
    this.#modern = createMcpHandler(() => createForRequest(), {
      legacy: 'reject',
      bus,
      maxRequestBodySize: MOST_BODY_BYTES,
      onerror: (error) => logger.log('debug', 'a request failed', { reason: messageOf(error) }),
    });
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname === '/health') return this.#health(request);
    if (pathname === '/mcp') return this.#protocol(request);
    if (pathname === '/' && request.method === 'POST') return this.#protocol(request);
    return refusal(404, 'there is nothing here; the protocol is on /mcp');
  };

  async close(): Promise<void> {
    await Promise.allSettled([this.#modern.close(), this.#sessions.close()]);
  }

  async #health(request: Request): Promise<Response> {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return refusal(405, 'only GET is answered here', { allow: 'GET, HEAD' });
    }
    const health = { ...(await this.#options.health()), sessions: this.#sessions.count };
    const status = health.status === 'ok' ? 200 : 503;
    return Response.json(health, { status, headers: { 'cache-control': 'no-store' } });
  }

  async #protocol(request: Request): Promise<Response> {
    if (request.method !== 'POST') return this.#sessionStream(request);
    if (!isJsonContentType(request.headers.get('content-type'))) {
      return refusal(415, 'Content-Type must be application/json');
    }
    const body = await readRequestBody(request, MOST_BODY_BYTES);
    if (body.tooLarge) {
      return refusal(413, `the body has more than ${MOST_BODY_BYTES} bytes`);
    }
    const read = readMessage(body.text, MOST_BODY_BYTES);
    if (read.kind === 'refused') return Response.json(read.reply, { status: 400 });
    if (!(await isLegacyRequest(request, read.body))) {
      return this.#modern.fetch(request, { parsedBody: read.body });
    }
    return this.#legacy(request, read.body);
  }

  /** `GET` opens a stream of a session, and `DELETE` ends the session. */
  async #sessionStream(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    const isAllowed = request.method === 'GET' || request.method === 'DELETE';
    if (id === null || !isAllowed) {
      return refusal(405, 'Method not allowed', { allow: 'POST' });
    }
    return (await this.#sessions.answer(id, request, undefined)) ?? noSession();
  }

  async #legacy(request: Request, body: unknown): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id !== null) return (await this.#sessions.answer(id, request, body)) ?? noSession();
    if (isInitializeRequest(body) && acceptsStreams(request))
      return this.#sessions.open(request, body);
    return this.#once(request, body);
  }

  /** Creates a server object for a single request of a client without a session. */
  async #once(request: Request, body: unknown): Promise<Response> {
    const server = this.#options.createForRequest();
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: !acceptsStreams(request),
    });
    await server.connect(transport);
    request.signal.addEventListener('abort', () => void server.close(), { once: true });
    const response = await transport.handleRequest(acceptingAll(request), { parsedBody: body });
    return closingAfter(response, server);
  }
}

function acceptsStreams(request: Request): boolean {
  return (request.headers.get('accept') ?? '').includes('text/event-stream');
}

/** Simple clients accept nothing explicitly, or only JSON; the transport requires both media types. */
function acceptingAll(request: Request): Request {
  if (acceptsStreams(request)) return request;
  const headers = new Headers(request.headers);
  headers.set('accept', 'application/json, text/event-stream');
  return new Request(request.url, { method: request.method, headers, signal: request.signal });
}

/** Closes the server object when the answer has been sent. */
function closingAfter(response: Response, server: McpServer): Response {
  const { body, status, headers } = response;
  if (body === null) {
    void server.close();
    return response;
  }
  const piped = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      flush: () => void server.close(),
    }),
  );
  return new Response(piped, { status, headers });
}

function noSession(): Response {
  return refusal(404, 'Session not found; begin with initialize');
}

function refusal(status: number, message: string, headers: Record<string, string> = {}): Response {
  const body = { jsonrpc: '2.0', id: null, error: { code: REFUSED, message } };
  return Response.json(body, { status, headers });
}
