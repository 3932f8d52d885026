import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Scope } from '@plugboard/base';
import { scriptedServer, startScriptedHttp, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { open } from '../../src/protocol/index.ts';
import { failureOf, ports, stdioLaunch } from './cells.ts';

describe('opening a failing local server', () => {
  it('reports that the command does not exist', async () => {
    const failure = await failureOf(stdioLaunch({ command: 'no-such-command-here', args: [] }));
    expect(failure).toMatchObject({ kind: 'command-not-found', command: 'no-such-command-here' });
  });

  it('quotes the output of a server that ended at once', async () => {
    verifies('TRN-01');
    const entry = scriptedServer({ exitAtStart: { exit: 3, stderr: 'no database\n' } });
    expect(await failureOf(stdioLaunch(entry))).toEqual({
      kind: 'exited',
      exit: { code: 3, signal: null },
      evidence: { stderr: ['no database'], strayLines: 0, lastStrayLine: undefined },
    });
  });

  it('does not wait for a server whose first answer is broken', async () => {
    const failure = await failureOf(stdioLaunch(scriptedServer({ invalidJson: 'always' })));
    expect(failure).toMatchObject({ kind: 'broken-frame', evidence: { strayLines: 1 } });
  });

  it('gives up on a silent server in time and shows its output', async () => {
    verifies('CON-04');
    const launch = stdioLaunch(scriptedServer({ silent: true, chatty: true }));
    const failure = await failureOf(launch, 1500);
    expect(failure).toMatchObject({ kind: 'timeout', ms: 1500, evidence: { strayLines: 2 } });
  });

  it('can be cancelled by its signal', async () => {
    await using scope = new Scope();
    const launch = stdioLaunch(scriptedServer({ silent: true }));
    const opening = open(launch, { signal: scope.signal, timeoutMs: 60_000 }, ports);
    await scope.close();
    expect(await opening).toEqual({ ok: false, error: { kind: 'cancelled' } });
  });

  it('refuses a legacy server that is configured as modern', async () => {
    const launch = stdioLaunch(scriptedServer({ eras: ['legacy'] }), 'modern');
    expect(await failureOf(launch)).toMatchObject({ kind: 'wrong-era', wanted: 'modern' });
  });
});

describe('opening a failing remote server', () => {
  const launch = (url: string) => ({ kind: 'http', url, headers: {}, era: 'auto' }) as const;

  it('reports that nothing listens there', async () => {
    const server = await startScriptedHttp({});
    await server.close();
    expect(await failureOf(launch(`${server.url}?token=secret`))).toEqual({
      kind: 'unreachable',
      url: server.url,
      code: 'ECONNREFUSED',
    });
  });

  it.each([401, 403] as const)('reports that it demands a sign-in: %i', async (status) => {
    await using server = await startScriptedHttp({ http: { status } });
    expect(await failureOf(launch(server.url))).toEqual({
      kind: 'unauthorized',
      url: server.url,
      status,
    });
  });

  it.each([404, 500, 502] as const)('reports the status: %i', async (status) => {
    await using server = await startScriptedHttp({ http: { status } });
    expect(await failureOf(launch(server.url))).toMatchObject({ kind: 'http', status });
  });

  it('reports that a web page is not an MCP server', async () => {
    await using server = await startScriptedHttp({ http: { html: true } });
    expect(await failureOf(launch(server.url))).toMatchObject({
      kind: 'not-mcp',
      url: server.url,
      contentType: expect.stringContaining('text/html') as string,
    });
  });

  it.each([
    ['http', 'text/html; a='],
    ['http', 'application/'],
    ['sse', 'text/html; a='],
    ['sse', 'application/'],
    ['ws', 'text/html; a='],
  ] as const)(
    'quotes only the beginning of a long content type, over %s of %s',
    async (kind, type) => {
      const contentType = type + 'x'.repeat(9000);
      await using scope = new Scope();
      const server = createServer((_request, response) => {
        response.writeHead(200, { 'content-type': contentType }).end('{}');
      });
      server.on('upgrade', (_request, socket) => {
        socket.end(`HTTP/1.1 200 OK\r\nContent-Type: ${contentType}\r\nContent-Length: 0\r\n\r\n`);
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      scope.defer(() => void server.close());
      scope.defer(() => server.closeAllConnections());
      const scheme = kind === 'ws' ? 'ws' : 'http';
      const url = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
      const failure = await failureOf({ ...launch(url), kind });
      expect(JSON.stringify(failure).length).toBeLessThan(600);
    },
  );

  it('gives up on a server that answers too late', async () => {
    await using server = await startScriptedHttp({ http: { delayMs: 60_000 } });
    expect(await failureOf(launch(server.url), 300)).toEqual({ kind: 'timeout', ms: 300 });
  });
});
