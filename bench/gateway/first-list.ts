// The first list of a gateway with two hundred servers that it knows from an earlier run.

import { setTimeout as sleep } from 'node:timers/promises';
import { SERVERS, TOOLS_OF_EACH } from '../catalog/made-tools.ts';
import { figure, type Section } from '../measure/report.ts';
import { type Sandbox, sandbox } from '../measure/sandbox.ts';
import { SideProcess } from '../measure/side-process.ts';
import { spreadOf } from '../measure/statistics.ts';
import { posterFor, type Target } from './mcp-posts.ts';
import { RawHttp } from './raw-http.ts';
import type { Held } from './served-gateway.ts';

const DEFAULT_ROUNDS = 5;
const MOST_MS = 1000;
const TOOLS = SERVERS * TOOLS_OF_EACH;
const KNOWN_WITHIN_MS = 120_000;

export async function benchmarkFirstList(repeats = DEFAULT_ROUNDS): Promise<readonly Section[]> {
  using box = sandbox({});
  await using tools = await SideProcess.start<object, number>('catalog/tool-servers.ts');
  const port = await tools.ask({});
  console.error(`bench: a gateway lists ${SERVERS} servers once ...`);
  await withGateway(box, port, untilAllAreKnown);
  const took: ListTime[] = [];
  for (let round = 0; round < repeats; round += 1) {
    console.error(`bench: the first list of a gateway (${round + 1} of ${repeats}) ...`);
    took.push(await withGateway(box, port, firstList));
  }
  return [
    {
      kind: 'figures',
      title: `the first list of a gateway with ${SERVERS} servers, all ${TOOLS} tools of it`,
      rows: [
        figure({
          name: 'the first page, from the stored catalogue, in a new process',
          value: spreadOf(took.map(({ firstMs }) => firstMs)).median,
          unit: 'ms',
          target: { kind: 'at-most', value: MOST_MS },
        }),
        figure({
          name: 'all pages, one after another',
          value: spreadOf(took.map(({ allMs }) => allMs)).median,
          unit: 'ms',
          target: { kind: 'none' },
        }),
      ],
    },
  ];
}

async function withGateway<T>(
  box: Sandbox,
  serversAt: number,
  use: (target: Target) => Promise<T>,
): Promise<T> {
  const servers = Object.fromEntries(
    Array.from({ length: SERVERS }, (_, index) => [
      `server-${index}`,
      { type: 'http', url: `http://127.0.0.1:${serversAt}/${index}`, protocol: 'legacy' },
    ]),
  );
  await using gateway = await SideProcess.start<object, Held>('gateway/served-gateway.ts', {
    env: box.env,
    args: [JSON.stringify(servers)],
    flags: ['--expose-gc'],
  });
  const { port } = await gateway.ask({});
  return await use({ port, path: '/mcp', era: 'modern', tool: '', token: undefined });
}

interface ListTime {
  readonly firstMs: number;
  readonly allMs: number;
}

/** Waits until all tools are there: late ones are announced, and listed again. */
async function firstList(target: Target): Promise<ListTime> {
  const startedAt = performance.now();
  for (;;) {
    const beganAfter = performance.now() - startedAt;
    const { listed, firstMs, allMs } = await listAll(target);
    if (listed === TOOLS) return { firstMs: beganAfter + firstMs, allMs: beganAfter + allMs };
    if (beganAfter > KNOWN_WITHIN_MS) throw new Error(`${listed} of ${TOOLS} tools were listed`);
    await sleep(50);
  }
}

async function untilAllAreKnown(target: Target): Promise<void> {
  const startedAt = performance.now();
  while ((await listAll(target)).listed < TOOLS) {
    if (performance.now() - startedAt > KNOWN_WITHIN_MS) throw new Error('servers are missing');
    await sleep(500);
  }
}

/** The number of tools on all pages. */
async function listAll(target: Target): Promise<ListTime & { readonly listed: number }> {
  using connection = await RawHttp.open(target.port);
  const client = await posterFor(target, connection);
  const startedAt = performance.now();
  let firstMs = 0;
  let listed = 0;
  let cursor: string | undefined;
  do {
    const params = cursor === undefined ? {} : { cursor };
    const body = await client.request(connection, { id: listed, method: 'tools/list', params });
    if (cursor === undefined) firstMs = performance.now() - startedAt;
    const { result } = JSON.parse(body) as {
      result: { tools: readonly unknown[]; nextCursor?: string };
    };
    listed += result.tools.length;
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  return { listed, firstMs, allMs: performance.now() - startedAt };
}
