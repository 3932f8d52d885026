// Finds the files that can match a pattern. The index is built in the background from a listing, and receives every change
// from its owner. It never misses a file: a file that changed or is not indexed yet is a candidate until it has been read.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { abortable, CodedError, never, systemClock } from '@plugboard/base';
import {
  DRAFT_ENDING,
  entryFacts,
  fileFactsNow,
  namesIn,
  removeOwn,
  SidePool,
} from '../platform/index.ts';
import { isSameFile, type ListedFile } from '../scan/index.ts';
import { hasLatin } from './ripgrep-arguments.ts';
import { requiredTrigrams } from './required-trigrams.ts';
import type { CheckedQuery } from './text-query.ts';
import { type IndexedFile, Segment } from './trigram-segment.ts';
import type { SegmentDone, SegmentOrder } from './trigram-worker.ts';

export interface TrigramIndexOptions {
  readonly root: { readonly path: string };
  /** The folder for the index of this tree, outside the tree. */
  readonly folder: string;
  /** Called when building fails, for instance on a full disk; searches then read more files. */
  readonly onFailure?: (thrown: unknown) => void;
}

export interface TrigramState {
  /** `cold` until the first listing. */
  readonly kind: 'cold' | 'warm';
  readonly files: number;
  /** The number of files that are not indexed yet. */
  readonly waiting: number;
  /** The size on the disk. */
  readonly bytes: number;
  /** The number of segments that were damaged, and are built again. */
  readonly broken: number;
}

/** A file, with its place in a segment if it is indexed. */
interface KnownFile {
  readonly facts: Omit<ListedFile, 'path'>;
  readonly place: { readonly segment: Segment; readonly number: number } | undefined;
}

const FILES_PER_SEGMENT = 4096;
/** How many changed files are searched without the index before they are indexed. */
const MOST_WAITING = 256;
/** With a larger share of candidates, walking the tree is as quick. */
const LARGEST_SHARE = 0.2;
const FEW = 64;
const MOST_SEGMENTS = 24;
// `src`, `dist` and `bundle` are siblings, so the path is the same from all.
const PROGRAM = new URL('../../bundle/program/trigram-worker.mjs', import.meta.url);
const IDLE_MS = 5_000;
const MOST_MS_PER_SEGMENT = 10 * 60_000;
const PREFIX = 'trigrams-';
const ENDING = '.seg';

export class TrigramIndex implements AsyncDisposable {
  readonly #options: TrigramIndexOptions;
  readonly #segments: Segment[] = [];
  readonly #known = new Map<string, KnownFile>();
  /** The files of `#known` without a place, each with the number of its last change. */
  readonly #waiting = new Map<string, number>();
  #changes = 0;
  /** The number of changes when the last listing began. */
  #changesBefore: number | undefined;
  #kind: TrigramState['kind'] = 'cold';
  #broken = 0;
  #sequence = 0;
  readonly #builder = new SidePool<SegmentOrder, SegmentDone>({
    program: PROGRAM,
    size: 1,
    clock: systemClock,
    idleMs: IDLE_MS,
    mostMsPerJob: MOST_MS_PER_SEGMENT,
  });
  #building: Promise<void> | undefined;
  #isClosed = false;

  private constructor(options: TrigramIndexOptions) {
    this.#options = options;
  }

  /** Opens what an earlier process built; the caller must then call `update`. */
  static async open(options: TrigramIndexOptions): Promise<TrigramIndex> {
    const index = new TrigramIndex(options);
    const { folder } = options;
    for (const name of await namesIn(folder)) {
      if (!name.startsWith(PREFIX)) continue;
      const segment = name.endsWith(ENDING) ? Segment.open(join(folder, name), name) : undefined;
      index.#sequence = Math.max(index.#sequence, sequenceIn(name));
      if (segment !== undefined) index.#add(segment);
      else if (name.endsWith(ENDING)) index.#broken += 1;
      if (segment === undefined && !(await isBeingWritten(folder, name))) {
        await removeOwn(folder, name);
      }
    }
    return index;
  }

  get state(): TrigramState {
    const bytes = this.#segments.reduce((sum, segment) => sum + segment.bytes, 0);
    const waiting = this.#waiting.size;
    return { kind: this.#kind, files: this.#known.size, waiting, bytes, broken: this.#broken };
  }

  /** Marks the beginning of a listing for `update`: later changes may be missing in it. */
  listingBegins(): void {
    this.#changesBefore = this.#changes;
  }

  /**
   * Takes a whole listing, which begins now unless `listingBegins` was called. New files are indexed in the background; see
   * `settled`.
   */
  async update(listing: AsyncIterable<ListedFile> | Iterable<ListedFile>): Promise<void> {
    const changesBefore = this.#changesBefore ?? this.#changes;
    this.#changesBefore = undefined;
    const gone = new Set(this.#known.keys());
    for await (const { path, size, mtimeMs, ino } of listing) {
      gone.delete(path);
      const known = this.#known.get(path);
      const facts = { size, mtimeMs, ino };
      if (known?.place === undefined || !isSameFile(known.facts, facts))
        this.#addWaiting(path, facts);
    }
    for (const path of gone) {
      if ((this.#waiting.get(path) ?? 0) <= changesBefore) this.#drop(path);
    }
    this.#kind = 'warm';
    this.#build();
  }

  /** Takes files that changed or are new, and files or folders that are gone. */
  tell(changed: readonly string[], removed: readonly string[]): void {
    for (const path of removed) this.#dropBelow(path);
    for (const path of changed) {
      const facts = fileFactsNow(this.#options.root.path, path);
      if (facts === undefined) this.#drop(path);
      else this.#addWaiting(path, facts);
    }
    if (this.#waiting.size > MOST_WAITING) this.#build();
  }

  /** Called when events were lost: all files are searched until the next `update`. */
  doubt(): void {
    this.#kind = 'cold';
  }

  paths(): readonly string[] | undefined {
    return this.#kind === 'cold' ? undefined : [...this.#known.keys()];
  }

  candidates({ pattern, isRegex }: CheckedQuery): readonly string[] | undefined {
    if (this.#kind === 'cold' || hasLatin({ pattern, isRegex })) return undefined;
    const need = requiredTrigrams(pattern, isRegex ? 'regex' : 'literal');
    if (need.kind === 'any') return undefined;
    const most = Math.max(FEW, this.#known.size * LARGEST_SHARE);
    const found = [...this.#waiting.keys()];
    for (const segment of this.#segments) {
      if (found.length > most) return undefined;
      const matching = segment.matching(need);
      if (matching === undefined) return undefined;
      for (const numbers of [segment.always, matching]) {
        for (const number of numbers) {
          const path = segment.files[number]?.path ?? '';
          if (this.#isAt(path, segment, number)) found.push(path);
        }
      }
    }
    return found.length > most ? undefined : found;
  }

  /** Waits until all files that are known now are indexed. */
  async settled(signal: AbortSignal = never): Promise<void> {
    this.#build();
    while (this.#building !== undefined) await abortable(this.#building, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#kind = 'cold';
    await this.#builder.close();
    await this.#building;
    for (const segment of this.#segments.splice(0)) segment[Symbol.dispose]();
  }

  #isAt(path: string, segment: Segment, number: number): boolean {
    const place = this.#known.get(path)?.place;
    return place?.segment === segment && place.number === number;
  }

  #addWaiting(path: string, facts: KnownFile['facts']): void {
    this.#changes += 1;
    this.#known.set(path, { facts, place: undefined });
    this.#waiting.set(path, this.#changes);
  }

  #drop(path: string): void {
    this.#known.delete(path);
    this.#waiting.delete(path);
  }

  #dropBelow(path: string): void {
    if (this.#known.has(path)) return this.#drop(path);
    for (const known of this.#known.keys()) if (known.startsWith(`${path}/`)) this.#drop(known);
    return undefined;
  }

  #build(): void {
    if (this.#isClosed || this.#building !== undefined) return;
    if (this.#waiting.size === 0 && !this.#dropWornSegments()) return;
    this.#building = this.#buildAll()
      .catch((thrown: unknown) => {
        // Files that were not indexed remain candidates.
        if (!this.#isClosed) this.#options.onFailure?.(thrown);
      })
      .finally(() => {
        this.#building = undefined;
      });
  }

  async #buildAll(): Promise<void> {
    do {
      const order = [...this.#waiting].flatMap(([path, change]) => {
        const known = this.#known.get(path);
        return known === undefined ? [] : [{ path, change, ...known.facts }];
      });
      for (let from = 0; from < order.length && !this.#isClosed;) {
        from += await this.#buildOne(order.slice(from, from + FILES_PER_SEGMENT));
      }
    } while (!this.#isClosed && this.#dropWornSegments());
  }

  async #buildOne(order: readonly (ListedFile & { readonly change: number })[]): Promise<number> {
    const { root, folder } = this.#options;
    this.#sequence += 1;
    const number = this.#sequence.toString().padStart(8, '0');
    // Another process may write to the folder too.
    const name = `${PREFIX}${number}-${randomBytes(4).toString('hex')}${ENDING}`;
    const files = order.map(({ path, size, mtimeMs, ino }) => ({ path, size, mtimeMs, ino }));
    const { count } = await this.#builder.run({ root: root.path, folder, name, files }, never);
    const segment = Segment.open(join(folder, name), name);
    if (segment === undefined || count === 0) throw broken(name);
    // Files that changed meanwhile keep waiting.
    const current = order.map(({ path, change }) => this.#waiting.get(path) === change);
    this.#add(segment, (index) => current[index] === true);
    return count;
  }

  #add(segment: Segment, isCurrent: (number: number) => boolean = () => true): void {
    this.#segments.push(segment);
    for (const [number, file] of segment.files.entries()) {
      if (!isCurrent(number)) continue;
      this.#waiting.delete(file.path);
      this.#known.set(file.path, { facts: fileFacts(file), place: { segment, number } });
    }
  }

  /** Drops segments that are mostly outdated, and small ones if there are many. Returns whether their files now wait. */
  #dropWornSegments(): boolean {
    const live = new Map(this.#segments.map((segment) => [segment, [] as string[]]));
    for (const [path, { place }] of this.#known) if (place) live.get(place.segment)?.push(path);
    const isCrowded = this.#segments.length > MOST_SEGMENTS;
    const worn = this.#segments.filter((segment) => {
      const left = live.get(segment)?.length ?? 0;
      const isSmall = isCrowded && left < FILES_PER_SEGMENT / 4;
      return left < segment.files.length / 2 || isSmall;
    });
    for (const segment of worn) {
      for (const path of live.get(segment) ?? []) {
        const known = this.#known.get(path);
        if (known !== undefined) this.#addWaiting(path, known.facts);
      }
      this.#segments.splice(this.#segments.indexOf(segment), 1);
      segment[Symbol.dispose]();
      void this.#remove(segment.name);
    }
    return this.#waiting.size > 0 && worn.length > 0;
  }

  async #remove(name: string): Promise<void> {
    try {
      await removeOwn(this.#options.folder, name);
    } catch (thrown) {
      this.#options.onFailure?.(thrown);
    }
  }
}

function fileFacts({ size, mtimeMs, ino }: IndexedFile): KnownFile['facts'] {
  return { size, mtimeMs, ino };
}

function sequenceIn(name: string): number {
  return Number(/^trigrams-(\d+)/.exec(name)?.[1] ?? 0);
}

function broken(name: string): CodedError {
  const message = `a part of the index was not written as it should be: ${name}`;
  return new CodedError('index-broken', message, { data: { name } });
}

/** A recent draft may belong to another process; an older one was left by a killed process. */
async function isBeingWritten(folder: string, name: string): Promise<boolean> {
  if (!name.endsWith(DRAFT_ENDING)) return false;
  const facts = await entryFacts(folder, name);
  return facts !== undefined && systemClock.now() - facts.mtimeMs < MOST_MS_PER_SEGMENT;
}
