// Files as an indexer passes them to a store.

import { createHash } from 'node:crypto';
import type { ChunkRef, IndexedFile, Store } from '../../src/store/index.ts';

export interface SampleChunk {
  readonly words: string;
  readonly symbol?: string;
  /** The source of the vector; the words by default. */
  readonly signature?: string;
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}

export function sampleFile(
  path: string,
  chunks: readonly SampleChunk[],
  more: Partial<IndexedFile> = {},
): IndexedFile {
  return {
    path,
    size: 100,
    mtimeMs: 1_700_000_000_000,
    hash: hashOf(chunks.map(({ words }) => words).join('\n')),
    language: 'typescript',
    traits: { isTest: false, isReexport: false, isGenerated: false, isDeclaration: false },
    pathTerms: path.split(/[/.]/),
    chunks: chunks.map(({ words, symbol, signature = words }, number) => ({
      startLine: number * 10 + 1,
      endLine: number * 10 + 10,
      kind: 'function',
      ...(symbol !== undefined && { symbol }),
      names: symbol === undefined ? [] : [symbol],
      terms: words.split(' '),
      signatureHash: hashOf(signature),
    })),
    ...more,
  };
}

export function refOf(file: IndexedFile, number: number): Omit<ChunkRef, 'id'> {
  const { terms: _terms, signatureHash: _hash, ...chunk } = file.chunks[number] ?? raise();
  return { path: file.path, language: file.language, traits: file.traits, ...chunk };
}

export async function found(store: Store, words: string, limit = 10): Promise<string[]> {
  const terms = words.split(' ').map((term) => ({ term, weight: 1 }));
  const hits = await store.lexical(terms, limit);
  return hits.map(({ chunk }) => `${chunk.path}:${chunk.startLine}`);
}

function raise(): never {
  throw new Error('no such chunk');
}
