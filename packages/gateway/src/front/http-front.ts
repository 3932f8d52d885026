// The gateway over HTTP: Streamable HTTP of both eras at each address.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestSignal, type Result } from '@plugboard/base';
import type { Endpoint } from '../endpoint/index.ts';
import {
  INVALID_PARAMS,
  LEGACY_REVISIONS,
  METHOD_NOT_FOUND,
  readMessage,
  type RpcMessage,
  type RpcReply,
  type RpcRequest,
  textOr,
} from '../message/index.ts';
import { answerModern, type GatewayCore, isModern } from '../session/index.ts';
import { EventStream, type EventStreamOptions } from './event-stream.ts';
import { admit, type GuardOptions } from './http-guard.ts';
import { HttpReply, refuse, sendJson } from './http-reply.ts';
import { type HttpSession, HttpSessions } from './http-sessions.ts';
import type { FrontOptions, HttpLimits } from './limits.ts';
import { headerProblem, parameterProblem } from './modern-headers.ts';
import type { BodyRoom } from './body-room.ts';
import { type BodyProblem, readBody } from './read-body.ts';
import { TOO_MANY_SESSIONS } from './refusal.ts';

const SESSION_HEADER = 'mcp-session-id';

interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly endpoint: Endpoint;
  readonly principal: string;
}

export class HttpFront implements AsyncDisposable {
  readonly #core: GatewayCore;
  readonly #guard: GuardOptions;
  readonly #limits: HttpLimits;
  readonly #streams: EventStreamOptions;
  readonly #room: BodyRoom;
  readonly sessions: HttpSessions;
  /** The requests of modern clients that are being answered. */
  readonly #running = new Map<RequestSignal, Promise<void>>();

  constructor(core: GatewayCore, { guard, limits, room }: FrontOptions) {
    this.#core = core;
    this.#guard = guard;
    this.#limits = limits;
    this.#streams = { limits, clock: core.options.clock };
    this.sessions = new HttpSessions(core, limits);
    this.#room = room;
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const verdict = admit(request, this.#guard, this.#core);
    if (verdict.kind === 'refused') {
      refuse(response, verdict.refusal);
      return;
    }
    const { url = '/' } = request;
    const endpoint = this.#core.endpointAt(url);
    if (endpoint === undefined) {
      refuse(response, { status: 404, reason: this.#core.nothingAt(url) });
      return;
    }
    const call = { request, response, endpoint, principal: verdict.principal };
    switch (request.method) {
      case 'POST':
        this.#post(call);
        break;
      case 'GET':
        this.#get(call);
        break;
      case 'DELETE':
        void this.#delete(call);
        break;
      default:
        refuse(response, {
          status: 405,
          reason: 'Method not allowed',
          headers: { Allow: 'POST, GET, DELETE' },
        });
    }
  };

  /** Cancels the running requests and waits for their replies. */
  async [Symbol.asyncDispose](): Promise<void> {
    const answers = [...this.#running.values()];
    for (const signal of this.#running.keys()) signal.abort();
    await Promise.all([...answers, this.sessions[Symbol.asyncDispose]()]);
  }

  #post(call: Call): void {
    const take = this.#room.of(call.principal, call.response);
    void readBody(call.request, this.#limits.bodyBytes, take).then((body) =>
      this.#read(call, body),
    );
  }

  #read(call: Call, body: Result<string, BodyProblem>): void {
    const { request, response } = call;
    if (!body.ok) {
      if (body.error !== 'broken') refuse(response, body.error);
      return;
    }
    const message = readMessage(body.value);
    if (message.kind === 'unsound') {
      const { id, error } = message;
      sendJson(response, { status: 400, body: { jsonrpc: '2.0', id, error } });
    } else if (message.kind === 'request' && this.#isModern(request, message)) {
      const signal = new RequestSignal();
      const answer = this.#modern(call, message, signal).finally(() =>
        this.#running.delete(signal),
      );
      this.#running.set(signal, answer);
    } else if (message.kind === 'request' && message.method === 'initialize') {
      void this.#initialize(call, message);
    } else {
      this.#inSession(call, message);
    }
  }

  #isModern({ headers }: IncomingMessage, message: RpcRequest): boolean {
    if (isModern(message)) return true;
    const version = headers['mcp-protocol-version'];
    const known: readonly string[] = LEGACY_REVISIONS;
    // An unknown version is refused as such, and not because there is no session.
    return (
      typeof version === 'string' &&
      !known.includes(version) &&
      headers[SESSION_HEADER] === undefined
    );
  }

  async #modern(
    { request, response, endpoint, principal }: Call,
    message: RpcRequest,
    signal: RequestSignal,
  ): Promise<void> {
    const reply = new HttpReply(request, response, this.#streams);
    const onGone = (): void => signal.abort();
    response.once('close', onGone);
    const problem =
      headerProblem(request.headers, message) ??
      (message.method === 'tools/call'
        ? parameterProblem(
            request.headers,
            message,
            (await endpoint.lists.tool(textOr(message.params['name']), signal))?.inputSchema,
          )
        : undefined);
    const answered =
      problem ??
      (await answerModern(message, {
        core: this.#core,
        endpoint,
        principal,
        front: 'http',
        signal,
        headers: request.rawHeaders,
        notify: (method, params) => void reply.send({ method, params }),
      }));
    // Every response closes in the end, and an abort would build an error with its stack.
    response.off('close', onGone);
    reply.end(message.id, answered, statusOf(answered));
  }

  async #initialize(
    { request, response, endpoint, principal }: Call,
    message: RpcRequest,
  ): Promise<void> {
    const session = this.sessions.create(endpoint, principal);
    if (session === undefined) {
      refuse(response, TOO_MANY_SESSIONS);
      return;
    }
    const reply = new HttpReply(request, response, {
      ...this.#streams,
      headers: { 'Mcp-Session-Id': session.id },
    });
    const answered = await session.request(message, reply, { headers: request.rawHeaders });
    if ('error' in answered || response.destroyed) await this.sessions.end(session);
    reply.end(message.id, answered);
  }

  #inSession(call: Call, message: RpcMessage): void {
    const session = this.#sessionOf(call);
    if (session === undefined) return;
    if (message.kind === 'request') {
      void this.#answer(call, session, message);
      return;
    }
    if (message.kind === 'notification') session.session.notification(message);
    if (message.kind === 'answer') session.session.answer(message.id, message.reply);
    call.response.writeHead(202).end();
  }

  async #answer(
    { request, response }: Call,
    session: HttpSession,
    message: RpcRequest,
  ): Promise<void> {
    const reply = new HttpReply(request, response, this.#streams);
    const signal = new RequestSignal();
    // The reply can no longer be delivered.
    const onGone = (): void => signal.abort(new Error('The client has left'));
    response.once('close', onGone);
    const headers = request.rawHeaders;
    const answered = await session.request(message, reply, { signal, headers });
    response.off('close', onGone);
    reply.end(message.id, answered);
  }

  #get(call: Call): void {
    const { request, response } = call;
    if (!/text\/event-stream/.test(request.headers.accept ?? '')) {
      refuse(response, { status: 406, reason: 'A stream is of the type text/event-stream' });
      return;
    }
    const session = this.#sessionOf(call);
    const lastSeen = request.headers['last-event-id'];
    session?.outbox.attach(
      new EventStream(response, this.#streams),
      typeof lastSeen === 'string' ? lastSeen : undefined,
    );
  }

  async #delete(call: Call): Promise<void> {
    const session = this.#sessionOf(call);
    if (session === undefined) return;
    await this.sessions.end(session);
    call.response.writeHead(204).end();
  }

  #sessionOf({ request, response, endpoint, principal }: Call): HttpSession | undefined {
    const id = request.headers[SESSION_HEADER];
    const version = request.headers['mcp-protocol-version'] ?? LEGACY_REVISIONS[0];
    if (!(LEGACY_REVISIONS as readonly unknown[]).includes(version)) {
      refuse(response, { status: 400, reason: 'The session has no such protocol version' });
      return undefined;
    }
    const session = this.sessions.find(id, endpoint, principal);
    if (session !== undefined) return session;
    if (id === undefined) {
      refuse(response, { status: 400, reason: 'The header Mcp-Session-Id is missing' });
    } else {
      const reason = 'There is no such session. Start again with "initialize".';
      refuse(response, { status: 404, reason });
    }
    return undefined;
  }
}

/** Errors that refuse the request itself have their own status. */
function statusOf(reply: RpcReply): number {
  if (!('error' in reply)) return 200;
  const { code } = reply.error;
  if (code === METHOD_NOT_FOUND) return 404;
  return code <= -32_020 && code >= -32_029 ? 400 : code === INVALID_PARAMS ? 400 : 200;
}
