// WebSocket, at the same paths as Streamable HTTP: one client of either era per socket. The guard decides before the upgrade.
// A socket whose peer vanished is detected by its silence.

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { failed, INVALID_REQUEST, MESSAGE_LIMITS } from '../message/index.ts';
import { type GatewayCore, PendingWork } from '../session/index.ts';
import type { BodyRoom } from './body-room.ts';
import { admit, type GuardOptions } from './http-guard.ts';
import { type FrontOptions, hasRoom, type HttpLimits } from './limits.ts';
import { type Refusal, TOO_MANY_SESSIONS, TOO_MUCH } from './refusal.ts';
import { SocketRoom } from './socket-room.ts';
import { StreamClient } from './stream-client.ts';

const SUBPROTOCOL = 'mcp';
/** A socket that sends nothing between two pings is closed. */
const PING_MS = 30_000;
const UNSUPPORTED_DATA = 1003;
const GOING_AWAY = 1001;
const TRY_AGAIN_LATER = 1013;
/** How long a refused client has to read the reason. */
const GOODBYE_MS = 1000;

export class WsFront implements AsyncDisposable {
  readonly #core: GatewayCore;
  readonly #guard: GuardOptions;
  readonly #limits: HttpLimits;
  readonly #room: BodyRoom;
  /** The principal of each socket. */
  readonly #sockets = new Map<WebSocket, string>();
  readonly #closing = new PendingWork();
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MESSAGE_LIMITS.maxLength,
    handleProtocols: () => SUBPROTOCOL,
  });

  constructor(core: GatewayCore, { guard, limits, room }: FrontOptions) {
    this.#core = core;
    this.#guard = guard;
    this.#limits = limits;
    this.#room = room;
  }

  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Before the upgrade there is no other listener, and a client may disconnect at any time.
    socket.on('error', () => socket.destroy());
    const verdict = admit(request, this.#guard, this.#core);
    if (verdict.kind === 'refused') return refuseUpgrade(socket, verdict.refusal);
    const { url = '/' } = request;
    const endpoint = this.#core.endpointAt(url);
    if (endpoint === undefined) {
      return refuseUpgrade(socket, { status: 404, reason: this.#core.nothingAt(url) });
    }
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',');
    if (!offered.some((name) => name.trim() === SUBPROTOCOL)) {
      const reason = `The subprotocol has to be "${SUBPROTOCOL}"`;
      return refuseUpgrade(socket, { status: 400, reason });
    }
    const { principal } = verdict;
    if (!hasRoom([...this.#sockets.values()], principal, this.#limits)) {
      return refuseUpgrade(socket, TOO_MANY_SESSIONS);
    }
    this.#server.handleUpgrade(request, socket, head, (opened) => {
      this.#sockets.set(opened, principal);
      const send = (text: string): void => this.#send(opened, text);
      const client = new StreamClient({
        core: this.#core,
        endpoint,
        principal,
        front: 'websocket',
        send,
      });
      const room = new SocketRoom(this.#room, principal);
      room.watch(opened, socket, () => this.#refuse(opened));
      this.#serve(opened, client, room);
    });
  };

  #serve(socket: WebSocket, client: StreamClient, room: SocketRoom): void {
    let isAlive = true;
    const alive = (): void => {
      isAlive = true;
    };
    const { clock } = this.#core.options;
    let watch: Disposable;
    const ping = (): void => {
      if (!isAlive) {
        socket.terminate();
        return;
      }
      isAlive = false;
      socket.ping();
      watch = clock.after(PING_MS, ping);
    };
    watch = clock.after(PING_MS, ping);
    socket.on('pong', alive);
    // Each ping is answered by a pong, which also waits for the client to read.
    socket.on('ping', () => this.#cutUnread(socket));
    socket.on('message', (data: Buffer, isBinary) => {
      alive();
      if (socket.readyState !== socket.OPEN) return;
      if (isBinary) socket.close(UNSUPPORTED_DATA, 'Messages are text');
      else room.hold(data.length, client.receive(data.toString('utf8')));
    });
    socket.on('error', () => socket.terminate());
    socket.once('close', () => {
      watch[Symbol.dispose]();
      room[Symbol.dispose]();
      this.#sockets.delete(socket);
      void this.#closing.add(client[Symbol.asyncDispose]());
    });
  }

  /** Sends, or disconnects a client that does not read before it fills the memory. */
  #send(socket: WebSocket, text: string): void {
    if (socket.readyState === socket.OPEN && !this.#cutUnread(socket)) socket.send(text);
  }

  #cutUnread(socket: WebSocket): boolean {
    const isUnread = socket.bufferedAmount > this.#limits.unreadBytes;
    if (isUnread) socket.terminate();
    return isUnread;
  }

  /** Closes the socket and reads nothing more. */
  #refuse(socket: WebSocket): void {
    if (socket.readyState !== socket.OPEN) return;
    socket.close(TRY_AGAIN_LATER, TOO_MUCH);
    socket.pause();
    const end = this.#core.options.clock.after(GOODBYE_MS, () => socket.terminate());
    socket.once('close', () => end[Symbol.dispose]());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.drop();
    await this.#closing.ended();
  }

  /** Closes the sockets that are open. */
  async drop(): Promise<void> {
    const closing = [...this.#sockets.keys()].map(
      (socket) =>
        new Promise<void>((resolve) => {
          socket.once('close', () => resolve());
          socket.close(GOING_AWAY);
          // Does not wait for the close frame of the client.
          socket.terminate();
        }),
    );
    await Promise.all(closing);
  }
}

const PHRASES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  503: 'Service Unavailable',
};

function refuseUpgrade(socket: Duplex, { status, reason, headers = {} }: Refusal): void {
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, ...failed(INVALID_REQUEST, reason) });
  const lines = [
    `HTTP/1.1 ${status} ${PHRASES[status] ?? ''}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
