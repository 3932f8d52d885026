// Builds candidates for tests, with plain values for everything that does not matter.

import type { FusedHit } from '../../src/search/fuse.ts';
import type { ChunkRef, DenseCandidate } from '../../src/store/index.ts';

const PLAIN = { isTest: false, isReexport: false, isGenerated: false, isDeclaration: false };

export interface ChunkOf extends Partial<Omit<ChunkRef, 'id' | 'traits' | 'path'>> {
  readonly traits?: Partial<ChunkRef['traits']>;
}

export function chunk(path: string, { traits, startLine = 1, ...rest }: ChunkOf = {}): ChunkRef {
  return {
    id: `${path}:${startLine}`,
    path,
    startLine,
    endLine: startLine + 9,
    kind: 'function',
    names: [],
    language: 'typescript',
    ...rest,
    traits: { ...PLAIN, ...traits },
  };
}

export function fused(path: string, base: number, of: ChunkOf = {}): FusedHit {
  return { chunk: chunk(path, of), base };
}

export function dense(path: string, similarity: number): DenseCandidate {
  return { chunk: chunk(path), score: similarity, similarity };
}
