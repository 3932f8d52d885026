// The embedded driver: searches work in memory, and a database makes the index permanent. One process writes; the others
// follow what it wrote, and one of them takes over when it ends. If nothing can be written, the store continues in memory
// and reports that in a note.

import { type Clock, CodedError, Emitter, messageOf } from '@plugboard/base';
import type { OpenDatabase } from '../../platform/index.ts';
import { chunkKey, type LexicalWeights } from '../engine/lexical-index.ts';
import { PostingSegment } from '../engine/posting-segment.ts';
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
import { packVector } from '../engine/packed-vector.ts';
import { type ChunkFacts, signatureBytes } from '../port/file-record.ts';
import type { ChunkVectors } from './chunk-vectors.ts';
import { type IndexChange, type IndexDatabase, newRows } from './index-database.ts';
import { IndexMemory } from './index-memory.ts';
import type { KnownFile } from './known-files.ts';
import { LeftoverFiles } from './leftover-files.ts';
import { isDamage, openAsWriter, openIndex, type OpenIndex, reasonOf } from './open-index.ts';

export interface EmbeddedStoreOptions {
  /** The folder of the index, outside the tree; `undefined`: only in memory. */
  readonly folder: string | undefined;
  /** A function that opens databases, or a sentence on why that is not possible. */
  readonly open: OpenDatabase | string;
  readonly clock: Clock;
  /** The most disk space that the index may take. */
  readonly mostBytes?: number;
  readonly weights?: LexicalWeights;
  /** How often readers check what the writer wrote, and whether it still runs. */
  readonly followMs?: number;
}

const MOST_BYTES = 2 * 1024 ** 3;
const FOLLOW_MS = 200;
const MOST_FOLLOW_FAILURES = 5;
const NO_CHANGE: IndexChange = {
  goneFiles: [],
  files: [],
  touched: [],
  goneSegments: [],
  segment: undefined,
};

export class EmbeddedStore implements Store {
  readonly #options: EmbeddedStoreOptions;
  readonly #memory: IndexMemory;
  readonly #leftovers: LeftoverFiles;
  readonly #becameWriter = new Emitter<void>((thrown) => this.#note(messageOf(thrown)));
  readonly #notes: string[] = [];
  #index: OpenIndex | undefined;
  #database: IndexDatabase | undefined;
  #version = 0;
  #timer: Disposable | undefined;
  /** After a failed write nothing more is written. */
  #hasFailed = false;
  #isClosed = false;
  /** How many times in a row following the writer failed. */
  #followFailures = 0;

  private constructor(options: EmbeddedStoreOptions) {
    this.#options = options;
    this.#memory = new IndexMemory(options.weights, options.folder);
    this.#leftovers = new LeftoverFiles(options.folder, options.clock);
  }

  static async open(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
    const store = new EmbeddedStore(options);
    await store.#open();
    return store;
  }

  get #isDurable(): boolean {
    return this.#database !== undefined && !this.#hasFailed;
  }

  get role(): StoreRole {
    return this.#index === undefined || this.#index.lock.isHeld ? 'writer' : 'reader';
  }

  onWriter(listener: () => void): Disposable {
    return this.#becameWriter.on(listener);
  }

  async apply({ put, remove, touch = [] }: StoreChange): Promise<void> {
    this.#mustWrite();
    const rows = newRows(put, this.#memory.lastFile);
    this.#memory.lastFile += rows.length;
    const paths = new Set([...remove, ...put.map(({ path }) => path)]);
    const gone = [...paths].flatMap((path) => this.#memory.files.get(path) ?? []);
    const touched = touch.flatMap(({ path, size, mtimeMs }) => {
      const file = paths.has(path) ? undefined : this.#memory.files.get(path);
      return file === undefined ? [] : [{ file, id: file.id, size, mtimeMs }];
    });
    const posted = put.map((file, number) => ({ ...file, id: rows[number]?.id ?? 0 }));
    const segment = put.length === 0 ? undefined : PostingSegment.build(posted);
    const stored = this.#write((database) =>
      database.apply({
        ...NO_CHANGE,
        goneFiles: gone.map(({ id }) => id),
        files: rows,
        touched,
        segment,
      }),
    );
    for (const { file, size, mtimeMs } of touched) Object.assign(file, { size, mtimeMs });
    for (const file of gone) this.#memory.forget(file);
    for (const { chunks, ...one } of rows) {
      this.#memory.remember(one);
      if (!this.#isDurable) this.#memory.records.keep(one.id, chunks);
    }
    if (stored !== undefined) this.#memory.addSegment(stored.segment, stored.row);
    else if (segment !== undefined) this.#memory.addSegment(PostingSegment.of(segment), 0);
    await this.#mergeSegments();
  }

  async files(): Promise<ReadonlyMap<string, FileFacts>> {
    const facts = new Map<string, FileFacts>();
    for (const { path, size, mtimeMs, hash } of this.#memory.files.all()) {
      facts.set(path, { size, mtimeMs, hash });
    }
    return facts;
  }

  fileFacts(path: string): FileFacts | undefined {
    return this.#memory.files.get(path);
  }

  async missingVectors(embedderId: string, limit: number): Promise<readonly MissingVector[]> {
    return this.#vectorsOf(embedderId).missing(limit);
  }

  async putVectors(embedderId: string, given: readonly ChunkVector[]): Promise<void> {
    this.#mustWrite();
    const [first] = given;
    if (first === undefined) return;
    const known = this.#vectorsOf(embedderId);
    const dimensions = first.vector.length;
    const vectors =
      known.index.dimensions === dimensions
        ? known
        : this.#memory.newVectors(embedderId, dimensions);
    const fresh = new Map(given.map((one) => [one.signatureHash, one.vector]));
    const added = [...fresh]
      .filter(([hash]) => !vectors.has(hash))
      .map(([hash, vector]) => ({ hash: signatureBytes(hash), packed: packVector(vector) }));
    vectors.forgetUnused();
    if (vectors.row === 0 || vectors.isWasteful) await this.#moveVectors(vectors);
    const count = this.#write((database) =>
      database.countVectors(vectors.row, vectors.write(added)),
    );
    vectors.add(added, count === undefined ? 'in-memory' : 'on-disk');
  }

  /** Moves vectors to a new file without forgotten ones. */
  async #moveVectors(vectors: ChunkVectors): Promise<void> {
    const { embedderId, index } = vectors;
    const row = this.#write((database) =>
      database.useEmbedder(embedderId, index.dimensions, (id) => {
        const file = this.#memory.vectorFile(id, index.dimensions);
        return file === undefined ? 0 : vectors.moveTo(file, id);
      }),
    );
    if (row !== undefined) await this.#leftovers.removeVectorsBut(row);
  }

  async lexical(
    terms: readonly WeightedTerm[],
    limit: number,
    accepts?: ChunkFilter,
  ): Promise<readonly Candidate[]> {
    // Each file is tested once, however many of its chunks were found.
    const known = new Map<number, boolean>();
    const { files } = this.#memory;
    const hits = this.#memory.lexical.search(terms, limit, {
      accepts: (id) => {
        const decided = known.get(id);
        if (decided !== undefined) return decided;
        const file = files.byId(id);
        const isAccepted = file !== undefined && (accepts?.(file.path) ?? true);
        known.set(id, isAccepted);
        return isAccepted;
      },
      // The ids of files only reflect the order in which they were read.
      isBefore: (id, other) => (files.byId(id)?.path ?? '') < (files.byId(other)?.path ?? ''),
    });
    return hits.flatMap(({ file, chunk, score }) => {
      const ref = this.#refTo(this.#memory.files.byId(file), chunk);
      return ref === undefined ? [] : [{ chunk: ref, score }];
    });
  }

  // oxlint-disable-next-line max-params -- the shape of the port
  async dense(
    embedderId: string,
    vector: Float32Array,
    limit: number,
    accepts?: ChunkFilter,
  ): Promise<readonly DenseCandidate[]> {
    const vectors = this.#vectorsOf(embedderId);
    const { slots, at } = vectors.slots(accepts && (({ path }) => accepts(path)));
    const isBefore = (index: number, other: number): boolean => {
      const [one, two] = [at(index), at(other)];
      if (one.file === undefined || two.file === undefined) return false;
      return one.file === two.file ? one.chunk < two.chunk : one.file.path < two.file.path;
    };
    const near = vectors.index.nearest(vector, slots, { limit, isBefore });
    return near.flatMap(({ index, similarity }) => {
      const { file, chunk } = at(index);
      const ref = this.#refTo(file, chunk);
      return ref === undefined ? [] : [{ chunk: ref, score: similarity, similarity }];
    });
  }

  async state(embedderId?: string): Promise<StoreState> {
    const vectors = embedderId === undefined ? this.#memory.vectors : this.#vectorsOf(embedderId);
    return {
      files: this.#memory.files.size,
      chunks: this.#memory.lexical.chunks,
      vectors: vectors?.covered ?? 0,
      bytes: this.#database?.bytes() ?? 0,
      notes: [...this.#notes],
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#timer?.[Symbol.dispose]();
    if (this.role === 'writer') this.#write((database) => database.settle());
    this.#memory.close();
    this.#database?.[Symbol.dispose]();
    this.#database = undefined;
    this.#index?.lock[Symbol.dispose]();
  }

  async #open(): Promise<void> {
    const { folder, open, mostBytes = MOST_BYTES } = this.#options;
    if (folder === undefined) return;
    if (typeof open === 'string') {
      this.#note(`the index is kept in memory only: ${open}`);
      return;
    }
    const opened = await openIndex({ open, folder, mostBytes }, (database) =>
      this.#follow(database),
    );
    if (!opened.ok) {
      this.#note(`${opened.error}; it is kept in memory only`);
      return;
    }
    this.#index = opened.value;
    this.#database = opened.value.database;
    for (const note of opened.value.notes) this.#note(note);
    if (this.role === 'reader') this.#schedulePoll();
    else await this.#removeLeftovers();
  }

  async #removeLeftovers(): Promise<void> {
    const segments = this.#database?.segmentIds();
    if (segments !== undefined) await this.#leftovers.removeSegmentsBut(segments);
  }

  #schedulePoll(): void {
    if (this.#isClosed) return;
    const { clock, followMs = FOLLOW_MS } = this.#options;
    this.#timer = clock.after(followMs, () => void this.#poll());
  }

  /** As a reader: takes over if the writer has ended, otherwise reads what it wrote. */
  async #poll(): Promise<void> {
    try {
      if (this.#index?.lock.take() === true) {
        await this.#takeOver();
        return;
      }
      const database = this.#database;
      if (database !== undefined && database.version() !== this.#version) this.#follow(database);
      this.#followFailures = 0;
    } catch (thrown) {
      // The next attempt may succeed, for instance if a file was just removed; searches continue with the known state.
      this.#followFailures += 1;
      const note = `the index cannot be followed: ${reasonOf(thrown)}`;
      if (this.#followFailures >= MOST_FOLLOW_FAILURES) this.#note(note);
    }
    if (this.role === 'reader') this.#schedulePoll();
  }

  async #takeOver(): Promise<void> {
    const { folder, open, mostBytes = MOST_BYTES } = this.#options;
    if (folder === undefined || typeof open === 'string') return;
    this.#database?.[Symbol.dispose]();
    this.#database = undefined;
    try {
      const opened = await openAsWriter({ open, folder, mostBytes }, (database) =>
        this.#follow(database),
      );
      if (this.#isClosed) opened.database?.[Symbol.dispose]();
      else this.#database = opened.database;
      for (const note of opened.notes) this.#note(note);
    } catch (thrown) {
      this.#note(`the index cannot be written: ${reasonOf(thrown)}; it is kept in memory only`);
    }
    if (!this.#isClosed) this.#becameWriter.emit();
  }

  #follow(database: IndexDatabase): void {
    const version = database.version();
    if (!database.isPrepared) return;
    this.#memory.follow(database);
    this.#version = version;
  }

  /** Merges segments while there are too many, and removes the files of the old ones. */
  async #mergeSegments(): Promise<void> {
    const gone: number[] = [];
    for (
      let worn = this.#memory.lexical.worn();
      worn !== undefined;
      worn = this.#memory.lexical.worn()
    ) {
      const merged = this.#memory.lexical.merged(worn);
      const rows = worn.flatMap((segment) => this.#memory.segmentRows.get(segment) ?? []);
      const stored = this.#write((database) =>
        database.apply({ ...NO_CHANGE, goneSegments: rows, segment: merged }),
      );
      const by = stored?.segment ?? (merged && PostingSegment.of(merged));
      this.#memory.lexical.replace(worn, by);
      for (const segment of worn) this.#memory.segmentRows.delete(segment);
      if (by !== undefined) this.#memory.segmentRows.set(by, stored?.row ?? 0);
      gone.push(...rows);
    }
    this.#write((database) => database.shrink());
    await this.#leftovers.segmentsMerged(gone);
  }

  #vectorsOf(embedderId: string): ChunkVectors {
    return this.#memory.vectorsOf(embedderId, this.#database);
  }

  #refTo(file: KnownFile | undefined, chunk: number): Candidate['chunk'] | undefined {
    if (file === undefined) return undefined;
    const facts = this.#factsOf(file)?.[chunk];
    if (facts === undefined) return undefined;
    const { id, path, language, traits } = file;
    return { id: chunkKey(id, chunk), path, language, traits, ...facts };
  }

  /** `undefined` if the stored facts are damaged; the file is then forgotten, and read again after the next listing. */
  #factsOf(file: KnownFile): readonly ChunkFacts[] | undefined {
    try {
      return this.#memory.records.of(file.id, this.#database);
    } catch (thrown) {
      if (!isDamage(thrown)) throw thrown;
      this.#note('a part of the index was damaged, and is built again');
      this.#memory.forget(file);
      if (this.role === 'writer')
        this.#write((database) => database.apply({ ...NO_CHANGE, goneFiles: [file.id] }));
      return undefined;
    }
  }

  /** Writes to the database, if there is one. After a failure nothing more is written, and everything new stays in memory. */
  #write<T>(work: (database: IndexDatabase) => T): T | undefined {
    if (this.#database === undefined || !this.#isDurable) return undefined;
    try {
      return work(this.#database);
    } catch (thrown) {
      this.#hasFailed = true;
      this.#note(
        `the index cannot be written: ${reasonOf(thrown)}; what is new is kept in memory only`,
      );
      return undefined;
    }
  }

  #mustWrite(): void {
    if (this.role === 'writer' && !this.#isClosed) return;
    const message = this.#isClosed ? 'the index is closed' : 'another process writes this index';
    throw new CodedError('not-the-writer', message, { data: undefined });
  }

  #note(note: string): void {
    if (!this.#notes.includes(note)) this.#notes.push(note);
  }
}
