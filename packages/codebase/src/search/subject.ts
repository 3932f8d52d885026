// A candidate with the words that the boosts examine, read once for all of them.

import { type PathWords, pathWords, identifierWords } from '../words/index.ts';
import type { FusedHit } from './fuse.ts';

export interface RankSubject extends FusedHit {
  /** The names that it declares; if there is none, the name of the declaration that it is a piece of. */
  readonly names: readonly string[];
  readonly nameWords: readonly (readonly string[])[];
  readonly path: PathWords;
}

export function subjectsOf(fused: readonly FusedHit[]): readonly RankSubject[] {
  const paths = new Map<string, PathWords>();
  return fused.map((candidate) => {
    const { chunk } = candidate;
    const path = paths.get(chunk.path) ?? pathWords(chunk.path);
    paths.set(chunk.path, path);
    const names = declaredNames(chunk);
    return { ...candidate, names, nameWords: names.map(identifierWords), path };
  });
}

function declaredNames({ names, symbol }: FusedHit['chunk']): readonly string[] {
  if (names.length > 0 || symbol === undefined) return names;
  return [symbol.slice(symbol.lastIndexOf('.') + 1)];
}
