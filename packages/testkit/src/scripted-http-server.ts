// A scripted MCP server on HTTP: Streamable HTTP at /mcp of a free port of this machine, with
// sessions for legacy clients and without for modern ones. It lives in the process of the test,
// which must close it.

import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { headerMismatch } from './scripted-http-server/header-check.ts';
import { HttpAnswer } from './scripted-http-server/http-answer.ts';
import { appearance, bodyOf, listenOnLoopback, stopListening } from './scripted-peer.ts';
import { Dispatcher, errorAnswer } from './scripted-server/dispatcher.ts';
import { classifyEra } from './scripted-server/era.ts';
import {
  type Incoming,
  type IncomingRequest,
  METHOD_NOT_FOUND,
  methodOf,
  MISSING_CAPABILITY,
  type Outgoing,
  readMessage,
  type RequestId,
} from './scripted-server/json-rpc.ts';
import type { HttpFaults, HttpScript } from './scripted-server/script.ts';
import { pause } from './scripted-server/tool-call.ts';

export interface RecordedRequest {
  readonly httpMethod: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The JSON-RPC method of the body, where it has one. */
  readonly rpcMethod: string | undefined;
}

export interface ScriptedHttpServer extends AsyncDisposable {
  readonly url: string;
  /** Every request so far, in the order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** Drops all legacy sessions, like a restart of the server. */
  forgetSessions(): void;
  /** Answers every further request without this Authorization header with 401. */
  demand(authorization: string): void;
  close(): Promise<void>;
}

/** Receives requests before the server; returns `answered` if it has answered itself. */
export type HttpGate = (
  request: RecordedRequest,
  response: ServerResponse,
) => Promise<'answered' | 'passed'>;

export async function startScriptedHttp(
  script: HttpScript = {},
  gate?: HttpGate,
): Promise<ScriptedHttpServer> {
  const peer = new HttpPeer(script, gate);
  const port = await listenOnLoopback(peer.server);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    requests: peer.requests,
    forgetSessions: () => peer.forgetSessions(),
    demand: (authorization) => peer.demand(authorization),
    close: () => peer.close(),
    [Symbol.asyncDispose]: () => peer.close(),
  };
}

type InFlight = Map<RequestId, AbortController>;

class HttpPeer {
  readonly requests: RecordedRequest[] = [];
  readonly server: Server;
  readonly #script: HttpScript;
  readonly #gate: HttpGate | undefined;
  readonly #dispatcher: Dispatcher;
  readonly #sessions = new Map<string, InFlight>();
  readonly #sessionless = new Set<InFlight>();
  readonly #closed = new AbortController();
  #faultsLeft: number;
  #demanded: string | undefined;

  constructor(script: HttpScript, gate: HttpGate | undefined) {
    this.#script = script;
    this.#gate = gate;
    this.#faultsLeft = script.http?.times ?? Number.POSITIVE_INFINITY;
    this.#dispatcher = new Dispatcher(
      script,
      appearance(() => this.close()),
    );
    this.server = createServer((request, response) => void this.#serve(request, response));
  }

  forgetSessions(): void {
    for (const inFlight of this.#sessions.values()) abortAll(inFlight);
    this.#sessions.clear();
  }

  demand(authorization: string): void {
    this.#demanded = authorization;
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.forgetSessions();
    for (const inFlight of this.#sessionless) abortAll(inFlight);
    await stopListening(this.server);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    if (body === undefined) return;
    const message = readMessage(body);
    const { method: httpMethod = '', url: path = '', headers } = request;
    const rpcMethod = methodOf(message);
    const recorded = { httpMethod, path, headers, body, rpcMethod };
    this.requests.push(recorded);
    if ((await this.#gate?.(recorded, response)) === 'answered') return;
    if (this.#demanded !== undefined && headers.authorization !== this.#demanded) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    } else if (path.split('?')[0] !== '/mcp') response.writeHead(404).end();
    else if (httpMethod === 'DELETE') this.#endSession(headers, response);
    else if (httpMethod !== 'POST') response.writeHead(405, { allow: 'POST, DELETE' }).end();
    else await this.#post(message, headers, response);
  }

  #endSession(headers: IncomingHttpHeaders, response: ServerResponse): void {
    const id = String(headers['mcp-session-id']);
    response.writeHead(this.#sessions.delete(id) ? 200 : 404).end();
  }

  async #post(
    message: Incoming,
    headers: IncomingHttpHeaders,
    response: ServerResponse,
  ): Promise<void> {
    const faults = this.#faultsFor(message);
    if (faults.delayMs !== undefined && !(await pause(faults.delayMs, this.#closed.signal))) return;
    const answer = new HttpAnswer(response, this.#script, faults);
    if (answer.failInstead()) return;
    if (message.kind === 'unreadable') {
      answer.send(errorAnswer(null, { code: -32700, message: 'Parse error' }), '', 400);
    } else if (message.kind !== 'request') {
      const session = this.#sessions.get(String(headers['mcp-session-id']));
      const link = { inFlight: session ?? new Map(), send: () => {} };
      await this.#dispatcher.receive(message, link);
      response.writeHead(202).end();
    } else {
      await this.#request({ request: message, headers, response, answer });
    }
  }

  async #request(exchange: {
    request: IncomingRequest;
    headers: IncomingHttpHeaders;
    response: ServerResponse;
    answer: HttpAnswer;
  }): Promise<void> {
    const { request, headers, response, answer } = exchange;
    const verdict = classifyEra(request, this.#script);
    if (verdict.kind === 'refused') {
      answer.send(errorAnswer(request.id, verdict.error), request.method, 400);
      return;
    }
    if (verdict.kind === 'modern') {
      const mismatch = headerMismatch(headers, request);
      if (mismatch === undefined) await this.#modern(request, response, answer);
      else answer.send(errorAnswer(request.id, mismatch), request.method, 400);
      return;
    }
    const session = this.#session(request, headers, response);
    if (session.kind === 'none') {
      const error = { code: -32000, message: session.message };
      answer.send(errorAnswer(request.id, error), request.method, session.status);
      return;
    }
    await this.#dispatcher.receive(request, {
      inFlight: session.inFlight,
      send: (out, method) => answer.send(out, method, 200),
    });
  }

  async #modern(
    request: IncomingRequest,
    response: ServerResponse,
    answer: HttpAnswer,
  ): Promise<void> {
    const inFlight: InFlight = new Map();
    this.#sessionless.add(inFlight);
    // Without sessions, closing the response is how a client cancels.
    response.on('close', () => {
      this.#sessionless.delete(inFlight);
      abortAll(inFlight);
    });
    await this.#dispatcher.receive(request, {
      inFlight,
      send: (out, method) => answer.send(out, method, modernStatus(out)),
    });
  }

  #session(
    request: IncomingRequest,
    headers: IncomingHttpHeaders,
    response: ServerResponse,
  ):
    | { kind: 'session'; inFlight: InFlight }
    | { kind: 'none'; status: 400 | 404; message: string } {
    if (request.method === 'initialize') {
      const id = randomUUID();
      const inFlight: InFlight = new Map();
      this.#sessions.set(id, inFlight);
      response.setHeader('mcp-session-id', id);
      return { kind: 'session', inFlight };
    }
    const id = headers['mcp-session-id'];
    if (id === undefined) return { kind: 'none', status: 400, message: 'No session id' };
    const inFlight = this.#sessions.get(String(id));
    if (inFlight === undefined) return { kind: 'none', status: 404, message: 'Session not found' };
    return { kind: 'session', inFlight };
  }

  #faultsFor(message: Incoming): HttpFaults {
    const { http } = this.#script;
    if (http === undefined || this.#faultsLeft <= 0) return {};
    const method = methodOf(message) ?? '';
    if (http.methods !== undefined && !http.methods.includes(method)) return {};
    this.#faultsLeft -= 1;
    return http;
  }
}

function modernStatus(message: Outgoing): number {
  if (!('error' in message)) return 200;
  if (message.error.code === MISSING_CAPABILITY) return 400;
  return message.error.code === METHOD_NOT_FOUND ? 404 : 200;
}

function abortAll(inFlight: InFlight): void {
  for (const controller of inFlight.values()) controller.abort();
}
