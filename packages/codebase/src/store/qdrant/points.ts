// Converts files and chunks to points of Qdrant, and back. Pure. A chunk has a sparse vector of its words with the weights of
// BM25, except for rarity, which the server adds; and a dense vector once it is computed.

import { createHash } from 'node:crypto';
import { isObject } from '@plugboard/base';
import { LEXICAL_WEIGHTS } from '../engine/lexical-index.ts';
import { traitBits, traitsOfBits } from '../../words/index.ts';
import type { ChunkRef, FileFacts, IndexedFile, WeightedTerm } from '../port/store.ts';

export interface Point {
  readonly id: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly vector: Readonly<Record<string, unknown>>;
}

export interface SparseVector {
  readonly indices: readonly number[];
  readonly values: readonly number[];
}

export type QdrantFilter = Readonly<Record<string, readonly unknown[]>>;

export const WORDS = 'words';
export const DENSE = 'dense';
/** The average length of chunks; the server does not know it, and an approximation suffices. */
const MEAN_LENGTH = 160;

/** A point for the file, without vectors, and one for each chunk. */
export function pointsOf(
  root: string,
  file: IndexedFile,
  denseOf: (signatureHash: string) => readonly number[] | undefined,
): { readonly file: Point; readonly chunks: readonly Point[] } {
  const { path, language, hash, size, mtimeMs } = file;
  const common = { root, path, version: hash, language, traits: traitBits(file.traits) };
  const chunks = file.chunks.map((chunk, number): Point => {
    const { terms, signatureHash, ...facts } = chunk;
    const dense = denseOf(signatureHash);
    return {
      id: pointId(root, path, String(number)),
      payload: { ...common, kind: 'chunk', signature: signatureHash, chunk: facts },
      vector: {
        [WORDS]: sparseOf(terms, file.pathTerms),
        ...(dense !== undefined && { [DENSE]: dense }),
      },
    };
  });
  const filePoint = {
    id: fileId(root, path),
    payload: { ...common, kind: 'file', size, mtimeMs, hash },
    vector: {},
  };
  return { file: filePoint, chunks };
}

export function fileId(root: string, path: string): string {
  return pointId(root, path, 'file');
}

/** Deterministic, so that writing a chunk twice changes nothing. */
function pointId(root: string, path: string, part: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([root, path, part]))
    .digest('hex');
  return hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function sparseOf(terms: readonly string[], pathTerms: readonly string[]): SparseVector {
  const { k1, b, path } = LEXICAL_WEIGHTS;
  const times = new Map<number, number>();
  const add = (term: string, by: number): void => {
    const index = termIndex(term);
    times.set(index, (times.get(index) ?? 0) + by);
  };
  for (const term of terms) add(term, 1);
  for (const term of pathTerms) add(term, path);
  const length = terms.length + path * pathTerms.length;
  const norm = k1 * (1 - b + (b * length) / MEAN_LENGTH);
  const sorted = [...times].toSorted(([one], [other]) => one - other);
  return {
    indices: sorted.map(([index]) => index),
    values: sorted.map(([, count]) => (count * (k1 + 1)) / (count + norm)),
  };
}

export function queryOf(terms: readonly WeightedTerm[]): SparseVector {
  const weights = new Map<number, number>();
  for (const { term, weight } of terms) {
    if (weight > 0) weights.set(termIndex(term), (weights.get(termIndex(term)) ?? 0) + weight);
  }
  const sorted = [...weights].toSorted(([one], [other]) => one - other);
  return { indices: sorted.map(([index]) => index), values: sorted.map(([, weight]) => weight) };
}

/** 32 bits of a hash: about ten pairs of 300,000 terms collide. */
function termIndex(term: string): number {
  return createHash('sha1').update(term).digest().readUInt32LE();
}

/** Matches the chunks of a root, or only those of `paths`. */
export function filterOf(root: string, paths?: readonly string[]): QdrantFilter {
  const chosen = paths === undefined ? [] : [matchesAny('path', paths)];
  return { must: [matches('root', root), matches('kind', 'chunk'), ...chosen] };
}

export function matches(key: string, value: string): object {
  return { key, match: { value } };
}

export function matchesAny(key: string, any: readonly string[]): object {
  return { key, match: { any } };
}

/** `undefined` if the point is not a chunk. */
export function chunkOfPoint(point: unknown): ChunkRef | undefined {
  if (!isObject(point) || !isObject(point['payload'])) return undefined;
  const { path, language, traits, chunk } = point['payload'];
  if (typeof path !== 'string' || typeof language !== 'string' || !isObject(chunk))
    return undefined;
  const { startLine, endLine, kind, symbol, names } = chunk;
  if (typeof startLine !== 'number' || typeof endLine !== 'number') return undefined;
  return {
    id: String(point['id']),
    path,
    language,
    traits: traitsOfBits(Number(traits)),
    startLine,
    endLine,
    kind: String(kind),
    ...(typeof symbol === 'string' && { symbol }),
    names: Array.isArray(names) ? names.map(String) : [],
  };
}

export interface RemoteFile extends FileFacts {
  readonly path: string;
  readonly traits: number;
}

export function fileOfPoint(point: unknown): RemoteFile | undefined {
  if (!isObject(point) || !isObject(point['payload'])) return undefined;
  const { path, size, mtimeMs, hash, traits } = point['payload'];
  if (typeof path !== 'string' || typeof hash !== 'string') return undefined;
  return { path, hash, size: Number(size), mtimeMs: Number(mtimeMs), traits: Number(traits) };
}
