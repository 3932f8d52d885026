// Asks the questions of the sets on an exact store in memory, to measure the ranking and not the approximation of a store.

import { CodeSearch, type Embedder, type RankPart } from '@plugboard/codebase';
// Imported from inside the package: its public entry does not export what an indexer needs.
import {
  letterTerms,
  pathTerms,
  termsOf,
  traitsOf,
} from '../../packages/codebase/dist/words/index.js';
import { PlainStore } from '../../packages/codebase/test/search/plain-store.ts';
import { type CorpusFile, hashOf, readCorpus, vectorsOf } from './corpus.ts';
import { type Score, scoreOf } from './score.ts';
import type { QuestionSet } from './sets.ts';

export interface IndexedSet {
  readonly set: QuestionSet;
  readonly store: PlainStore;
  readonly files: number;
  readonly chunks: number;
}

export interface QuestionScore extends Score {
  readonly set: string;
  readonly query: string;
}

export async function indexSet(
  set: QuestionSet,
  { folder, embedder }: { readonly folder: string; readonly embedder: Embedder | undefined },
): Promise<IndexedSet> {
  const files = await readCorpus(folder);
  refuseLostLabels(set, new Set(files.map(({ path }) => path)));
  const store = new PlainStore();
  await store.apply({ put: files.map(indexed), remove: [] });
  const signatures = files.flatMap(({ chunked }) =>
    chunked.chunks.map(({ signature }) => signature),
  );
  if (embedder !== undefined) {
    const vectors = await vectorsOf(signatures, embedder);
    await store.putVectors(
      embedder.id,
      signatures.map((signature) => {
        const signatureHash = hashOf(signature);
        return { signatureHash, vector: vectors.get(signatureHash)! };
      }),
    );
  }
  return { set, store, files: files.length, chunks: signatures.length };
}

/** A file that was moved counts as never found, and the figure falls for no fault of the ranking. */
function refuseLostLabels({ name, root, queries }: QuestionSet, paths: ReadonlySet<string>): void {
  const from = root === '' ? 0 : root.length + 1;
  const lost = queries
    .flatMap(({ relevant }) => relevant)
    .filter((path) => !paths.has(path.slice(from)));
  if (lost.length > 0)
    throw new Error(`${name}: no such files as ${lost.join(', ')}; correct the labels`);
}

export interface AskingOptions {
  readonly embedder: Pick<Embedder, 'id' | 'embedQuery'> | undefined;
  readonly leaveOut?: readonly RankPart[];
}

export async function ask(
  { set, store }: IndexedSet,
  { embedder, leaveOut = [] }: AskingOptions,
): Promise<readonly QuestionScore[]> {
  const search = new CodeSearch({ store, embedder, leaveOut });
  const within = set.root === '' ? '' : `${set.root}/`;
  const asked: QuestionScore[] = [];
  for (const { query, relevant } of set.queries) {
    const { hits } = await search.search(query, { maxResults: 10 });
    const paths = hits.map(({ path }) => within + path);
    asked.push({ set: set.name, query, ...scoreOf(paths, relevant) });
  }
  return asked;
}

/** The same questions are asked without each part of the ranking. */
export function remembering(embedder: Embedder): Pick<Embedder, 'id' | 'embedQuery'> {
  const known = new Map<string, Promise<Float32Array>>();
  return {
    id: embedder.id,
    embedQuery: (text) => {
      const vector = known.get(text) ?? embedder.embedQuery(text);
      known.set(text, vector);
      return vector;
    },
  };
}

function indexed({ path, size, mtimeMs, text, chunked }: CorpusFile) {
  const { language, chunks } = chunked;
  return {
    path,
    size,
    mtimeMs,
    hash: hashOf(text),
    language,
    traits: traitsOf({ path, text, language }),
    pathTerms: pathTerms(path),
    chunks: chunks.map(({ start, end, signature, ...chunk }) => ({
      ...chunk,
      terms: [...termsOf(text.slice(start, end)), ...letterTerms(chunk.names)],
      signatureHash: hashOf(signature),
    })),
  };
}
