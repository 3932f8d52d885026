// A simple store in memory, with exact BM25 and exact cosines over everything, as a reference for other stores.

import type {
  Candidate,
  ChunkFilter,
  ChunkRef,
  ChunkVector,
  DenseCandidate,
  FileFacts,
  IndexedChunk,
  IndexedFile,
  MissingVector,
  Store,
  StoreChange,
  StoreState,
  WeightedTerm,
} from '../../src/store/index.ts';
import { LEXICAL_WEIGHTS } from '../../src/store/engine/lexical-index.ts';

interface Posting {
  readonly entry: Entry;
  readonly count: number;
}

interface Entry {
  readonly chunk: ChunkRef;
  readonly signatureHash: string;
  readonly length: number;
}

export class PlainStore implements Store {
  readonly role = 'writer';
  readonly #files = new Map<string, IndexedFile>();
  readonly #vectors = new Map<string, Map<string, Float32Array>>();
  #entries: readonly Entry[] = [];
  #postings = new Map<string, Posting[]>();
  #averageLength = 1;

  onWriter(): Disposable {
    return { [Symbol.dispose]: () => undefined };
  }

  async apply(change: StoreChange): Promise<void> {
    for (const path of change.remove) this.#files.delete(path);
    for (const file of change.put) this.#files.set(file.path, file);
    this.#read();
  }

  async files(): Promise<ReadonlyMap<string, IndexedFile>> {
    return this.#files;
  }

  fileFacts(path: string): FileFacts | undefined {
    return this.#files.get(path);
  }

  async missingVectors(embedderId: string, limit: number): Promise<readonly MissingVector[]> {
    const known = this.#vectors.get(embedderId);
    return this.#entries
      .filter(({ signatureHash }) => known?.has(signatureHash) !== true)
      .slice(0, limit)
      .map(({ signatureHash, chunk }) => ({ signatureHash, path: chunk.path }));
  }

  async putVectors(embedderId: string, vectors: readonly ChunkVector[]): Promise<void> {
    const known = this.#vectors.get(embedderId) ?? new Map<string, Float32Array>();
    this.#vectors.set(embedderId, known);
    for (const { signatureHash, vector } of vectors) known.set(signatureHash, vector);
  }

  async lexical(
    terms: readonly WeightedTerm[],
    limit: number,
    accepts?: ChunkFilter,
  ): Promise<readonly Candidate[]> {
    const { k1, b } = LEXICAL_WEIGHTS;
    const scores = new Map<Entry, number>();
    for (const { term, weight } of terms) {
      const postings = this.#postings.get(term) ?? [];
      const rarity = Math.log(
        1 + (this.#entries.length - postings.length + 0.5) / (postings.length + 0.5),
      );
      for (const { entry, count } of postings) {
        const long = 1 - b + (b * entry.length) / this.#averageLength;
        const score = (weight * rarity * count * (k1 + 1)) / (count + k1 * long);
        scores.set(entry, (scores.get(entry) ?? 0) + score);
      }
    }
    const found = [...scores].map(([{ chunk }, score]) => ({ chunk, score }));
    return best(found, limit, accepts);
  }

  async dense(
    embedderId: string,
    vector: Float32Array,
    ...[limit, accepts]: [number, ChunkFilter?]
  ): Promise<readonly DenseCandidate[]> {
    const known = this.#vectors.get(embedderId);
    const found = this.#entries.flatMap(({ chunk, signatureHash }) => {
      const other = known?.get(signatureHash);
      if (other === undefined) return [];
      const similarity = dot(vector, other);
      return [{ chunk, score: similarity, similarity }];
    });
    return best(found, limit, accepts);
  }

  async state(embedderId = ''): Promise<StoreState> {
    const vectors = this.#vectors.get(embedderId);
    return {
      files: this.#files.size,
      chunks: this.#entries.length,
      vectors: this.#entries.filter(({ signatureHash }) => vectors?.has(signatureHash)).length,
      bytes: undefined,
      notes: [],
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#files.clear();
    this.#read();
  }

  #read(): void {
    const entries: Entry[] = [];
    this.#postings = new Map();
    for (const file of this.#files.values()) {
      for (const chunk of file.chunks) {
        const entry: Entry = {
          chunk: refOf(file, chunk),
          signatureHash: chunk.signatureHash,
          length: chunk.terms.length + LEXICAL_WEIGHTS.path * file.pathTerms.length,
        };
        entries.push(entry);
        this.#post(entry, chunk.terms, file.pathTerms);
      }
    }
    this.#entries = entries;
    const total = entries.reduce((sum, { length }) => sum + length, 0);
    this.#averageLength = Math.max(1, total / Math.max(1, entries.length));
  }

  #post(entry: Entry, terms: readonly string[], pathTerms: readonly string[]): void {
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    for (const term of pathTerms) {
      counts.set(term, (counts.get(term) ?? 0) + LEXICAL_WEIGHTS.path);
    }
    for (const [term, count] of counts) {
      const postings = this.#postings.get(term) ?? [];
      this.#postings.set(term, postings);
      postings.push({ entry, count });
    }
  }
}

function refOf(file: IndexedFile, chunk: IndexedChunk): ChunkRef {
  const { startLine, endLine, kind, symbol, names } = chunk;
  return {
    id: `${file.path}:${startLine}:${endLine}`,
    path: file.path,
    startLine,
    endLine,
    kind,
    ...(symbol === undefined ? {} : { symbol }),
    names,
    language: file.language,
    traits: file.traits,
  };
}

function best<C extends Candidate>(
  found: readonly C[],
  limit: number,
  accepts: ChunkFilter | undefined,
): readonly C[] {
  return found
    .filter(({ chunk }) => accepts?.(chunk.path) ?? true)
    .toSorted((a, b) => b.score - a.score || compareRefs(a.chunk, b.chunk))
    .slice(0, limit);
}

function compareRefs(a: ChunkRef, b: ChunkRef): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.startLine - b.startLine;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += a[index]! * b[index]!;
  return sum;
}
