// A proxy between a host and an HTTP server of this machine, on real sockets: it can cut, delay and stop the traffic,
// and answer in the server's place. It runs in the process of the test, which must close it.

import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { listenOnLoopback } from './scripted-peer.ts';
import { answerBytes, type ProxyAnswer } from './tcp-proxy/proxy-answer.ts';
import { RequestSplitter } from './tcp-proxy/request-splitter.ts';

export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  /** The number of open client connections. */
  readonly connections: number;
  /** The address through the proxy; its path is that of the target by default. */
  url(path?: string): string;
  /** Passes everything again, including held bytes. */
  resume(): void;
  /** Ends all connections, and every new one at once. */
  cut(): void;
  /** Resets all connections (RST). New ones are served as before. */
  reset(): void;
  /** Delays every chunk by at least this time. */
  delay(ms: number): void;
  /** Passes nothing in either direction; connections stay open, and new ones are accepted. */
  hold(): void;
  /** Answers the next requests itself; the server does not receive them. */
  answer(answer: ProxyAnswer, options?: { readonly times?: number }): void;
  close(): Promise<void>;
}

/** `target` is a port of this machine, or a URL on it. */
export async function startTcpProxy(options: {
  readonly target: number | string;
}): Promise<TcpProxy> {
  const { target } = options;
  const own = typeof target === 'number' ? undefined : new URL(target);
  const proxy = new ProxyServer(own === undefined ? Number(target) : Number(own.port));
  const port = await listenOnLoopback(proxy.server);
  return {
    port,
    get connections() {
      return proxy.connections.size;
    },
    url: (path = own === undefined ? '/' : `${own.pathname}${own.search}`) =>
      `http://127.0.0.1:${port}${path}`,
    resume: () => proxy.become({ kind: 'pass' }),
    cut() {
      proxy.become({ kind: 'cut' });
      for (const connection of proxy.connections) connection.end();
    },
    reset() {
      for (const connection of proxy.connections) connection.reset();
    },
    delay: (ms) => proxy.become({ kind: 'delay', ms }),
    hold: () => proxy.become({ kind: 'hold' }),
    answer(answer, { times = 1 } = {}) {
      proxy.answers.push(...Array.from({ length: times }, () => answer));
    },
    close: () => proxy.close(),
    [Symbol.asyncDispose]: () => proxy.close(),
  };
}

type Mode =
  | { readonly kind: 'pass' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'hold' }
  | { readonly kind: 'delay'; readonly ms: number };

class ProxyServer {
  readonly server: Server;
  readonly connections = new Set<Connection>();
  readonly answers: ProxyAnswer[] = [];
  readonly #targetPort: number;
  #mode: Mode = { kind: 'pass' };
  /** Aborted at every change, so that waiting code reads the new mode. */
  #modeLeft = new AbortController();

  constructor(targetPort: number) {
    this.#targetPort = targetPort;
    this.server = createServer({ allowHalfOpen: true }, (client) => this.#accept(client));
  }

  become(mode: Mode): void {
    this.#mode = mode;
    this.#modeLeft.abort();
    this.#modeLeft = new AbortController();
  }

  /** Resolves when a chunk that has just arrived may pass. */
  async gate(gone: AbortSignal): Promise<void> {
    for (;;) {
      const mode = this.#mode;
      if (mode.kind === 'pass' || mode.kind === 'cut' || gone.aborted) return;
      const changed = AbortSignal.any([this.#modeLeft.signal, gone]);
      if (mode.kind === 'hold') await once(changed, 'abort');
      else if (await elapsed(mode.ms, changed)) return;
    }
  }

  async close(): Promise<void> {
    this.become({ kind: 'cut' });
    for (const connection of this.connections) connection.end();
    if (!this.server.listening) return;
    this.server.close();
    await once(this.server, 'close');
  }

  #accept(client: Socket): void {
    if (this.#mode.kind === 'cut') {
      // The client may have disconnected already.
      client.on('error', () => {}).destroy();
      return;
    }
    const server = connect({ port: this.#targetPort, host: '127.0.0.1', allowHalfOpen: true });
    const connection = new Connection({ client, server }, this);
    this.connections.add(connection);
    client.once('close', () => this.connections.delete(connection));
  }
}

/** The connection of a client, and the connection to the server for it. */
class Connection {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #proxy: ProxyServer;
  readonly #gone = new AbortController();

  constructor(sockets: { readonly client: Socket; readonly server: Socket }, proxy: ProxyServer) {
    this.#client = sockets.client;
    this.#server = sockets.server;
    this.#proxy = proxy;
    for (const socket of [this.#client, this.#server]) {
      socket.setNoDelay(true).on('error', () => this.end());
    }
    this.#client.pipe(this.#gated(this.#answering())).pipe(this.#server);
    this.#server.pipe(this.#gated((chunk) => [chunk])).pipe(this.#client);
  }

  end(): void {
    this.#gone.abort();
    this.#client.destroy();
    this.#server.destroy();
  }

  reset(): void {
    this.#gone.abort();
    this.#client.resetAndDestroy();
    this.#server.destroy();
  }

  #gated(filter: (chunk: Buffer) => Buffer[]): Transform {
    const gate = (): Promise<void> => this.#proxy.gate(this.#gone.signal);
    return new Transform({
      async transform(chunk: Buffer, _encoding, done) {
        const passing = filter(chunk);
        await gate();
        for (const bytes of passing) this.push(bytes);
        done();
      },
      async flush(done) {
        await gate();
        done();
      },
    });
  }

  /** Passes the client's requests on, except those that the proxy answers. */
  #answering(): (chunk: Buffer) => Buffer[] {
    const splitter = new RequestSplitter();
    let answer: ProxyAnswer | undefined;
    return (chunk) =>
      splitter.push(chunk).flatMap((piece) => {
        if (piece.kind === 'head') answer = this.#proxy.answers.shift();
        if (answer === undefined) return piece.kind === 'end' ? [] : [piece.bytes];
        if (piece.kind === 'end') this.#client.write(answerBytes(answer));
        return [];
      });
  }
}

/** Whether the time passed before the signal aborted. */
async function elapsed(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await pause(ms, undefined, { signal });
    return true;
  } catch {
    // Only the signal can reject.
    return false;
  }
}
