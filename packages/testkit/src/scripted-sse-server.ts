// A scripted MCP server on HTTP+SSE, the transport of revision 2024-11-05: a stream at /sse, and an
// address to post to. It lives in the process of the test, which must close it.

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { HttpGate } from './scripted-http-server.ts';
import { appearance, bodyOf, listenOnLoopback, stopListening } from './scripted-peer.ts';
import { Dispatcher, encode, type Link } from './scripted-server/dispatcher.ts';
import { type Incoming, methodOf, readMessage } from './scripted-server/json-rpc.ts';
import type { CommonScript } from './scripted-server/script.ts';

export interface SseScript extends CommonScript {
  readonly sse?: {
    /** The response to a POST to the address of the stream. */
    readonly refusePost?: { readonly status: number; readonly body?: string };
    /** The response in place of the stream. */
    readonly refuseStream?: { readonly status: number; readonly contentType?: string };
    /** The address for messages in place of the right one; `none` sends no address. */
    readonly endpoint?: string;
    /** The response to posted messages of a method, which are then ignored. */
    readonly refuseMessages?: { readonly status: number; readonly method: string };
  };
}

export interface ScriptedSseServer extends AsyncDisposable {
  readonly url: string;
  /** `GET /sse`, `POST /messages`, … in the order of arrival. */
  readonly requests: readonly string[];
  /** Sends these bytes on every stream. */
  say(bytes: string): void;
  /** Ends every stream; `cut` breaks the connection instead. */
  endStreams(how?: 'end' | 'cut'): void;
  close(): Promise<void>;
}

export async function startScriptedSse(
  script: SseScript = {},
  gate?: HttpGate,
): Promise<ScriptedSseServer> {
  const peer = new SsePeer(script, gate);
  const port = await listenOnLoopback(peer.server);
  return {
    url: `http://127.0.0.1:${port}/sse`,
    requests: peer.requests,
    say: (bytes) => peer.streams.forEach(({ response }) => response.write(bytes)),
    endStreams(how = 'end') {
      for (const { response } of peer.streams.values()) {
        if (how === 'end') response.end();
        else response.destroy();
      }
    },
    close: () => peer.close(),
    [Symbol.asyncDispose]: () => peer.close(),
  };
}

interface Stream {
  readonly response: ServerResponse;
  readonly link: Link;
}

class SsePeer {
  readonly server = createServer((request, response) => void this.#serve(request, response));
  readonly streams = new Map<string, Stream>();
  readonly requests: string[] = [];
  readonly #script: SseScript;
  readonly #gate: HttpGate | undefined;
  readonly #dispatcher: Dispatcher;

  constructor(script: SseScript, gate: HttpGate | undefined) {
    this.#script = script;
    this.#gate = gate;
    this.#dispatcher = new Dispatcher(
      script,
      appearance(() => this.close()),
    );
  }

  async close(): Promise<void> {
    await stopListening(this.server);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    if (body === undefined) return;
    const { method: httpMethod = '', url: path = '/', headers } = request;
    const { pathname, searchParams } = new URL(path, 'http://localhost');
    this.requests.push(`${httpMethod} ${pathname}`);
    const message = readMessage(body);
    const rpcMethod = methodOf(message);
    const recorded = { httpMethod, path, headers, body, rpcMethod };
    if ((await this.#gate?.(recorded, response)) === 'answered') return;
    const stream = this.streams.get(searchParams.get('session') ?? '');
    if (`${httpMethod} ${pathname}` === 'GET /sse') this.#open(response);
    else if (pathname === '/sse') this.#refusePost(response);
    else if (stream === undefined) response.writeHead(404).end();
    else this.#take(message, stream, response);
  }

  #refusePost(response: ServerResponse): void {
    const { status, body = 'Cannot POST /sse' } = this.#script.sse?.refusePost ?? { status: 404 };
    response.writeHead(status, { 'content-type': 'text/plain' }).end(body);
  }

  #open(response: ServerResponse): void {
    const { refuseStream, endpoint } = this.#script.sse ?? {};
    if (refuseStream !== undefined) {
      const { status, contentType = 'text/plain' } = refuseStream;
      response.writeHead(status, { 'content-type': contentType }).end('no stream here');
      return;
    }
    const session = randomUUID();
    const link: Link = {
      inFlight: new Map(),
      send: (message, method) => {
        const text = encode(message, method, this.#script);
        if (response.writable) response.write(`event: message\ndata: ${text}\n\n`);
      },
    };
    this.streams.set(session, { response, link });
    response.on('close', () => {
      this.streams.delete(session);
      for (const controller of link.inFlight.values()) controller.abort();
    });
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    const address = endpoint ?? `/messages?session=${session}`;
    if (address !== 'none') response.write(`event: endpoint\ndata: ${address}\n\n`);
  }

  #take(message: Incoming, { link }: Stream, response: ServerResponse): void {
    const refused = this.#script.sse?.refuseMessages;
    if (refused !== undefined && methodOf(message) === refused.method) {
      response.writeHead(refused.status, { 'content-type': 'text/plain' }).end('no');
      return;
    }
    response.writeHead(202).end('Accepted');
    void this.#dispatcher.receive(message, link);
  }
}
