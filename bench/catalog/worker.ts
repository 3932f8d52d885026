// A host with many tools in its own process: measures loading them, finding one, and deciding about a call.

import { createHost, type Host } from '@plugboard/host';
import { Catalog } from '../../packages/host/dist/catalog/index.js';
import { answerParent } from '../measure/answer-parent.ts';
import { SERVERS, TOOLS_OF_EACH } from './made-tools.ts';

export type CatalogQuestion =
  /** Lists all servers once, so that later runs know their tools. */
  | { readonly kind: 'list'; readonly port: number }
  | { readonly kind: 'measure'; readonly port: number };

export interface CatalogFigures {
  readonly buildMs: number;
  readonly heapMb: number;
  readonly decisionUs: number;
  readonly nameUs: number;
}

const TOOLS = SERVERS * TOOLS_OF_EACH;
const ROUNDS = 20_000;

/** Rules that match few tools; one denies all tools of a server. */
const PERMISSIONS = {
  ask: Array.from({ length: 100 }, (_, index) => `mcp__other${index}__write_*`),
  deny: [
    ...Array.from({ length: 99 }, (_, index) => `mcp__other${index}__delete_*`),
    'mcp__server-7__*',
  ],
};

answerParent(answer, () => process.exit());

async function answer({ kind, port }: CatalogQuestion): Promise<CatalogFigures | undefined> {
  await using host = await createHost({
    files: 'none',
    permissions: PERMISSIONS,
    servers: Object.fromEntries(
      Array.from({ length: SERVERS }, (_, index) => [
        `server-${index}`,
        { type: 'http', url: `http://127.0.0.1:${port}/${index}`, protocol: 'legacy' },
      ]),
    ),
  });
  if (kind === 'measure') return await measure(host);
  await toolsOf(host);
  return undefined;
}

async function measure(host: Host): Promise<CatalogFigures> {
  const idle = heap();
  const startedAt = performance.now();
  const tools = await toolsOf(host);
  const buildMs = performance.now() - startedAt;
  const heapMb = (heap() - idle) / 1e6;
  return { buildMs, heapMb, decisionUs: await decisionTime(host), nameUs: nameTime(tools) };
}

async function toolsOf(host: Host) {
  const { tools, problems } = await host.tools();
  if (tools.length !== TOOLS) throw new Error(`${tools.length}: ${JSON.stringify(problems[0])}`);
  return tools;
}

function heap(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** A denied call takes all steps before the request: find the tool, check the arguments, decide. */
async function decisionTime(host: Host): Promise<number> {
  const deny = async (): Promise<void> => {
    const outcome = await host.call('mcp__server-7__find_kind_49_0', { query: 'x' });
    if (outcome.kind !== 'denied') throw new Error(`it came to ${outcome.kind}`);
  };
  for (let round = 0; round < ROUNDS; round += 1) await deny();
  const startedAt = performance.now();
  for (let round = 0; round < ROUNDS; round += 1) await deny();
  return ((performance.now() - startedAt) * 1000) / ROUNDS;
}

function nameTime(tools: Awaited<ReturnType<typeof toolsOf>>): number {
  const offers = tools.map(({ server, tool, inputSchema }) => ({
    server,
    tools: [{ name: tool, inputSchema }],
    filter: {},
  }));
  const catalog = new Catalog(offers);
  const names = tools.map(({ name }) => name);
  const look = (): number => names.filter((name) => catalog.byName(name) !== undefined).length;
  if (look() !== TOOLS) throw new Error('a name is not found');
  const startedAt = performance.now();
  for (let round = 0; round < 10; round += 1) look();
  return ((performance.now() - startedAt) * 1000) / (10 * TOOLS);
}
