// A tunnelling proxy (HTTP CONNECT) on real sockets. It connects every host name to one given port, so that tests can
// use names that do not exist.

import { createServer, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { listenOnLoopback, stopListening } from './scripted-peer.ts';

export interface ConnectProxy extends AsyncDisposable {
  readonly url: string;
  /** The requested tunnels, with their credentials. */
  readonly asked: readonly { readonly authority: string; readonly credentials: string }[];
}

export async function startConnectProxy(options: {
  readonly port: number;
  /** Refuses every tunnel with this status. */
  readonly refuse?: number;
}): Promise<ConnectProxy> {
  const asked: { authority: string; credentials: string }[] = [];
  const sockets = new Set<Duplex>();
  const server = createServer();
  server.on('connect', ({ url = '', headers }: IncomingMessage, client: Duplex) => {
    asked.push({ authority: url, credentials: headers['proxy-authorization'] ?? '' });
    if (options.refuse !== undefined) {
      client.end(`HTTP/1.1 ${options.refuse} No\r\n\r\n`);
      return;
    }
    const target = connect(options.port, '127.0.0.1');
    for (const [end, other] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(end);
      end.on('error', () => end.destroy());
      end.on('close', () => other.destroy());
    }
    target.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(target).pipe(client);
    });
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await stopListening(server);
    },
  };
}
