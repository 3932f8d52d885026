// Answers a question with the chunks that are about it: candidates by words and by meaning, fused, then
// ranked. Without an embedder, or when it fails, words alone answer, and the answer says so.

import { messageOf, never } from '@plugboard/base';
import type { Embedder } from '../embed/index.ts';
import type { ChunkFilter, DenseCandidate, Store } from '../store/index.ts';
import { type Query, readQuery } from '../words/index.ts';
import { fuse } from './fuse.ts';
import { type Explanation, rank, type RankedChunk, type RankSettings } from './rank.ts';

export interface CodeSearchParts extends RankSettings {
  readonly store: Pick<Store, 'lexical' | 'dense' | 'state'>;
  readonly embedder?: Pick<Embedder, 'id' | 'embedQuery'> | undefined;
}

export interface SearchOptions extends ChunkFilter {
  readonly maxResults: number;
}

export interface CodeHit {
  readonly path: string;
  /** From 1, both part of it. */
  readonly startLine: number;
  readonly endLine: number;
  readonly kind: string;
  readonly symbol?: string;
  /** The cosine of question and chunk; only where it was found by meaning. */
  readonly similarity?: number;
  /** For comparing within one answer. */
  readonly score: number;
  readonly explanation: Explanation;
}

export interface CodeAnswer {
  readonly hits: readonly CodeHit[];
  /** The share of chunks that can be found by meaning, from 0 to 1. */
  readonly semanticCoverage: number;
  readonly mode: 'hybrid' | 'lexical';
  /** Why words alone answered, as a sentence. */
  readonly note?: string;
}

const CANDIDATES = 100;
const DENSE_SHARE = 0.5;
/** Who types a name wants that name, and not what is like it. */
const DENSE_SHARE_OF_SYMBOLS = 0.3;

type SemanticHits =
  | { readonly kind: 'found'; readonly dense: readonly DenseCandidate[]; readonly coverage: number }
  | { readonly kind: 'none'; readonly reason: string };

export class CodeSearch {
  readonly #parts: CodeSearchParts;

  constructor(parts: CodeSearchParts) {
    this.#parts = parts;
  }

  async search(
    text: string,
    { maxResults, ...filter }: SearchOptions,
    signal: AbortSignal = never,
  ): Promise<CodeAnswer> {
    signal.throwIfAborted();
    const query = readQuery(text);
    const most = Math.max(CANDIDATES, maxResults);
    const [lexical, meaning] = await Promise.all([
      this.#parts.store.lexical(query.terms, most, filter),
      this.#byMeaning(query, { most, filter, signal }),
    ]);
    signal.throwIfAborted();
    const dense = meaning.kind === 'found' ? meaning.dense : [];
    const denseShare = query.isSymbolShaped ? DENSE_SHARE_OF_SYMBOLS : DENSE_SHARE;
    const ranked = rank(query, fuse({ lexical, dense, denseShare }), this.#parts);
    const hits = ranked.slice(0, maxResults).map(hitOf);
    return meaning.kind === 'found'
      ? { hits, semanticCoverage: meaning.coverage, mode: 'hybrid' }
      : { hits, semanticCoverage: 0, mode: 'lexical', note: meaning.reason };
  }

  async #byMeaning(
    { text }: Query,
    { most, filter, signal }: { most: number; filter: ChunkFilter; signal: AbortSignal },
  ): Promise<SemanticHits> {
    const { store, embedder } = this.#parts;
    if (embedder === undefined) return { kind: 'none', reason: 'there is no embedder' };
    const { chunks, vectors } = await store.state(embedder.id);
    if (vectors === 0) return { kind: 'none', reason: 'nothing is embedded yet' };
    let vector: Float32Array;
    try {
      vector = await embedder.embedQuery(text, signal);
    } catch (thrown) {
      signal.throwIfAborted();
      return { kind: 'none', reason: `the embedder failed: ${messageOf(thrown)}` };
    }
    const dense = await store.dense(embedder.id, vector, most, filter);
    return { kind: 'found', dense, coverage: Math.min(1, vectors / Math.max(1, chunks)) };
  }
}

function hitOf({ chunk, score, similarity, explanation }: RankedChunk): CodeHit {
  const { path, startLine, endLine, kind, symbol } = chunk;
  return {
    path,
    startLine,
    endLine,
    kind,
    ...(symbol === undefined ? {} : { symbol }),
    ...(similarity === undefined ? {} : { similarity }),
    score,
    explanation,
  };
}
