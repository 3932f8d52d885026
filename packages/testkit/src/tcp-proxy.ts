// A proxy between a host and an HTTP server of this machine, on real sockets: it can break, slow and
// stop what passes, and answer in the server's place. It lives in the process of the test, which must
// close it.

import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { listenOnLoopback } from './scripted-peer.ts';
import { answerBytes, type ProxyAnswer } from './tcp-proxy/proxy-answer.ts';
import { RequestSplitter } from './tcp-proxy/request-splitter.ts';

export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  /** How many connections of clients are open now. */
  readonly connections: number;
  /** The address through the proxy: of the path given, else of the target's own. */
  url(path?: string): string;
  /** Lets everything pass again, including what was held back. */
  resume(): void;
  /** Ends all connections, and each new one as soon as it is made. */
  cut(): void;
  /** Ends all connections by a reset (RST). New ones are served as before. */
  reset(): void;
  /** Holds every piece back for at least so long. */
  delay(ms: number): void;
  /** Passes nothing more in either direction, while connections stay and new ones are accepted. */
  hold(): void;
  /** Answers the next requests itself; the server does not see them. */
  answer(answer: ProxyAnswer, options?: { readonly times?: number }): void;
  close(): Promise<void>;
}

/** `target`: a port of this machine, or a URL there. */
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
  /** Aborted at every change, so that waiting code looks again. */
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

  /** Resolves when a piece that has just arrived may go on. */
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
      // The client may have gone already; either way it must not get a connection.
      client.on('error', () => {}).destroy();
      return;
    }
    const server = connect({ port: this.#targetPort, host: '127.0.0.1', allowHalfOpen: true });
    const connection = new Connection({ client, server }, this);
    this.connections.add(connection);
    client.once('close', () => this.connections.delete(connection));
  }
}

/** One client's connection and the one to the server that it stands for. */
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

  /** Passes the client's requests on, but for those that are answered here. */
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

/** Whether the time went by before the signal. */
async function elapsed(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await pause(ms, undefined, { signal });
    return true;
  } catch {
    // It can only have been the signal.
    return false;
  }
}
