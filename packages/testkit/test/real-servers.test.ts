import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startPeer } from '../src/peer-process.ts';
import { isAlive, processTree } from '../src/processes.ts';
import {
  context7,
  dbhub,
  everything,
  filesystem,
  github,
  type HttpPeerProcess,
  memory,
  playwright,
  startContext7Http,
  startDbhubHttp,
  startEverythingHttp,
  startEverythingSse,
  startPlaywright,
} from '../src/real-servers.ts';
import { tempFolder } from '../src/temp-folder.ts';
import { modernMeta, RawClient } from './raw-client.ts';

const hello = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
};

it.each([
  ['everything', () => everything(), 'mcp-servers/everything', '2025-11-25'],
  ['filesystem', filesystem, 'secure-filesystem-server', '2025-11-25'],
  ['memory', (root: string) => memory(join(root, 'm.json')), 'memory-server', '2025-11-25'],
  ['context7', context7, 'Context7', '2025-11-25'],
  ['playwright', playwright, 'Playwright', '2025-11-25'],
  ['github', github, 'github-mcp-server', '2024-11-05'],
])('the published server %s starts over stdio', async (_, entryIn, name, protocolVersion) => {
  await using folder = await tempFolder();
  await using client = new RawClient(entryIn(folder.path));
  const { result } = await client.request('initialize', hello);
  expect(result).toMatchObject({ serverInfo: { name }, protocolVersion });
});

it.each([
  ['dbhub', dbhub],
  ['context7', context7],
])('the published server %s starts in the modern era', async (_, entry) => {
  await using client = new RawClient(entry());
  const { result } = await client.request('server/discover', { _meta: modernMeta });
  expect(result).toMatchObject({ supportedVersions: ['2026-07-28'], resultType: 'complete' });
});

async function initialize(url: string): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello }),
  });
  return response.text();
}

/** The first event of an HTTP+SSE server, which says where to post. */
async function firstEvent(url: string): Promise<string> {
  const abort = new AbortController();
  const response = await fetch(url, { signal: abort.signal });
  const first = await response.body?.getReader().read();
  abort.abort();
  return Buffer.from(first?.value as Uint8Array).toString('utf8');
}

it.each([
  ['everything', startEverythingHttp, initialize, 'mcp-servers/everything'],
  ['everything over SSE', startEverythingSse, firstEvent, 'event: endpoint'],
  ['dbhub', startDbhubHttp, initialize, 'DBHub MCP Server'],
  ['context7', startContext7Http, initialize, 'Context7'],
  ['playwright', () => startPlaywright('http'), initialize, 'Playwright'],
  ['playwright over SSE', () => startPlaywright('sse'), firstEvent, 'event: endpoint'],
])('the published server %s starts on HTTP and stops again', async (_, start, ask, words) => {
  let server: HttpPeerProcess;
  {
    await using started = await start();
    server = started;
    expect(await ask(server.url)).toContain(words);
  }
  expect([isAlive(server.pid), processTree(server.pid)]).toEqual([false, []]);
});

it('a published server that ends at its start is reported with its output', async () => {
  const program = 'console.error("no key"); process.exitCode = 1';
  const start = {
    entry: () => ({ command: process.execPath, args: ['-e', program] }),
    ready: /listening/,
  };
  await expect(startPeer(start)).rejects.toMatchObject({
    code: 'peer-did-not-start',
    message: 'a peer ended at its start: no key\n',
  });
});
