// A scripted MCP server on WebSocket: one JSON-RPC message per message at /mcp of a free port of this
// machine, in both eras. It lives in the process of the test, which must close it.

import { createHash } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { HttpGate } from './scripted-http-server.ts';
import { appearance, listenOnLoopback, stopListening } from './scripted-peer.ts';
import { Dispatcher, encode, type Link } from './scripted-server/dispatcher.ts';
import { readMessage } from './scripted-server/json-rpc.ts';
import type { CommonScript } from './scripted-server/script.ts';
import {
  closeFrame,
  FrameReader,
  pongFrame,
  textFrame,
  textHead,
} from './scripted-ws-server/frames.ts';

export interface WsScript extends CommonScript {
  readonly ws?: {
    /** Refuses the upgrade with this status. */
    readonly refuse?: number;
    /** Opens the socket without agreeing on a subprotocol. */
    readonly noSubprotocol?: true;
    /** Closes with this code as soon as it is open. */
    readonly closeAtOnce?: number;
  };
}

export interface ScriptedWsServer extends AsyncDisposable {
  readonly url: string;
  /** The headers of every upgrade request so far. */
  readonly handshakes: readonly IncomingHttpHeaders[];
  /** The close codes of clients. */
  readonly closedWith: readonly number[];
  /** Sends this text to every client, as a message. */
  say(text: string): void;
  /** Starts a message with this declared length to every client. */
  startMessage(bytes: number): void;
  /** Closes every socket with this code, or cuts it without a code. */
  hangUp(code?: number): void;
  close(): Promise<void>;
}

export async function startScriptedWs(
  script: WsScript = {},
  gate?: HttpGate,
): Promise<ScriptedWsServer> {
  const peer = new WsPeer(script, gate);
  const port = await listenOnLoopback(peer.server);
  const write = (bytes: Buffer): void => peer.sockets.forEach((socket) => socket.write(bytes));
  return {
    url: `ws://127.0.0.1:${port}/mcp`,
    handshakes: peer.handshakes,
    closedWith: peer.closedWith,
    say: (text) => write(textFrame(text)),
    startMessage: (bytes) => write(textHead(bytes)),
    hangUp(code) {
      for (const socket of peer.sockets) {
        if (code === undefined) socket.destroy();
        else socket.end(closeFrame(code));
      }
    },
    close: () => peer.close(),
    [Symbol.asyncDispose]: () => peer.close(),
  };
}

const PAGE = '<!doctype html><html><body><h1>Not here</h1></body></html>';
/** https://www.rfc-editor.org/rfc/rfc6455#section-1.3 */
const ACCEPT_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

class WsPeer {
  readonly server = createServer((request, response) => void this.#page(request, response));
  readonly sockets = new Set<Duplex>();
  readonly handshakes: IncomingHttpHeaders[] = [];
  readonly closedWith: number[] = [];
  readonly #script: WsScript;
  readonly #gate: HttpGate | undefined;
  readonly #dispatcher: Dispatcher;

  constructor(script: WsScript, gate: HttpGate | undefined) {
    this.#script = script;
    this.#gate = gate;
    this.#dispatcher = new Dispatcher(
      script,
      appearance(() => this.close()),
    );
    this.server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
      void this.#upgrade(request, socket);
    });
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await stopListening(this.server);
  }

  async #page(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (await this.#isStopped(request, response)) return;
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
  }

  async #isStopped(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const { method: httpMethod = '', url: path = '', headers } = request;
    const recorded = { httpMethod, path, headers, body: '', rpcMethod: undefined };
    return (await this.#gate?.(recorded, response)) === 'answered';
  }

  async #upgrade(request: IncomingMessage, socket: Socket): Promise<void> {
    const { headers } = request;
    this.handshakes.push(headers);
    const { refuse, noSubprotocol, closeAtOnce } = this.#script.ws ?? {};
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    // A client may disconnect at any time.
    socket.on('error', () => socket.destroy());
    // A refused upgrade gets an ordinary HTTP response.
    const response = new ServerResponse(request);
    response.assignSocket(socket);
    response.once('finish', () => socket.end());
    if (await this.#isStopped(request, response)) return;
    response.detachSocket(socket);
    if (refuse !== undefined) {
      const head = `HTTP/1.1 ${refuse} Refused\r\ncontent-type: text/html\r\nconnection: close`;
      socket.end(`${head}\r\ncontent-length: ${PAGE.length}\r\n\r\n${PAGE}`);
      return;
    }
    const key = `${headers['sec-websocket-key']}${ACCEPT_GUID}`;
    const lines = [
      'HTTP/1.1 101 Switching Protocols',
      'upgrade: websocket',
      'connection: Upgrade',
      `sec-websocket-accept: ${createHash('sha1').update(key).digest('base64')}`,
      ...(noSubprotocol === true ? [] : ['sec-websocket-protocol: mcp']),
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    if (closeAtOnce === undefined) this.#serve(socket);
    else socket.resume().end(closeFrame(closeAtOnce));
  }

  #serve(socket: Duplex): void {
    const link: Link = {
      inFlight: new Map(),
      send: (message, method) => {
        if (socket.writable) socket.write(textFrame(encode(message, method, this.#script)));
      },
    };
    const reader = new FrameReader();
    socket.on('data', (chunk: Buffer) => {
      for (const frame of reader.push(chunk)) {
        if (frame.kind === 'message') void this.#dispatcher.receive(readMessage(frame.text), link);
        else if (frame.kind === 'ping') socket.write(pongFrame(frame.payload));
        else if (frame.kind === 'close') {
          this.closedWith.push(frame.code);
          socket.end(closeFrame(frame.code));
        }
      }
    });
    socket.on('close', () => {
      for (const controller of link.inFlight.values()) controller.abort();
    });
  }
}
