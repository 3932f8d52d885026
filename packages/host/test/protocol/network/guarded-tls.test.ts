import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Scope } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';

const file = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
const pem = (name: string): string => readFileSync(file(`tls/${name}`), 'utf8');

interface SecureServer {
  readonly port: number;
  /** The requested names, each with the name on the client certificate. */
  readonly asked: readonly string[];
}

/** A server with a certificate for mcp.test, which answers with a redirect if given one. */
async function startSecure(scope: Scope, location?: string): Promise<SecureServer> {
  const asked: string[] = [];
  const tls = { cert: pem('server.pem'), key: pem('server.key.pem'), ca: pem('ca.pem') };
  const asking = { requestCert: true, rejectUnauthorized: false };
  const server = createServer({ ...tls, ...asking }, ({ socket }, response) => {
    asked.push(greetingOf(socket as TLSSocket));
    if (location === undefined) response.end('hello');
    else response.writeHead(302, { location }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.defer(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { port: (server.address() as AddressInfo).port, asked };
}

/** The declared types lack the requested name, and do not allow a missing certificate. */
function greetingOf(socket: TLSSocket): string {
  const { servername } = socket as TLSSocket & { readonly servername: string };
  const shown = socket.getPeerCertificate().subject as { readonly CN?: string } | undefined;
  return `${servername} ${shown?.CN ?? 'nobody'}`;
}

/** The result of fetching the URL in a process that trusts the authority of the tests. */
async function outcomeOf(
  options: { url: string; home: string; addresses?: Record<string, readonly string[]> },
  env: Record<string, string> = {},
): Promise<unknown> {
  const given = JSON.stringify({ addresses: {}, ...options });
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [file('guarded-fetch.mjs'), given],
    { env: { PATH: process.env['PATH'] ?? '', NODE_EXTRA_CA_CERTS: file('tls/ca.pem'), ...env } },
  );
  return JSON.parse(stdout);
}

const CERTIFICATE = {
  PLUGBOARD_CLIENT_CERT: file('tls/client.pem'),
  PLUGBOARD_CLIENT_KEY: file('tls/client.key.pem'),
};

describe('a guarded request over TLS', () => {
  verifies('AUT-11');
  const addresses = { 'mcp.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] };

  it('checks the name of the certificate although it connects to a chosen address', async () => {
    await using scope = new Scope();
    const { port, asked } = await startSecure(scope);
    const home = 'http://localhost:1';
    expect(await outcomeOf({ url: `https://mcp.test:${port}/`, home, addresses })).toEqual({
      said: 'hello',
    });
    const url = `https://other.test:${port}/`;
    expect(await outcomeOf({ url, home, addresses })).toEqual({
      refused: { kind: 'unreachable', code: 'ERR_TLS_CERT_ALTNAME_INVALID', url },
    });
    expect(asked).toEqual(['mcp.test nobody']);
  });

  it('cannot be redirected by a remote server to this machine', async () => {
    await using scope = new Scope();
    const inner = await startSecure(scope);
    const url = `https://127.0.0.1:${inner.port}/`;
    const { port } = await startSecure(scope, url);
    const home = `https://mcp.test:${port}/`;
    expect(await outcomeOf({ url: home, home, addresses })).toEqual({
      refused: { kind: 'address', address: '127.0.0.1', range: 'loopback', url },
    });
    expect(inner.asked).toEqual([]);
    // The guard alone refuses this: the certificate of this machine would be accepted.
    expect(await outcomeOf({ url, home: 'http://localhost:1' })).toEqual({ said: 'hello' });
  });

  it('sends the client certificate to the configured server, and to no other', async () => {
    await using scope = new Scope();
    const named = await startSecure(scope);
    const server = await startSecure(scope, `https://localhost:${named.port}/`);
    const home = `https://127.0.0.1:${server.port}/`;
    const options = { url: home, home, addresses: { localhost: ['127.0.0.1'] } };
    expect(await outcomeOf(options, CERTIFICATE)).toEqual({ said: 'hello' });
    expect(server.asked).toEqual([expect.not.stringContaining('nobody')]);
    expect(named.asked).toEqual(['localhost nobody']);
  });
});
