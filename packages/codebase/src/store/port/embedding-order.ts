// Orders files for embedding: first those being worked on, then those that are neither tests nor generated, then sources.
// Pure.

import type { FileTraits } from './store.ts';

export interface EmbeddableFile {
  readonly path: string;
  readonly mtimeMs: number;
  readonly traits: FileTraits;
}

/** A file is being worked on if it changed within this time of the newest file. */
const RECENT_MS = 24 * 60 * 60 * 1000;
const SOURCES = /(?:^|\/)(?:src|lib|app|pkg|internal|source|sources)\//;

export function inEmbeddingOrder<T extends EmbeddableFile>(files: readonly T[]): readonly T[] {
  const newest = files.reduce((latest, { mtimeMs }) => Math.max(latest, mtimeMs), 0);
  const ranked = files.map((file) => ({ file, rank: rankOf(file, newest) }));
  ranked.sort(
    (a, b) =>
      a.rank - b.rank || b.file.mtimeMs - a.file.mtimeMs || (a.file.path < b.file.path ? -1 : 1),
  );
  return ranked.map(({ file }) => file);
}

function rankOf({ path, mtimeMs, traits }: EmbeddableFile, newest: number): number {
  const isAside = traits.isTest || traits.isGenerated;
  const isThin = traits.isDeclaration || traits.isReexport;
  return (
    (newest - mtimeMs > RECENT_MS ? 8 : 0) +
    (isAside ? 4 : 0) +
    (isThin ? 2 : 0) +
    (SOURCES.test(path) ? 0 : 1)
  );
}
