// A thousand clients connect, list, call and disconnect, ten times: neither the heap nor the active resources of the
// gateway may grow.

import { setTimeout as sleep } from 'node:timers/promises';
import type { CycleServer, CycleUrl } from '../connect/cycle-server.ts';
import { figure, noneOf, type Section } from '../measure/report.ts';
import { sandbox } from '../measure/sandbox.ts';
import { SideProcess } from '../measure/side-process.ts';
import { fastEchoServer } from '../places.ts';
import { type Era, posterFor, type Target } from './mcp-posts.ts';
import { RawHttp } from './raw-http.ts';
import type { Held } from './served-gateway.ts';

const CLIENTS = 1000;
const DEFAULT_ROUNDS = 10;
const AT_A_TIME = 20;
/** A legacy client has its own processes, so only one in this many calls the stdio server; the others call a remote one. */
const STARTS_A_PROCESS = 50;
const MAX_GROWTH_PERCENT = 5;
const TOOLS = ['local__echo', 'remote__echo'] as const;
const LISTED_WITHIN_MS = 60_000;

export async function benchmarkClients(repeats = DEFAULT_ROUNDS): Promise<readonly Section[]> {
  using box = sandbox({});
  await using remote = await SideProcess.start<CycleServer, CycleUrl>('connect/cycle-server.ts', {
    env: box.env,
  });
  const { url } = await remote.ask({ eras: ['legacy', 'modern'] });
  const servers = {
    local: { command: process.execPath, args: [fastEchoServer] },
    remote: { type: 'http', url },
  };
  await using gateway = await SideProcess.start<object, Held>('gateway/served-gateway.ts', {
    env: box.env,
    args: [JSON.stringify(servers)],
    flags: ['--expose-gc'],
  });
  const { port } = await gateway.ask({});
  await untilListed(port);
  const rounds: Held[] = [];
  for (let round = 0; round < repeats; round += 1) {
    console.error(`bench: ${CLIENTS} clients come and go (${round + 1} of ${repeats}) ...`);
    await oneRound(port);
    rounds.push(await gateway.ask({}));
  }
  return [sectionOf(rounds)];
}

/** A list does not wait for servers that take long to start. */
async function untilListed(port: number): Promise<void> {
  const target: Target = { port, path: '/mcp', era: 'modern', tool: '', token: undefined };
  using connection = await RawHttp.open(port);
  const client = await posterFor(target, connection);
  for (const startedAt = performance.now(); ;) {
    const listed = await client.request(connection, { id: 0, method: 'tools/list', params: {} });
    if (TOOLS.every((tool) => listed.includes(`"${tool}"`))) return;
    if (performance.now() - startedAt > LISTED_WITHIN_MS) throw new Error(`only ${listed}`);
    await sleep(50);
  }
}

async function oneRound(port: number): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < CLIENTS) await comeAndGo(port, (next += 1));
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, lane));
}

async function comeAndGo(port: number, number: number): Promise<void> {
  const era: Era = number % 2 === 0 ? 'legacy' : 'modern';
  const isLocal = era === 'modern' || number % STARTS_A_PROCESS === 0;
  const tool = TOOLS[isLocal ? 0 : 1];
  const target: Target = { port, path: '/mcp', era, tool, token: undefined };
  using connection = await RawHttp.open(port);
  const client = await posterFor(target, connection);
  const listed = await client.request(connection, { id: 1, method: 'tools/list', params: {} });
  const params = { name: tool, arguments: { message: `client-${number}-` } };
  const called = await client.request(connection, { id: 2, method: 'tools/call', params });
  if (!listed.includes(`"${tool}"`) || !called.includes(`client-${number}-`)) {
    throw new Error(`client ${number}, ${era} era:\n${listed.slice(0, 500)}\n${called}`);
  }
  if (client.leaving !== '') await connection.post(client.leaving, '');
}

function sectionOf(rounds: readonly Held[]): Section {
  const first = rounds[0]!;
  const last = rounds.at(-1)!;
  const megabytes = ({ heapBytes }: Held): string => `${(heapBytes / 1024 / 1024).toFixed(2)} MB`;
  return {
    kind: 'figures',
    title: `${CLIENTS} clients connect, list, call and leave, ${rounds.length} times`,
    rows: [
      figure({
        name: 'growth of the heap since the first round',
        value: (last.heapBytes / first.heapBytes - 1) * 100,
        unit: '%',
        target: { kind: 'at-most', value: MAX_GROWTH_PERCENT },
        note: `${megabytes(first)} after the first, ${megabytes(last)} after the last`,
      }),
      noneOf(
        'more processes than after the first',
        Math.max(0, count(last, 'ProcessWrap') - count(first, 'ProcessWrap')),
        `${count(first, 'ProcessWrap')} then, ${count(last, 'ProcessWrap')} at the end`,
      ),
      noneOf(
        'more handles than after the first',
        Math.max(0, last.handles.length - first.handles.length),
        `${first.handles.length} then, ${last.handles.length} at the end`,
      ),
    ],
  };
}

function count({ handles }: Held, name: string): number {
  return handles.filter((each) => each === name).length;
}
