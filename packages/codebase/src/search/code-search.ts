// Answers a question with the chunks that are about it: candidates by words and by meaning are fused, then ranked. Without
// an embedder, or if it fails, the search is by words alone, and the answer states that.

import { messageOf, never } from '@plugboard/base';
import type { Embedder } from '../embed/index.ts';
import type { ChunkFilter, DenseCandidate, Store } from '../store/index.ts';
import { type Query, readQuery } from '../words/index.ts';
import { fuse } from './fuse.ts';
import { matchingName } from './matching-name.ts';
import { type Explanation, rank, type RankedChunk, type RankSettings } from './rank.ts';

export interface CodeSearchParts extends RankSettings {
  readonly store: Pick<Store, 'lexical' | 'dense' | 'state'>;
  readonly embedder?: Pick<Embedder, 'id' | 'embedQuery' | 'leastSimilarity'> | undefined;
}

export interface SearchOptions {
  readonly maxResults: number;
  /** All files by default. */
  readonly accepts?: ChunkFilter | undefined;
}

export interface CodeHit {
  readonly path: string;
  /** The first and the last line, from 1. */
  readonly startLine: number;
  readonly endLine: number;
  readonly kind: string;
  readonly symbol?: string;
  /** The name that fits the question, if it is not the first that the chunk declares. */
  readonly name?: string;
  /** The cosine of question and chunk; only for a hit by meaning. */
  readonly similarity?: number;
  /** Comparable within one answer. */
  readonly score: number;
  readonly explanation: Explanation;
}

export interface CodeAnswer {
  readonly hits: readonly CodeHit[];
  /** The share of chunks that can be found by meaning, from 0 to 1. */
  readonly semanticCoverage: number;
  readonly mode: 'hybrid' | 'lexical';
  /** `low`: nothing in the code is similar to the question, and the few hits are the nearest. */
  readonly confidence: 'usual' | 'low';
  /** Why the search was by words alone, as a sentence. */
  readonly note?: string;
}

const CANDIDATES = 100;
/** How many hits an answer with low confidence has. */
const FEW = 3;
const DENSE_SHARE = 0.55;
/** A user who types a name looks for that name, and not for similar code. */
const DENSE_SHARE_OF_SYMBOLS = 0.2;
/** In a long question, such as the text of an issue, the many other words blur the meaning. */
const DENSE_SHARE_OF_LONG = 0.3;
const LONG = 20;

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
    { maxResults, accepts }: SearchOptions,
    signal: AbortSignal = never,
  ): Promise<CodeAnswer> {
    signal.throwIfAborted();
    const query = readQuery(text);
    const candidates = Math.max(CANDIDATES, maxResults);
    const [lexical, meaning] = await Promise.all([
      this.#parts.store.lexical(query.terms, candidates, accepts),
      this.#byMeaning(query, { most: candidates, accepts, signal }),
    ]);
    signal.throwIfAborted();
    const dense = meaning.kind === 'found' ? meaning.dense : [];
    const denseShare = denseShareOf(query);
    const ranked = rank(query, fuse({ lexical, dense, denseShare }), this.#parts);
    // A filter by path means that the user wants to see what is there.
    const isAnywhere = accepts === undefined;
    const confidence = isAnywhere ? this.#confidenceIn(ranked, meaning) : 'usual';
    const most = confidence === 'low' ? Math.min(maxResults, FEW) : maxResults;
    const nameOf = matchingName(query);
    const hits = ranked.slice(0, most).map((one) => hitOf(one, nameOf(one.chunk)));
    return meaning.kind === 'found'
      ? { hits, semanticCoverage: meaning.coverage, mode: 'hybrid', confidence }
      : { hits, semanticCoverage: 0, mode: 'lexical', confidence, note: meaning.reason };
  }

  /** Low if not even the nearest chunk is near, and no name of the question is declared anywhere. */
  #confidenceIn(ranked: readonly RankedChunk[], meaning: SemanticHits): CodeAnswer['confidence'] {
    const least = this.#parts.embedder?.leastSimilarity;
    if (least === undefined || meaning.kind === 'none' || meaning.coverage < 1) return 'usual';
    const isNear = (meaning.dense[0]?.similarity ?? 0) >= least;
    const isNamed = ranked.some(({ explanation }) => explanation.namedSymbol > 0);
    return isNear || isNamed ? 'usual' : 'low';
  }

  async #byMeaning(
    { text }: Query,
    {
      most,
      accepts,
      signal,
    }: { most: number; accepts: ChunkFilter | undefined; signal: AbortSignal },
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
    if (vector.every((value) => value === 0)) {
      return { kind: 'none', reason: 'the question has no word that the embedder knows' };
    }
    const dense = await store.dense(embedder.id, vector, most, accepts);
    return { kind: 'found', dense, coverage: Math.min(1, vectors / Math.max(1, chunks)) };
  }
}

function denseShareOf({ isSymbolShaped, length }: Query): number {
  if (isSymbolShaped) return DENSE_SHARE_OF_SYMBOLS;
  return length > LONG ? DENSE_SHARE_OF_LONG : DENSE_SHARE;
}

function hitOf(
  { chunk, score, similarity, explanation }: RankedChunk,
  name: string | undefined,
): CodeHit {
  const { path, startLine, endLine, kind, symbol } = chunk;
  return {
    path,
    startLine,
    endLine,
    kind,
    ...(symbol === undefined ? {} : { symbol }),
    ...(name === undefined ? {} : { name }),
    ...(similarity === undefined ? {} : { similarity }),
    score,
    explanation,
  };
}
