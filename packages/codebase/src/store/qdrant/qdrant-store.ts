// The driver for a Qdrant cluster of a team: each root has its own points in one collection. The server searches; the known
// files are also kept in memory. A vector that one process computed for a signature is used by all.

import { type Clock, CodedError, Emitter, isObject, messageOf } from '@plugboard/base';
import { inEmbeddingOrder } from '../port/embedding-order.ts';
import { traitBits, traitsOfBits } from '../../words/index.ts';
import type {
  Candidate,
  ChunkFilter,
  ChunkVector,
  DenseCandidate,
  FileFacts,
  MissingVector,
  Store,
  StoreChange,
  StoreRole,
  StoreState,
  WeightedTerm,
} from '../port/store.ts';
import type { WriterLock } from '../embedded/writer-lock.ts';
import type { Collection } from './collection.ts';
import {
  chunkOfPoint,
  DENSE,
  fileId,
  fileOfPoint,
  filterOf,
  type QdrantFilter,
  matches,
  matchesAny,
  pointsOf,
  queryOf,
  type RemoteFile,
  WORDS,
} from './points.ts';

export interface QdrantStoreOptions {
  readonly collection: Collection;
  /** The embedder of the vectors in the collection. */
  readonly embedderId: string | undefined;
  readonly rootId: string;
  readonly clock: Clock;
  /** Held by the process of this machine that writes for this root; `undefined`: this process writes in any case. */
  readonly lock: WriterLock | undefined;
  readonly notes: readonly string[];
}

const POLL_MS = 1_000;

export class QdrantStore implements Store {
  readonly #options: QdrantStoreOptions;
  readonly #files = new Map<string, RemoteFile>();
  readonly #becameWriter = new Emitter<void>((thrown) => this.#notes.push(messageOf(thrown)));
  readonly #notes: string[];
  /** Signatures without a vector, by path; read when first needed. */
  #missing: Map<string, ReadonlySet<string>> | undefined;
  #timer: Disposable | undefined;
  #isClosed = false;

  private constructor(options: QdrantStoreOptions) {
    this.#options = options;
    this.#notes = [...options.notes];
  }

  /** Throws if the cluster does not answer. */
  static async open(options: QdrantStoreOptions): Promise<QdrantStore> {
    const store = new QdrantStore(options);
    await options.collection.ensure();
    options.lock?.take();
    await store.#readFiles();
    if (store.role === 'reader') store.#schedulePoll();
    return store;
  }

  get role(): StoreRole {
    return this.#options.lock?.isHeld === false ? 'reader' : 'writer';
  }

  onWriter(listener: () => void): Disposable {
    return this.#becameWriter.on(listener);
  }

  /** A change that a crash interrupts is repeated, since the point of the file is written last. */
  async apply({ put, remove, touch = [] }: StoreChange): Promise<void> {
    this.#mustWrite();
    const { collection, rootId } = this.#options;
    const vectors = await this.#knownVectors(put.flatMap(({ chunks }) => chunks));
    const points = put.map((file) => pointsOf(rootId, file, (hash) => vectors.get(hash)));
    await collection.upsert(points.flatMap(({ chunks }) => chunks));
    const stale = put.map(({ path, hash }) => ({
      must: [matches('root', rootId), matches('path', path)],
      must_not: [matches('version', hash)],
    }));
    const gone = remove.filter((path) => this.#files.has(path));
    const removed = { must: [matches('root', rootId), matchesAny('path', gone)] };
    const should = gone.length === 0 ? stale : [...stale, removed];
    if (should.length > 0) await collection.deleteWhere({ should });
    await collection.upsert(points.map(({ file }) => file));
    for (const { path, size, mtimeMs } of touch) {
      const known = this.#files.get(path);
      if (known === undefined) continue;
      await collection.setPayload(fileId(rootId, path), { size, mtimeMs });
      this.#files.set(path, { ...known, size, mtimeMs });
    }
    for (const path of gone) this.#forget(path);
    for (const file of put) {
      const { path, size, mtimeMs, hash } = file;
      this.#files.set(path, { path, size, mtimeMs, hash, traits: traitBits(file.traits) });
      const hashes = file.chunks.map(({ signatureHash }) => signatureHash);
      this.#missing?.set(path, new Set(hashes.filter((one) => !vectors.has(one))));
    }
  }

  async files(): Promise<ReadonlyMap<string, FileFacts>> {
    return new Map(
      [...this.#files].map(([path, { size, mtimeMs, hash }]) => [path, { size, mtimeMs, hash }]),
    );
  }

  fileFacts(path: string): FileFacts | undefined {
    return this.#files.get(path);
  }

  async missingVectors(embedderId: string, limit: number): Promise<readonly MissingVector[]> {
    if (embedderId !== this.#options.embedderId) return [];
    this.#missing ??= await this.#readMissing();
    const missing = this.#missing;
    const files = [...missing.keys()].flatMap((path) => {
      const known = this.#files.get(path);
      return known === undefined ? [] : [{ ...known, traits: traitsOfBits(known.traits) }];
    });
    const seen = new Map<string, string>();
    for (const { path } of inEmbeddingOrder(files)) {
      for (const hash of missing.get(path) ?? []) if (!seen.has(hash)) seen.set(hash, path);
      if (seen.size >= limit) break;
    }
    return [...seen].slice(0, limit).map(([signatureHash, path]) => ({ signatureHash, path }));
  }

  async putVectors(embedderId: string, vectors: readonly ChunkVector[]): Promise<void> {
    this.#mustWrite();
    if (embedderId !== this.#options.embedderId || vectors.length === 0) return;
    const { collection, rootId } = this.#options;
    const given = new Map(vectors.map((one) => [one.signatureHash, [...one.vector]]));
    const filter = {
      must: [matches('root', rootId), matchesAny('signature', [...given.keys()])],
    };
    const points: { id: string; vector: readonly number[] }[] = [];
    for await (const point of collection.scroll(filter, { payload: ['signature'] })) {
      const vector = given.get(signatureIn(point) ?? '');
      if (isObject(point) && vector !== undefined) points.push({ id: String(point['id']), vector });
    }
    await collection.setDense(points);
    for (const [path, hashes] of this.#missing ?? []) {
      const left = [...hashes].filter((hash) => !given.has(hash));
      if (left.length === 0) this.#missing?.delete(path);
      else this.#missing?.set(path, new Set(left));
    }
  }

  async lexical(
    terms: readonly WeightedTerm[],
    limit: number,
    accepts?: ChunkFilter,
  ): Promise<readonly Candidate[]> {
    const query = queryOf(terms);
    if (query.indices.length === 0) return [];
    return this.#query({
      query,
      using: WORDS,
      limit,
      filter: this.#filterOf(accepts),
    });
  }

  // oxlint-disable-next-line max-params -- the shape of the port
  async dense(
    embedderId: string,
    vector: Float32Array,
    limit: number,
    accepts?: ChunkFilter,
  ): Promise<readonly DenseCandidate[]> {
    if (embedderId !== this.#options.embedderId) return [];
    const found = await this.#query({
      ...{ query: [...vector], using: DENSE, limit },
      filter: this.#filterOf(accepts),
    });
    return found.map(({ chunk, score }) => ({ chunk, score, similarity: score }));
  }

  /** The server has no globs, but this process knows all paths. */
  #filterOf(accepts: ChunkFilter | undefined): QdrantFilter {
    const paths = accepts && [...this.#files.keys()].filter(accepts);
    return filterOf(this.#options.rootId, paths);
  }

  async state(): Promise<StoreState> {
    const { collection, embedderId, rootId } = this.#options;
    const { must = [] } = filterOf(rootId);
    const vectors =
      embedderId === undefined
        ? 0
        : await collection.count({ must: [...must, { has_vector: DENSE }] });
    return {
      files: this.#files.size,
      chunks: await collection.count({ must }),
      vectors,
      bytes: undefined,
      notes: [...this.#notes],
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#timer?.[Symbol.dispose]();
    this.#options.lock?.[Symbol.dispose]();
  }

  async #query(query: object): Promise<readonly Candidate[]> {
    const found = await this.#options.collection.query(query);
    return found.flatMap(({ point, score }) => {
      const chunk = chunkOfPoint(point);
      return chunk === undefined ? [] : [{ chunk, score }];
    });
  }

  async #readFiles(): Promise<void> {
    const { collection, rootId } = this.#options;
    const filter = { must: [matches('root', rootId), matches('kind', 'file')] };
    const payload = ['path', 'size', 'mtimeMs', 'hash', 'traits'];
    this.#files.clear();
    for await (const point of collection.scroll(filter, { payload })) {
      const file = fileOfPoint(point);
      if (file !== undefined) this.#files.set(file.path, file);
    }
  }

  async #readMissing(): Promise<Map<string, ReadonlySet<string>>> {
    const { collection, rootId } = this.#options;
    const filter = { ...filterOf(rootId), must_not: [{ has_vector: DENSE }] };
    const missing = new Map<string, Set<string>>();
    for await (const point of collection.scroll(filter, { payload: ['path', 'signature'] })) {
      const hash = signatureIn(point);
      const path = isObject(point) && isObject(point['payload']) ? point['payload']['path'] : '';
      if (hash === undefined || typeof path !== 'string') continue;
      missing.set(path, (missing.get(path) ?? new Set()).add(hash));
    }
    return missing;
  }

  /** Known vectors of any root: the same signature has the same vector everywhere. */
  async #knownVectors(
    chunks: readonly { readonly signatureHash: string }[],
  ): Promise<ReadonlyMap<string, readonly number[]>> {
    const { collection, embedderId } = this.#options;
    const wanted = new Set(chunks.map(({ signatureHash }) => signatureHash));
    const known = new Map<string, readonly number[]>();
    if (embedderId === undefined || wanted.size === 0) return known;
    const filter = { must: [matchesAny('signature', [...wanted]), { has_vector: DENSE }] };
    const fields = { payload: ['signature'], vectors: [DENSE] };
    for await (const point of collection.scroll(filter, fields)) {
      const hash = signatureIn(point);
      const vector =
        isObject(point) && isObject(point['vector']) ? point['vector'][DENSE] : undefined;
      if (hash !== undefined && Array.isArray(vector)) known.set(hash, vector.map(Number));
      if (known.size === wanted.size) break;
    }
    return known;
  }

  #forget(path: string): void {
    this.#files.delete(path);
    this.#missing?.delete(path);
  }

  #schedulePoll(): void {
    if (this.#isClosed) return;
    this.#timer = this.#options.clock.after(POLL_MS, () => void this.#poll());
  }

  /** Takes over if the process that wrote for this root has ended. */
  async #poll(): Promise<void> {
    try {
      if (this.#options.lock?.take() === true) {
        await this.#readFiles();
        this.#missing = undefined;
        if (!this.#isClosed) this.#becameWriter.emit();
        return;
      }
    } catch (thrown) {
      this.#notes.push(messageOf(thrown));
    }
    this.#schedulePoll();
  }

  #mustWrite(): void {
    if (this.role === 'writer' && !this.#isClosed) return;
    const message = this.#isClosed ? 'the index is closed' : 'another process writes this index';
    throw new CodedError('not-the-writer', message, { data: undefined });
  }
}

function signatureIn(point: unknown): string | undefined {
  const payload = isObject(point) ? point['payload'] : undefined;
  const hash = isObject(payload) ? payload['signature'] : undefined;
  return typeof hash === 'string' ? hash : undefined;
}
