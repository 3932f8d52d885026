import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Scope } from '@plugboard/base';
import {
  startConnectProxy,
  startScriptedHttp,
  startScriptedSse,
  startScriptedWs,
  verifies,
  WAIT_MS,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('fixtures/open-session.mjs', import.meta.url));
const file = (name: string): string =>
  fileURLToPath(new URL(`fixtures/tls/${name}`, import.meta.url));
const pem = (name: string): string => readFileSync(file(name), 'utf8');

const AUTHORITY = { NODE_EXTRA_CA_CERTS: file('ca.pem') };
const CERTIFICATE = {
  PLUGBOARD_CLIENT_CERT: file('client.pem'),
  PLUGBOARD_CLIENT_KEY: file('client.key.pem'),
};
const HI = { ok: true, value: { content: [{ type: 'text', text: 'hi' }], isError: false } };

type Kind = 'http' | 'sse' | 'ws';
const KINDS: readonly Kind[] = ['http', 'sse', 'ws'];
const SETTLES_WITHIN_MS = 20_000;

/** A scripted server behind TLS; `wants` decides whether it requests a client certificate. */
async function startSecure(
  kind: Kind,
  scope: Scope,
  wants: 'certificate' | 'nothing' = 'nothing',
): Promise<URL> {
  const start = { http: startScriptedHttp, sse: startScriptedSse, ws: startScriptedWs }[kind];
  const plain = new URL(scope.use(await start()).url);
  const isWanted = wants === 'certificate';
  const server = createServer({
    cert: pem('server.pem'),
    key: pem('server.key.pem'),
    ca: pem('ca.pem'),
    requestCert: isWanted,
    rejectUnauthorized: isWanted,
  });
  server.on('secureConnection', (outer) => {
    const inner = connect(Number(plain.port), '127.0.0.1');
    outer.on('error', () => inner.destroy());
    inner.on('error', () => outer.destroy());
    outer.on('close', () => inner.destroy());
    inner.on('close', () => outer.destroy());
    outer.pipe(inner).pipe(outer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.defer(async () => {
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return new URL(plain.href.replace(/^(http|ws):/, '$1s:').replace(plain.port, String(port)));
}

/** What a process with this environment receives from the server. */
async function asked(
  kind: Kind,
  url: URL,
  env: Record<string, string>,
  timeoutMs = WAIT_MS,
): Promise<unknown> {
  const launch = { kind, url: url.href, headers: {}, era: 'auto' };
  const run = promisify(execFile);
  const { stdout } = await run(
    process.execPath,
    [PROGRAM, JSON.stringify(launch), String(timeoutMs)],
    {
      env: { PATH: process.env['PATH'] ?? '', ...env },
    },
  );
  return JSON.parse(stdout);
}

describe('a server behind TLS', () => {
  it.each(KINDS)('is trusted by an extra authority: %s', async (kind) => {
    verifies('TRN-10');
    await using scope = new Scope();
    const url = await startSecure(kind, scope);
    expect(await asked(kind, url, AUTHORITY)).toEqual(HI);
    expect(await asked(kind, url, {})).toEqual({
      ok: false,
      error: { kind: 'unreachable', url: url.href, code: 'SELF_SIGNED_CERT_IN_CHAIN' },
    });
  });

  it.each(KINDS)('receives the client certificate of this user: %s', async (kind) => {
    verifies('TRN-10');
    await using scope = new Scope();
    const url = await startSecure(kind, scope, 'certificate');
    expect(await asked(kind, url, { ...AUTHORITY, ...CERTIFICATE })).toEqual(HI);
    // Node 20's fetch sometimes never settles here.
    expect(await asked(kind, url, AUTHORITY, SETTLES_WITHIN_MS)).toMatchObject({
      ok: false,
      error: { kind: expect.stringMatching(/^(?:unreachable|timeout)$/u) as string },
    });
  });

  it.each(KINDS)('is reached and checked through a proxy: %s', async (kind) => {
    verifies('TRN-10');
    await using scope = new Scope();
    const url = await startSecure(kind, scope, 'certificate');
    const proxy = scope.use(await startConnectProxy({ port: Number(url.port) }));
    const env = { ...AUTHORITY, ...CERTIFICATE, HTTPS_PROXY: proxy.url };
    url.host = 'mcp.test:8443';
    expect(await asked(kind, url, env)).toEqual(HI);
    expect(new Set(proxy.asked.map(({ authority }) => authority))).toEqual(
      new Set(['mcp.test:8443']),
    );
    url.host = 'other.test:8443';
    expect(await asked(kind, url, env)).toMatchObject({
      error: { kind: 'unreachable', code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
    });
  });

  it('cannot be reached with an unreadable certificate', async () => {
    await using scope = new Scope();
    const url = await startSecure('http', scope);
    const env = { ...AUTHORITY, PLUGBOARD_CLIENT_CERT: '/no/such/file.pem' };
    expect(await asked('http', url, env)).toMatchObject({
      error: { kind: 'unreachable', code: 'CLIENT_CERTIFICATE_UNREADABLE' },
    });
  });
});
