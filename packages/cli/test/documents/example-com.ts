// What stands for example.com: an MCP server at https://example.com/mcp that wants a sign-in, and the authorization
// server https://login.example.com. Both are of this process. The command reaches them as it reaches the network at
// work: through a proxy, with a certificate authority of its own.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { Scope } from '@plugboard/base';
import {
  type AuthorizationServer,
  startAuthorizationServer,
  startConnectProxy,
  startProtectedServer,
} from '@plugboard/testkit';

export interface ExampleCom extends AsyncDisposable {
  readonly issuer: AuthorizationServer;
  /** What the environment of a command needs to get there. */
  readonly env: Readonly<Record<string, string>>;
}

const file = (name: string): string =>
  fileURLToPath(new URL(`fixtures/tls/${name}`, import.meta.url));

export async function startExampleCom(): Promise<ExampleCom> {
  const scope = new Scope();
  const issuer = scope.use(
    await startAuthorizationServer({
      publicOrigin: 'https://login.example.com',
      deviceIntervalSeconds: 1,
    }),
  );
  const server = scope.use(
    await startProtectedServer({
      issuer,
      publicOrigin: 'https://example.com',
      scopes: { always: ['read'] },
    }),
  );
  const port = await startFront(scope, {
    'example.com': portOf(server.url),
    'login.example.com': portOf(issuer.address),
  });
  const proxy = scope.use(await startConnectProxy({ port }));
  return {
    issuer,
    env: { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: file('ca.pem') },
    [Symbol.asyncDispose]: () => scope[Symbol.asyncDispose](),
  };
}

/** Speaks TLS under these names, and leads to the plain ports behind them. */
async function startFront(scope: Scope, ports: Readonly<Record<string, number>>): Promise<number> {
  const [cert, key] = ['server.pem', 'server.key.pem'].map((name) => readFileSync(file(name)));
  const front = createServer({ cert, key });
  const sockets = new Set<TLSSocket>();
  front.on('secureConnection', (outer: TLSSocket & { servername?: string }) => {
    sockets.add(outer);
    const inner = connect(ports[outer.servername ?? ''] ?? 1, '127.0.0.1');
    for (const [end, other] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      end.on('error', () => other.destroy());
      end.on('close', () => other.destroy());
    }
    outer.on('close', () => sockets.delete(outer));
    outer.pipe(inner).pipe(outer);
  });
  // A client that does not trust the certificate has ended the connection.
  front.on('tlsClientError', () => {});
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  scope.defer(async () => {
    for (const socket of sockets) socket.destroy();
    front.close();
    await once(front, 'close');
  });
  return (front.address() as AddressInfo).port;
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
