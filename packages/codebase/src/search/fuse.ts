// Merges candidates found by words and by meaning. The scores of each list are scaled to the range from 0 to 1, then added by
// shares. A small part of each score depends only on the place in the list.

import type { Candidate, ChunkRef, DenseCandidate } from '../store/index.ts';

export interface FusedHit {
  readonly chunk: ChunkRef;
  /** From 0 to 1; the best hit has 1. */
  readonly base: number;
  /** The cosine of question and chunk; only for a hit by meaning. */
  readonly similarity?: number;
}

export interface FoundSides {
  /** Both lists have the best first. */
  readonly lexical: readonly Candidate[];
  readonly dense: readonly DenseCandidate[];
  /** How much the dense list counts if both lists have candidates, from 0 to 1. */
  readonly denseShare: number;
}

type SummedHit = Omit<FusedHit, 'base'> & { readonly sum: number };

/** How much the place in a list counts besides the score. More would harm questions in other words than the code's. */
const SHARE_OF_PLACES = 0.1;
/** The place at which half of that share is left. */
const HALF_PLACE = 61;

export function fuse({ lexical, dense, denseShare }: FoundSides): readonly FusedHit[] {
  const share = lexical.length === 0 ? 1 : dense.length === 0 ? 0 : denseShare;
  const found = new Map<ChunkRef['id'], SummedHit>();
  // A BM25 score of 0 means nothing in common. A cosine has no such zero, so the last of the list takes its place.
  const ofLexical = scale(lexical, 0);
  for (const [place, { chunk, score }] of lexical.entries()) {
    found.set(chunk.id, { chunk, sum: (1 - share) * ofLexical(score, place) });
  }
  const ofDense = scale(dense, dense.at(-1)?.score ?? 0);
  for (const [place, { chunk, score, similarity }] of dense.entries()) {
    const sum = (found.get(chunk.id)?.sum ?? 0) + share * ofDense(score, place);
    found.set(chunk.id, { chunk, sum, similarity });
  }
  const all = [...found.values()];
  const most = all.reduce((top, { sum }) => Math.max(top, sum), 0);
  return all.map(({ sum, ...rest }) => ({ ...rest, base: most === 0 ? 1 : sum / most }));
}

function scale(
  candidates: readonly Candidate[],
  zero: number,
): (score: number, place: number) => number {
  const width = (candidates[0]?.score ?? 0) - zero;
  const ofScore = (score: number): number => (width > 0 ? Math.max(0, (score - zero) / width) : 1);
  return (score, place) =>
    (1 - SHARE_OF_PLACES) * ofScore(score) + (SHARE_OF_PLACES * HALF_PLACE) / (HALF_PLACE + place);
}
