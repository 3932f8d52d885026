// The rank stage: what is known about code moves candidates up and down. Pure; it neither adds nor
// drops a candidate, and says of each why it stands where it does.

import type { ChunkRef } from '../store/index.ts';
import type { Query } from '../words/index.ts';
import { coherence } from './coherence.ts';
import { definition } from './definition.ts';
import { fileName, folderName } from './file-name.ts';
import { fitTo } from './fit.ts';
import type { FusedHit } from './fuse.ts';
import { namedSymbol } from './named-symbol.ts';
import type { Boost } from './rule.ts';
import { saturate } from './saturation.ts';
import { sideFactors } from './side-files.ts';
import { subjectsOf } from './subject.ts';

/** How much a boost may add to a candidate, where the best one found has 1. */
const BOOSTS = {
  definition: { boost: definition, weight: 0.5 },
  namedSymbol: { boost: namedSymbol, weight: 0.5 },
  fileName: { boost: fileName, weight: 1.5 },
  folderName: { boost: folderName, weight: 0.5 },
  coherence: { boost: coherence, weight: 0.2 },
} as const satisfies Readonly<Record<string, { readonly boost: Boost; readonly weight: number }>>;

type BoostName = keyof typeof BOOSTS;
export type RankPart = BoostName | 'sideFiles' | 'saturation';

export const RANK_PARTS: readonly RankPart[] = [
  ...(Object.keys(BOOSTS) as BoostName[]),
  'sideFiles',
  'saturation',
];

/** `score` is `base` and what the boosts added, times both factors. */
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
  /** For measuring what a part is worth. */
  readonly leaveOut?: readonly RankPart[];
}

/** The best first; equals in the order of their paths and lines. */
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
  const boosts = {
    definition: added('definition'),
    namedSymbol: added('namedSymbol'),
    fileName: added('fileName'),
    folderName: added('folderName'),
    coherence: added('coherence'),
  } satisfies Record<BoostName, readonly number[]>;
  const chunks = subjects.map(({ chunk }) => chunk);
  const factors = leaveOut.includes('sideFiles') ? all : sideFactors(query, chunks);
  const unsaturated = subjects.map(({ chunk, base, similarity }, index): RankedChunk => {
    const explanation: Explanation = {
      base,
      definition: boosts.definition[index] ?? 0,
      namedSymbol: boosts.namedSymbol[index] ?? 0,
      fileName: boosts.fileName[index] ?? 0,
      folderName: boosts.folderName[index] ?? 0,
      coherence: boosts.coherence[index] ?? 0,
      sideFiles: factors[index] ?? 1,
      saturation: 1,
    };
    const known = similarity === undefined ? {} : { similarity };
    return { chunk, ...known, explanation, score: scoreOf(explanation) };
  });
  const ordered = unsaturated.toSorted(compare);
  return leaveOut.includes('saturation') ? ordered : saturated(ordered);
}

function saturated(ordered: readonly RankedChunk[]): readonly RankedChunk[] {
  const left = saturate(ordered.map(({ chunk }) => chunk.path));
  return ordered
    .map((ranked, index) => {
      const explanation = { ...ranked.explanation, saturation: left[index] ?? 1 };
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
