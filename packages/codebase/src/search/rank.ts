// The rank stage: moves candidates up and down by what is known about code. Pure; it neither adds nor drops a candidate, and
// explains the score of each.

import type { ChunkRef } from '../store/index.ts';
import type { Query } from '../words/index.ts';
import { type Boost, coherence, definition, fileName, folderName, namedSymbol } from './boosts.ts';
import { fitTo } from './fit.ts';
import type { FusedHit } from './fuse.ts';
import { sideFactors } from './side-files.ts';
import { subjectsOf } from './subject.ts';

/** How much each boost can add; the best candidate starts with 1. */
const BOOSTS = {
  definition: { boost: definition, weight: 0.4 },
  namedSymbol: { boost: namedSymbol, weight: 0.5 },
  fileName: { boost: fileName, weight: 1.25 },
  folderName: { boost: folderName, weight: 0.5 },
  coherence: { boost: coherence, weight: 0.2 },
} as const satisfies Readonly<Record<string, { readonly boost: Boost; readonly weight: number }>>;

type BoostName = keyof typeof BOOSTS;
export type RankPart = BoostName | 'sideFiles' | 'saturation';

const BOOST_NAMES = Object.keys(BOOSTS) as readonly BoostName[];
export const RANK_PARTS: readonly RankPart[] = [...BOOST_NAMES, 'sideFiles', 'saturation'];

/** The score is the sum of `base` and the boosts, times both factors. */
export interface Explanation extends Readonly<Record<BoostName, number>> {
  readonly base: number;
  readonly sideFiles: number;
  readonly saturation: number;
}

export interface RankedChunk {
  readonly chunk: ChunkRef;
  readonly score: number;
  readonly similarity?: number;
  readonly explanation: Explanation;
}

export interface RankSettings {
  /** To measure the effect of a part. */
  readonly leaveOut?: readonly RankPart[];
}

/** The best first; equal scores are ordered by path and line. */
export function rank(
  query: Query,
  fused: readonly FusedHit[],
  { leaveOut = [] }: RankSettings = {},
): readonly RankedChunk[] {
  const subjects = subjectsOf(fused);
  const context = { query, subjects, fit: fitTo(query) };
  const none = subjects.map(() => 0);
  const all = subjects.map(() => 1);
  const added = (name: BoostName): readonly number[] =>
    leaveOut.includes(name)
      ? none
      : BOOSTS[name].boost(context).map((amount) => amount * BOOSTS[name].weight);
  const boosts = ofEachBoost(added);
  const chunks = subjects.map(({ chunk }) => chunk);
  const factors = leaveOut.includes('sideFiles') ? all : sideFactors(query, chunks);
  const unsaturated = subjects.map(({ chunk, base, similarity }, index): RankedChunk => {
    const explanation: Explanation = {
      base,
      ...ofEachBoost((name) => boosts[name][index] ?? 0),
      sideFiles: factors[index] ?? 1,
      saturation: 1,
    };
    const known = similarity === undefined ? {} : { similarity };
    return { chunk, ...known, explanation, score: scoreOf(explanation) };
  });
  const ordered = unsaturated.toSorted(compare);
  return leaveOut.includes('saturation') ? ordered : saturated(ordered);
}

function ofEachBoost<T>(of: (name: BoostName) => T): Readonly<Record<BoostName, T>> {
  return Object.fromEntries(BOOST_NAMES.map((name) => [name, of(name)])) as Record<BoostName, T>;
}

function saturated(ordered: readonly RankedChunk[]): readonly RankedChunk[] {
  const factors = saturationFactors(ordered.map(({ chunk }) => chunk.path));
  return ordered
    .map((ranked, index) => {
      const explanation = { ...ranked.explanation, saturation: factors[index] ?? 1 };
      return { ...ranked, explanation, score: scoreOf(explanation) };
    })
    .toSorted(compare);
}

function scoreOf({ sideFiles, saturation, ...added }: Explanation): number {
  return Object.values(added).reduce((sum, amount) => sum + amount, 0) * sideFiles * saturation;
}

function compare(a: RankedChunk, b: RankedChunk): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.chunk.path !== b.chunk.path) return a.chunk.path < b.chunk.path ? -1 : 1;
  return a.chunk.startLine - b.chunk.startLine;
}

/** Further hits of a file tell less than the first, and one long file must not fill the answer. */
const DECAY = 0.4;

/** The factor of each hit, given the paths of the best first. */
function saturationFactors(paths: readonly string[]): readonly number[] {
  const seen = new Map<string, number>();
  return paths.map((path) => {
    const before = seen.get(path) ?? 0;
    seen.set(path, before + 1);
    return DECAY ** before;
  });
}
