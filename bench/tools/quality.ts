// How many of the right tools are found, and at which ranks.

import type { Find, ToolQuery } from './tool-set.ts';

export interface Quality {
  readonly recallAt1: number;
  readonly recallAt5: number;
  readonly recallAt10: number;
  readonly ndcgAt10: number;
}

const DEPTH = 10;
const RESULTS_OF_STEP = 5;

export function quality(queries: readonly ToolQuery[], find: Find): Quality {
  const found = queries.map((query) => ({ groups: groupsOf(query), ids: find(query.q, DEPTH) }));
  const recallAt = (depth: number): number =>
    mean(found.map(({ groups, ids }) => recall(groups, ids.slice(0, depth))));
  return {
    recallAt1: recallAt(1),
    recallAt5: recallAt(5),
    recallAt10: recallAt(DEPTH),
    ndcgAt10: mean(found.map(({ groups, ids }) => ndcg(groups, ids))),
  };
}

/** Searches for each step, and merges the first results; `undefined` if queries have no steps. */
export function stepRecall(queries: readonly ToolQuery[], find: Find): number | undefined {
  const withSteps = queries.filter(({ steps }) => steps !== undefined);
  if (withSteps.length === 0) return undefined;
  return mean(
    withSteps.map((query) => {
      const ids = stepsOf(query).flatMap((step) => find(step, RESULTS_OF_STEP));
      return recall(groupsOf(query), ids);
    }),
  );
}

function stepsOf({ steps = '' }: ToolQuery): readonly string[] {
  return steps
    .split('\n')
    .map((line) => line.replace(/^\s*\d+[.)]\s*/, '').trim())
    .filter((line) => line !== '');
}

function groupsOf({ gold, groups }: ToolQuery): readonly (readonly string[])[] {
  return groups ?? gold.map((id) => [id]);
}

function recall(groups: readonly (readonly string[])[], ids: readonly string[]): number {
  return groups.filter((group) => group.some((id) => ids.includes(id))).length / groups.length;
}

function ndcg(groups: readonly (readonly string[])[], ids: readonly string[]): number {
  const open = new Set(groups);
  const gains = ids.map((id, rank) => {
    const group = [...open].find((each) => each.includes(id));
    if (group === undefined) return 0;
    open.delete(group);
    return discount(rank);
  });
  const best = groups.slice(0, DEPTH).map((_, rank) => discount(rank));
  return sum(gains) / sum(best);
}

function discount(rank: number): number {
  return 1 / Math.log2(rank + 2);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
