// Uses the server from a page in a real browser, which has its own origin.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  missingBrowser,
  startBrowser,
  tempFolder,
  type TempFolder,
  type TestBrowser,
  verifies,
} from '@plugboard/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type HttpServerProcess, startHttp } from './server-process.ts';

const missing = missingBrowser();
beforeEach(({ skip }) => skip(missing !== undefined, missing));

let chromium: TestBrowser;
let place: TempFolder;
let server: HttpServerProcess;
let pages: Server;
let port: number;

beforeAll(async () => {
  if (missing !== undefined) return;
  place = await tempFolder();
  await place.write('tree/a.txt', 'needle');
  server = await startHttp([
    ...['--root', join(place.path, 'tree'), '--cache', join(place.path, 'cache')],
    ...['--embedder', 'none'],
  ]);
  pages = createServer((_, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>A page</title>');
  });
  await new Promise<void>((resolve) => {
    pages.listen(0, '127.0.0.1', resolve);
  });
  ({ port } = pages.address() as AddressInfo);
  chromium = await startBrowser();
});
afterAll(async () => {
  if (missing !== undefined) return;
  await chromium[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await new Promise((resolve) => pages.close(resolve));
  await place[Symbol.asyncDispose]();
});

/** The result for a page at this address: a session and what a tool finds, or the error of the browser. */
async function asked(address: string) {
  const { page } = await chromium.open();
  await page.goto(address);
  return page.evaluate(async (url) => {
    const send = (id: number, method: string, params: object, session?: string) =>
      fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(session === undefined ? {} : { 'mcp-session-id': session }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      });
    try {
      const hello = await send(1, 'initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'page', version: '1.0.0' },
      });
      const session = hello.headers.get('mcp-session-id') ?? undefined;
      const call = { name: 'search_code', arguments: { query: 'needle' } };
      const found = await send(2, 'tools/call', call, session);
      return { hasSession: session !== undefined, text: await found.text() };
    } catch (thrown) {
      return { failure: String(thrown) };
    }
  }, server.url);
}

describe('a page in a browser', () => {
  it('on this machine starts a session and calls a tool', async () => {
    verifies('COD-09');
    for (const host of ['localhost', '127.0.0.1']) {
      expect(await asked(`http://${host}:${port}/`)).toEqual({
        hasSession: true,
        text: expect.stringContaining('a.txt') as string,
      });
    }
  });

  it('with an origin that is not allowed receives nothing', async () => {
    verifies('COD-09');
    const { failure } = (await asked('data:text/html,<title>A page</title>')) as {
      failure?: string;
    };
    expect(failure).toContain('Failed to fetch');
  });
});
