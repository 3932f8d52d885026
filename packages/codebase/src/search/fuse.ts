// Two lists of candidates made one: what was found by words and what was found by meaning. Each list
// is brought to the scale from 0 to 1, then they are added in shares.

import type { Candidate, ChunkRef, DenseCandidate } from '../store/index.ts';

export interface FusedHit {
  readonly chunk: ChunkRef;
  /** From 0 to 1; the best of all has 1. */
  readonly base: number;
  /** The cosine of question and chunk, where it was found by meaning. */
  readonly similarity?: number;
}

export interface FoundSides {
  /** Both with the best first. */
  readonly lexical: readonly Candidate[];
  readonly dense: readonly DenseCandidate[];
  /** How much the dense side counts where both found something, from 0 to 1. */
  readonly denseShare: number;
}

interface SummedHit {
  readonly chunk: ChunkRef;
  readonly sum: number;
  readonly similarity?: number;
}

export function fuse({ lexical, dense, denseShare }: FoundSides): readonly FusedHit[] {
  const share = lexical.length === 0 ? 1 : dense.length === 0 ? 0 : denseShare;
  const found = new Map<ChunkRef['id'], SummedHit>();
  // BM25 has a zero of its own: nothing in common. A cosine has none, so the last of the list is it.
  const ofLexical = scale(lexical, 0);
  for (const { chunk, score } of lexical) {
    found.set(chunk.id, { chunk, sum: (1 - share) * ofLexical(score) });
  }
  const ofDense = scale(dense, dense.at(-1)?.score ?? 0);
  for (const { chunk, score, similarity } of dense) {
    const sum = (found.get(chunk.id)?.sum ?? 0) + share * ofDense(score);
    found.set(chunk.id, { chunk, sum, similarity });
  }
  const all = [...found.values()];
  const most = all.reduce((top, { sum }) => Math.max(top, sum), 0);
  return all.map(({ sum, ...rest }) => ({ ...rest, base: most === 0 ? 1 : sum / most }));
}

function scale(candidates: readonly Candidate[], zero: number): (score: number) => number {
  const width = (candidates[0]?.score ?? 0) - zero;
  return width > 0 ? (score) => Math.max(0, (score - zero) / width) : () => 1;
}
