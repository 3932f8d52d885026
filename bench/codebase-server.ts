// The whole server as a process on a tree: the time of answers during and after indexing, and the memory of all its
// processes when idle. Vectors come from a service in this process, so that all are there soon; the embedded model
// would have ended by then.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { figure, type Figure, type Section } from './measure/report.ts';
import { seededRandom } from './measure/seeded-random.ts';
import { codebaseBin, idleIndex } from './places.ts';

const DIMENSIONS = 384;
const IDLE_QUESTIONS = 30;
const QUESTIONS = ['where is a value parsed', 'close the connection', 'retry after an error'];
const WORDS = ['parse', 'connection', 'retry'];
const MOST_IDLE_MB = 150;
/** While the tree is indexed: longer than when idle, but short enough that the server does not seem to hang. */
const MOST_BUSY_MS = 1500;
const PATIENCE_MS = 20 * 60_000;

interface QueryTimes {
  readonly text: number[];
  readonly ranked: number[];
}

export async function measureServer(tree: string, cache: string): Promise<Section> {
  const service = await startEmbeddings();
  const { port } = service.address() as AddressInfo;
  const embedder = `openai:http://127.0.0.1:${port}#bench`;
  const args = ['--root', tree, '--cache', cache, '--embedder', embedder, '--http', '0'];
  const child = spawn(process.execPath, [codebaseBin, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    const url = await addressOf(child);
    console.error('asking the server while it indexes');
    const busy = await askWhileIndexing(url);
    const idle: QueryTimes = { text: [], ranked: [] };
    for (let number = 0; number < IDLE_QUESTIONS; number += 1) await askBoth(url, number, idle);
    console.error('waiting until the server is idle');
    await until(() => childrenOf(child.pid!).length === 0);
    // The server keeps results for a minute, for requests for the next page.
    await pause(75_000);
    const { chunks, semantic_coverage: coverage } = await indexOf(url);
    const bare = Number(execFileSync(process.execPath, [idleIndex], { env: {} }).toString());
    const memory = rssOf(child.pid!) - bare;
    const note = `${chunks} chunks, ${Math.round(coverage * 100)}% with vectors; bare Node ${(bare / 1e6).toFixed(0)} MB`;
    return {
      kind: 'figures',
      title: 'index: the whole server',
      rows: [
        ...times('search_code', busy.text, idle.text),
        ...times('search_by_embedding', busy.ranked, idle.ranked),
        figure({
          name: 'idle memory above bare Node, after a first indexing',
          value: memory / 1e6,
          unit: 'MB',
          target: { kind: 'at-most', value: MOST_IDLE_MB },
          note,
        }),
      ],
    };
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    service.close();
    service.closeAllConnections();
  }
}

function times(tool: string, busy: readonly number[], idle: readonly number[]): readonly Figure[] {
  return [
    figure({
      name: `${tool} while indexing, 95 of 100 within`,
      value: quantile(busy, 0.95),
      unit: 'ms',
      target: { kind: 'at-most', value: MOST_BUSY_MS },
      note: `median ${quantile(busy, 0.5).toFixed(0)} of ${busy.length}`,
    }),
    figure({
      name: `${tool} idle, 95 of 100 within`,
      value: quantile(idle, 0.95),
      unit: 'ms',
      target: { kind: 'none' },
      note: `median ${quantile(idle, 0.5).toFixed(0)} of ${idle.length}`,
    }),
  ];
}

/** A ranked query waits for the word index of a new tree; it is sent from then on, while vectors arrive. */
async function askWhileIndexing(url: string): Promise<QueryTimes> {
  const asked: QueryTimes = { text: [], ranked: [] };
  const endsAt = performance.now() + PATIENCE_MS;
  for (let number = 0; performance.now() < endsAt; number += 1) {
    const { state, semantic_coverage: coverage } = await indexOf(url);
    if (state === 'ready') return asked;
    if (coverage > 0) await askBoth(url, number, asked);
    else asked.text.push(await timeOf(url, 'search_code', WORDS[number % WORDS.length]!));
    await pause(200);
  }
  throw new Error('the index was not ready in time');
}

async function askBoth(url: string, number: number, asked: QueryTimes): Promise<void> {
  asked.text.push(await timeOf(url, 'search_code', WORDS[number % WORDS.length]!));
  const question = QUESTIONS[number % QUESTIONS.length]!;
  asked.ranked.push(await timeOf(url, 'search_by_embedding', question));
}

async function timeOf(url: string, name: string, query: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name, arguments: { query } },
    }),
  });
  const text = await response.text();
  if (!text.includes('"result"') || text.includes('"isError":true')) throw new Error(text);
  return performance.now() - startedAt;
}

interface IndexHealth {
  readonly state: string;
  readonly chunks: number;
  readonly semantic_coverage: number;
}

async function indexOf(url: string): Promise<IndexHealth> {
  const response = await fetch(new URL('/health', url));
  return ((await response.json()) as { readonly index: IndexHealth }).index;
}

async function addressOf(child: ChildProcess): Promise<string> {
  let said = '';
  child.stderr?.on('data', (piece: Buffer) => (said += piece.toString('utf8')));
  let address: string | undefined;
  await until(() => {
    if (child.exitCode !== null) throw new Error(said);
    address = /listening on (\S+)/.exec(said)?.[1];
    return address !== undefined;
  });
  return address!;
}

/** Linux only. */
function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const parent = / \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1];
      return Number(parent) === pid ? [Number(name)] : [];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}

function rssOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024;
}

async function startEmbeddings(): Promise<Server> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { input } = JSON.parse(Buffer.concat(pieces).toString()) as { input: string[] };
      const data = input.map((text, index) => ({ index, embedding: vectorOf(text) }));
      response.end(JSON.stringify({ data }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function vectorOf(text: string): readonly number[] {
  let seed = 7;
  for (let at = 0; at < text.length; at += 1) seed = (seed * 31 + text.charCodeAt(at)) | 0;
  const random = seededRandom(seed);
  return Array.from({ length: DIMENSIONS }, () => Math.round((random() - 0.5) * 1000) / 1000);
}

async function until(isSo: () => boolean): Promise<void> {
  const endsAt = performance.now() + PATIENCE_MS;
  while (!isSo()) {
    if (performance.now() > endsAt) throw new Error('it took too long');
    await pause(100);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
