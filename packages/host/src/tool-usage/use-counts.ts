// Counts uses of tools with an exponential decay: in how many conversations a server was offered, and in how many each of
// its tools was called. Counts that have decayed to almost nothing are removed. Pure.

import { type Instant, isObject, parseJson } from '@plugboard/base';

export interface ServerUses {
  /** The time to which the counts have decayed. */
  readonly at: Instant;
  readonly conversations: number;
  readonly tools: ReadonlyMap<string, number>;
}

export type UseCounts = ReadonlyMap<string, ServerUses>;

/** The uses that a conversation adds. */
export interface NewUses {
  /** The servers that it offered. */
  readonly servers: ReadonlySet<string>;
  readonly tools: readonly UsedTool[];
}

export interface UsedTool {
  readonly server: string;
  /** Its name on the server. */
  readonly tool: string;
}

const HALF_LIFE_MS = 14 * 24 * 60 * 60_000;
/** A single conversation decays to this in two months. */
const FORGOTTEN_BELOW = 0.05;
const MOST_SERVERS = 200;
const MOST_TOOLS = 100;
const LONGEST_NAME = 256;
/** Fewer conversations are not significant. */
const LEAST_CONVERSATIONS = 3;

/** The share of the conversations with its server in which the tool was used, from 0 to 1. */
export function chanceOf(counts: UseCounts, { server, tool }: UsedTool): number {
  const uses = counts.get(server);
  const used = uses?.tools.get(tool);
  if (uses === undefined || used === undefined) return 0;
  return Math.min(1, used / Math.max(uses.conversations, LEAST_CONVERSATIONS));
}

export function withUses(counts: UseCounts, added: NewUses, now: Instant): UseCounts {
  const changed = new Map(counts);
  const change = (server: string, update: (uses: ServerUses) => ServerUses): void => {
    if (server.length > LONGEST_NAME) return;
    changed.set(server, update(decayed(changed.get(server), now)));
  };
  for (const server of added.servers) {
    change(server, (uses) => ({ ...uses, conversations: uses.conversations + 1 }));
  }
  for (const { server, tool } of added.tools) {
    if (tool.length > LONGEST_NAME) continue;
    change(server, (uses) => ({
      ...uses,
      tools: new Map(uses.tools).set(tool, (uses.tools.get(tool) ?? 0) + 1),
    }));
  }
  return bounded(changed, now);
}

function decayed(uses: ServerUses | undefined, now: Instant): ServerUses {
  if (uses === undefined) return { at: now, conversations: 0, tools: new Map() };
  // A clock that was set back changes nothing.
  const share = 0.5 ** (Math.max(0, now - uses.at) / HALF_LIFE_MS);
  return {
    at: Math.max(now, uses.at),
    conversations: uses.conversations * share,
    tools: new Map([...uses.tools].map(([tool, used]) => [tool, used * share])),
  };
}

/** Keeps the most used servers. */
function bounded(counts: ReadonlyMap<string, ServerUses>, now: Instant): UseCounts {
  const servers = [...counts]
    .map(([server, uses]) => [server, withFewerTools(uses)] as const)
    .filter(([, uses]) => decayed(uses, now).conversations >= FORGOTTEN_BELOW)
    .toSorted(
      ([a, x], [b, y]) =>
        decayed(y, now).conversations - decayed(x, now).conversations || (a < b ? -1 : 1),
    );
  return new Map(servers.slice(0, MOST_SERVERS));
}

function withFewerTools(uses: ServerUses): ServerUses {
  const tools = [...uses.tools]
    .filter(([, used]) => used >= FORGOTTEN_BELOW)
    .toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return { ...uses, tools: new Map(tools.slice(0, MOST_TOOLS)) };
}

export const MOST_COUNT_BYTES = 8 * 1024 * 1024;
const MOST_DEPTH = 8;
const DIGITS = 4;

export function formatCounts(counts: UseCounts): string {
  const servers = [...counts].map(([server, { at, conversations, tools }]) => ({
    server,
    at,
    conversations: rounded(conversations),
    tools: [...tools].map(([tool, used]) => [tool, rounded(used)]),
  }));
  return `${JSON.stringify({ servers })}\n`;
}

function rounded(value: number): number {
  return Number(value.toFixed(DIGITS));
}

/** Invalid parts are ignored: the counts only decide which tools are sent. */
export function readCounts(text: string): UseCounts {
  const parsed = parseJson(text, { maxLength: MOST_COUNT_BYTES, maxDepth: MOST_DEPTH });
  const value: unknown = parsed.ok ? parsed.value : undefined;
  const servers: unknown = isObject(value) ? value['servers'] : undefined;
  if (!Array.isArray(servers)) return new Map();
  return new Map(servers.flatMap(readServer).slice(0, MOST_SERVERS));
}

function readServer(written: unknown): readonly (readonly [string, ServerUses])[] {
  if (!isObject(written)) return [];
  const { server, at, conversations, tools } = written;
  if (typeof server !== 'string' || !isCount(at) || !isCount(conversations)) return [];
  const pairs: readonly unknown[] = Array.isArray(tools) ? tools : [];
  const read = pairs.flatMap((pair): readonly (readonly [string, number])[] => {
    if (!Array.isArray(pair)) return [];
    const [tool, used] = pair as readonly unknown[];
    return typeof tool === 'string' && isCount(used) ? [[tool, used]] : [];
  });
  return [[server, { at, conversations, tools: new Map(read.slice(0, MOST_TOOLS)) }]];
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
