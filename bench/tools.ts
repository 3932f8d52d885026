// The quality of the tool search for descriptions of work, compared with plain BM25, on given sets, each alone and
// among the tools of another file. A set: `{ tools: [{ id, server, name, description, schema }], queries: [{ q, gold,
// groups?, steps? }] }`, where a group is found with any of its ids.

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { ToolIndex } from '@plugboard/host/adapters';
import { openStaticModel } from '@plugboard/static-model';
import { figure, type Figure, type FigureSection, type Section } from './measure/report.ts';
import { PlainBm25 } from './tools/plain-bm25.ts';
import { type Quality, quality, stepRecall } from './tools/quality.ts';
import type { Find, SetTool, ToolQuery, ToolSet } from './tools/tool-set.ts';

export interface ToolSets {
  readonly sets: readonly string[];
  readonly distractors: string | undefined;
}

const DEFAULT_ROUNDS = 5;
const MOST_INDEX_MS = 300;
const MOST_QUERY_MS = 5;
/** The number of tools for which both targets are promised. */
const MANY_TOOLS = 6000;

export async function benchmarkTools(
  { sets, distractors }: ToolSets,
  repeats: number | undefined,
): Promise<readonly Section[]> {
  const sections: Section[] = [];
  for (const file of sets) {
    const set = readSet(file);
    const title = basename(file);
    sections.push(await judgeSet(`tools: ${title}`, set, repeats));
    if (distractors === undefined) continue;
    const more = withDistractors(set, readSet(distractors).tools);
    sections.push(
      await judgeSet(`tools: ${title} among ${more.tools.length} tools`, more, repeats),
    );
  }
  return sections;
}

function readSet(file: string): ToolSet {
  const { tools, queries = [] } = JSON.parse(readFileSync(file, 'utf8')) as Partial<ToolSet>;
  if (tools === undefined) throw new Error(`${file} has no "tools"`);
  return { tools, queries };
}

/** Leaves out other tools with the name of a right one, since they may be right, too. */
function withDistractors({ tools, queries }: ToolSet, others: readonly SetTool[]): ToolSet {
  const wanted = new Set(queries.flatMap(({ gold }) => gold));
  const names = new Set(tools.filter(({ id }) => wanted.has(id)).map(({ name }) => name));
  const ids = new Set(tools.map(({ id }) => id));
  const added = others
    .filter(({ name }) => !names.has(name))
    .map((tool, at) => (ids.has(tool.id) ? { ...tool, id: `${tool.id} ${at}` } : tool));
  return { tools: [...tools, ...added], queries };
}

async function judgeSet(
  title: string,
  { tools, queries }: ToolSet,
  rounds = DEFAULT_ROUNDS,
): Promise<FigureSection> {
  const model = await openStaticModel();
  if (!model.ok) throw new Error(model.error);
  const encoder = model.value;
  const searchable = tools.map((tool) => ({
    name: tool.id,
    server: tool.server,
    tool: tool.name,
    description: tool.description ?? '',
    inputSchema: tool.schema ?? {},
  }));
  const index = new ToolIndex({ encoder });
  index.set(searchable);
  const words = new ToolIndex();
  words.set(searchable);
  const plain = new PlainBm25(tools);
  const contenders: readonly (readonly [string, Find])[] = [
    ['ours', (query, limit) => index.search([query], limit).map(({ name }) => name)],
    ['ours, words alone', (query, limit) => words.search([query], limit).map(({ name }) => name)],
    ['plain BM25', (query, limit) => plain.find(query, limit)],
  ];
  const isMany = tools.length >= MANY_TOOLS;
  const indexing = processorTime(rounds, 1, () => {
    const fresh = new ToolIndex({ encoder });
    fresh.set(searchable);
    fresh.search(['warm'], 1);
  });
  const asked = queries.slice(0, 200).map(({ q }) => q);
  const searching = processorTime(rounds, asked.length, () => {
    for (const query of asked) index.search([query], 10);
  });
  return {
    kind: 'figures',
    title,
    rows: [
      ...contenders.flatMap(([name, find]) => qualityRows(name, queries, find)),
      time(`time to index ${tools.length} tools`, indexing, isMany ? MOST_INDEX_MS : undefined),
      time('time for a query', searching, isMany ? MOST_QUERY_MS : undefined),
    ],
  };
}

function qualityRows(name: string, queries: readonly ToolQuery[], find: Find): readonly Figure[] {
  const found: Quality = quality(queries, find);
  const note = `${queries.length} queries`;
  const rows = [
    row(`${name}: R@1`, found.recallAt1, note),
    row(`${name}: R@5`, found.recallAt5, note),
    row(`${name}: R@10`, found.recallAt10, note),
    row(`${name}: NDCG@10`, found.ndcgAt10, note),
  ];
  const bySteps = stepRecall(queries, find);
  return bySteps === undefined
    ? rows
    : [...rows, row(`${name}: a query for each step, five results each`, bySteps, note)];
}

function row(name: string, value: number, note: string): Figure {
  return figure({ name, value, unit: '', target: { kind: 'none' }, note });
}

function time(name: string, value: number, most: number | undefined): Figure {
  const target =
    most === undefined ? { kind: 'none' as const } : { kind: 'at-most' as const, value: most };
  return figure({
    name,
    value,
    unit: 'ms',
    target,
    note: 'of the processor, in the quickest round',
  });
}

/** Milliseconds for one of `count`. */
function processorTime(rounds: number, count: number, work: () => void): number {
  const took = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / Math.max(1, count);
  });
  return Math.min(...took);
}
