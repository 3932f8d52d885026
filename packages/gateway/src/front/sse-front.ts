// HTTP+SSE of revision 2024-11-05, for old clients: a stream for each client, which begins with the address for the client's
// messages. All messages to the client go over the stream.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type GatewayCore, PendingWork } from '../session/index.ts';
import type { BodyRoom } from './body-room.ts';
import { EventStream } from './event-stream.ts';
import { admit, type GuardOptions } from './http-guard.ts';
import { refuse } from './http-reply.ts';
import { type FrontOptions, hasRoom, type HttpLimits } from './limits.ts';
import { readBody } from './read-body.ts';
import { TOO_MANY_SESSIONS } from './refusal.ts';
import { StreamClient } from './stream-client.ts';

const STREAMS = /^\/sse(?=$|[/?])/;
const MESSAGES = /^\/messages(?=$|\?)/;

interface SseClient {
  readonly principal: string;
  readonly client: StreamClient;
  readonly stream: EventStream;
}

export class SseFront implements AsyncDisposable {
  readonly #core: GatewayCore;
  readonly #guard: GuardOptions;
  readonly #limits: HttpLimits;
  readonly #room: BodyRoom;
  readonly #clients = new Map<string, SseClient>();
  readonly #closing = new PendingWork();

  constructor(core: GatewayCore, { guard, limits, room }: FrontOptions) {
    this.#core = core;
    this.#guard = guard;
    this.#limits = limits;
    this.#room = room;
  }

  /** Whether a request is for one of its addresses. */
  isFor({ url = '' }: IncomingMessage): boolean {
    return STREAMS.test(url) || MESSAGES.test(url);
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const verdict = admit(request, this.#guard, this.#core);
    const { url = '', method } = request;
    const wanted = STREAMS.test(url) ? 'GET' : 'POST';
    if (verdict.kind === 'refused') refuse(response, verdict.refusal);
    else if (method !== wanted) {
      const headers = { Allow: wanted };
      refuse(response, { status: 405, reason: 'Method not allowed', headers });
    } else if (wanted === 'GET') this.#open(url, response, verdict.principal);
    else void this.#post(request, response, verdict.principal);
  };

  #open(url: string, response: ServerResponse, principal: string): void {
    const path = url.replace(STREAMS, '/mcp');
    const endpoint = this.#core.endpointAt(path);
    if (endpoint === undefined) {
      refuse(response, { status: 404, reason: this.#core.nothingAt(path) });
      return;
    }
    const principals = Array.from(this.#clients.values(), (each) => each.principal);
    if (!hasRoom(principals, principal, this.#limits)) {
      refuse(response, TOO_MANY_SESSIONS);
      return;
    }
    const id = randomBytes(24).toString('base64url');
    const stream = new EventStream(response, {
      limits: this.#limits,
      clock: this.#core.options.clock,
    });
    const send = (text: string): void => stream.sendText('message', text);
    const client = new StreamClient({ core: this.#core, endpoint, principal, front: 'sse', send });
    this.#clients.set(id, { principal, client, stream });
    response.once('close', () => this.#end(id));
    stream.sendText('endpoint', `/messages?sessionId=${id}`);
  }

  async #post(
    request: IncomingMessage,
    response: ServerResponse,
    principal: string,
  ): Promise<void> {
    const id = new URLSearchParams((request.url ?? '').split('?')[1]).get('sessionId') ?? '';
    const known = this.#clients.get(id);
    if (known?.principal !== principal) {
      refuse(response, { status: 404, reason: 'There is no such session' });
      return;
    }
    const take = this.#room.of(principal, response);
    const body = await readBody(request, this.#limits.bodyBytes, take);
    if (body.ok) {
      response.writeHead(202).end();
      void known.client.receive(body.value);
    } else if (body.error !== 'broken') {
      refuse(response, body.error);
    }
  }

  #end(id: string): void {
    const known = this.#clients.get(id);
    if (known === undefined) return;
    this.#clients.delete(id);
    known.stream.end();
    void this.#closing.add(known.client[Symbol.asyncDispose]());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const id of [...this.#clients.keys()]) this.#end(id);
    await this.#closing.ended();
  }
}
