import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@plugboard/base';
import { describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import type { AuthorizationPort } from '../../src/protocol/index.ts';
import { WsTransport } from '../../src/protocol/transport/ws-transport.ts';

/** A server that accepts a socket only with this token. */
async function guardedSocket(token: string) {
  const sockets = new WebSocketServer({ noServer: true });
  const shown: (string | undefined)[] = [];
  const server: Server = createServer();
  server.on('upgrade', (request, socket, head) => {
    shown.push(request.headers.authorization);
    if (request.headers.authorization === `Bearer ${token}`) {
      sockets.handleUpgrade(request, socket, head, () => {});
      return;
    }
    const refusal = ['HTTP/1.1 401 Unauthorized', 'WWW-Authenticate: Bearer scope="read"'];
    socket.end(`${refusal.join('\r\n')}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    shown,
    async [Symbol.asyncDispose]() {
      for (const client of sockets.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function transportTo(url: string, authorization: AuthorizationPort): WsTransport {
  const launch = { kind: 'ws', url, headers: {}, era: 'legacy', authorization } as const;
  return new WsTransport(launch, systemClock);
}

describe('a refused WebSocket', () => {
  it('is opened again with newer credentials', async () => {
    await using guarded = await guardedSocket('new');
    let token = 'old';
    const scopes: (string | undefined)[] = [];
    const transport = transportTo(guarded.url, {
      headersFor: () => Promise.resolve({ Authorization: `Bearer ${token}` }),
      judge({ challenge }) {
        scopes.push(challenge.scope);
        token = 'new';
        return Promise.resolve({ kind: 'repeat', why: 'renewed' });
      },
    });
    await transport.start();
    expect(guarded.shown).toEqual(['Bearer old', 'Bearer new']);
    expect(scopes).toEqual(['read']);
    await transport.close();
  });

  it('stays closed, with the reason, if there are no newer credentials', async () => {
    await using guarded = await guardedSocket('new');
    const problem = { kind: 'sign-in-needed', issuer: 'https://as.example' } as const;
    const transport = transportTo(guarded.url, {
      headersFor: () => Promise.resolve({}),
      judge: () => Promise.resolve({ kind: 'refused', problem }),
    });
    await expect(transport.start()).rejects.toMatchObject({
      failure: { kind: 'unauthorized', url: guarded.url, status: 401, reason: problem },
    });
    await transport.close();
  });
});
