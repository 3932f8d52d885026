// Passes requests from the server to hosts. Each goes to one host, under an id that only that host can answer. If the host
// is ambiguous or cannot answer, the server gets the answer that INBOUND_REQUESTS defines for this case.

import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { RequestId } from '../frame/failed-answer.ts';
import {
  INBOUND_REQUESTS,
  type InboundReply,
  type InboundRequest,
  inboundRequest,
  UNKNOWN_METHOD,
} from '../neutral/inbound-requests.ts';
import type { Handshake } from './handshake.ts';
import type { Fields, Line, SwitchboardPorts } from './line.ts';

interface OpenRequest {
  readonly line: Line;
  /** The id that the server chose. */
  readonly id: RequestId;
  readonly request: InboundRequest;
}

const MAX_OPEN = 256;

export class ServerRequests {
  readonly #ports: SwitchboardPorts;
  readonly #handshake: Handshake;
  readonly #open = new Map<string, OpenRequest>();
  #lastId = 0;

  constructor(ports: SwitchboardPorts, handshake: Handshake) {
    this.#ports = ports;
    this.#handshake = handshake;
  }

  /** Passes a request on to the host at the end of `line`, if there is one and it can answer. */
  ask(
    { id, method, params }: { id: RequestId; method: string; params?: Fields | undefined },
    line: Line | undefined,
  ): void {
    const request = inboundRequest(method);
    if (request === undefined) {
      this.#reply(id, method === 'ping' ? { result: {} } : { error: UNKNOWN_METHOD });
      return;
    }
    const isTooMany = this.#open.size >= MAX_OPEN;
    if (line === undefined || isTooMany || !this.#handshake.canAnswer(line, request)) {
      this.#replyFor(id, request);
      return;
    }
    this.#lastId += 1;
    const own = `server-${this.#lastId}`;
    this.#open.set(own, { line, id, request });
    line.deliver({ jsonrpc: '2.0', id: own, method, ...(params === undefined ? {} : { params }) });
  }

  /** Takes the answer of a host. Only the host that got the request can answer, and only once. */
  answer(line: Line, message: JSONRPCMessage & { id?: RequestId | undefined }): void {
    const open = this.#open.get(String(message.id));
    if (open === undefined || open.line !== line) return;
    this.#open.delete(String(message.id));
    if ('result' in message) this.#reply(open.id, { result: message.result });
    else if ('error' in message) this.#reply(open.id, { error: message.error });
  }

  hasOpenRequest(line: Line): boolean {
    return [...this.#open.values()].some((open) => open.line === line);
  }

  /** Cancels a request of the server. Returns whether there was one. */
  cancel(params: Fields | undefined): boolean {
    for (const [own, { line, id }] of this.#open) {
      if (id !== params?.['requestId']) continue;
      this.#open.delete(own);
      const method = 'notifications/cancelled';
      line.deliver({ jsonrpc: '2.0', method, params: { ...params, requestId: own } });
      return true;
    }
    return false;
  }

  leave(line: Line): void {
    for (const [own, open] of this.#open) {
      if (open.line !== line) continue;
      this.#open.delete(own);
      this.#replyFor(open.id, open.request);
    }
  }

  /** Answers in place of a host. */
  #replyFor(id: RequestId, { method, unanswered }: InboundRequest): void {
    const { roots, note } = this.#ports;
    if (method === INBOUND_REQUESTS.roots.method && roots !== undefined) {
      this.#reply(id, { result: { roots: roots.map(({ uri, name }) => ({ uri, name })) } });
      return;
    }
    note(`${method} was not answered: it is not clear which host it is for, or that host cannot`);
    this.#reply(id, unanswered);
  }

  #reply(id: RequestId, answer: InboundReply): void {
    this.#ports.toServer({ jsonrpc: '2.0', id, ...answer } as JSONRPCMessage);
  }
}
