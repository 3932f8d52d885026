// Finds chunks by their words with BM25, over several segments. The words of a path count for every chunk of the file, with
// their own weight. The id of a file is never reused.

import { BestFew, type KeyOrder } from './best-few.ts';
import { mergeSegments } from './merge-segments.ts';
import type { PostingSegment, TermPostings } from './posting-segment.ts';
import type { WeightedTerm } from '../port/store.ts';

export interface LexicalWeights {
  /** How soon repetitions of a term stop counting. */
  readonly k1: number;
  /** How much long chunks are penalized, from 0 to 1. */
  readonly b: number;
  /** The weight of a word of the path; a word of the chunk counts 1. */
  readonly path: number;
}

export const LEXICAL_WEIGHTS: LexicalWeights = { k1: 0.7, b: 0.75, path: 1.5 };

export interface LexicalHit {
  readonly file: number;
  /** The number of the chunk in its file. */
  readonly chunk: number;
  readonly score: number;
}

export interface LexicalChoice {
  readonly accepts?: (file: number) => boolean;
  /** Which of two files comes first if their chunks have the same score; by default the lower id. */
  readonly isBefore?: (file: number, other: number) => boolean;
}

interface Part {
  readonly segment: PostingSegment;
  /** 1 for files that still exist. */
  readonly alive: Uint8Array;
  aliveFiles: number;
  /** Reused by every search, and left as zeros, to avoid garbage. */
  readonly times: Float32Array;
  readonly scores: Float64Array;
}

/** The chunks with one term in one part. */
interface TermMatches {
  readonly part: Part;
  readonly chunks: readonly number[];
}

/** More than any file has. */
const MOST_CHUNKS = 65_536;
/** How many segments of about the same size are merged into one. */
const FAN_OUT = 8;

export class LexicalIndex {
  readonly #weights: LexicalWeights;
  #parts: Part[] = [];
  #chunks = 0;
  #length = 0;

  constructor(weights: LexicalWeights = LEXICAL_WEIGHTS) {
    this.#weights = weights;
  }

  get chunks(): number {
    return this.#chunks;
  }

  get segments(): readonly PostingSegment[] {
    return this.#parts.map(({ segment }) => segment);
  }

  add(segment: PostingSegment, isAlive: (file: number) => boolean = () => true): void {
    const { ids } = segment.files;
    const chunks = segment.fileOf.length;
    const part: Part = {
      segment,
      alive: new Uint8Array(ids.length),
      aliveFiles: 0,
      times: new Float32Array(chunks),
      scores: new Float64Array(chunks),
    };
    for (let number = 0; number < ids.length; number += 1) {
      if (!isAlive(ids[number] ?? 0)) continue;
      part.alive[number] = 1;
      part.aliveFiles += 1;
      this.#account(segment, number, 1);
    }
    this.#parts.push(part);
  }

  /** Returns whether the file existed. */
  remove(file: number): boolean {
    for (const part of this.#parts) {
      const number = indexOfId(part.segment.files.ids, file);
      if (number < 0 || part.alive[number] !== 1) continue;
      part.alive[number] = 0;
      part.aliveFiles -= 1;
      this.#account(part.segment, number, -1);
      return true;
    }
    return false;
  }

  /** Segments to merge: empty ones, one that is mostly gone, or many of about the same size. */
  worn(): readonly PostingSegment[] | undefined {
    const empty = this.#parts.filter(({ aliveFiles }) => aliveFiles === 0);
    if (empty.length > 0) return empty.map(({ segment }) => segment);
    const mostlyGone = this.#parts.find(
      ({ segment, aliveFiles }) => aliveFiles < segment.files.ids.length / 2,
    );
    if (mostlyGone !== undefined) return [mostlyGone.segment];
    const tiers = new Map<number, PostingSegment[]>();
    for (const { segment } of this.#parts) {
      const tier = Math.floor(Math.log(segment.size + 1) / Math.log(FAN_OUT));
      const same = tiers.get(tier) ?? [];
      same.push(segment);
      tiers.set(tier, same);
    }
    const crowded = [...tiers].toSorted(([a], [b]) => a - b).find(([, s]) => s.length >= FAN_OUT);
    return crowded?.[1];
  }

  /** The merged segment, without removed files; `undefined` if nothing is left. */
  merged(segments: readonly PostingSegment[]): Uint8Array | undefined {
    const gone = new Set(segments);
    const alive = new Set<number>();
    for (const part of this.#parts) {
      if (!gone.has(part.segment)) continue;
      for (const [number, id] of part.segment.files.ids.entries()) {
        if (part.alive[number] === 1) alive.add(id);
      }
    }
    return alive.size === 0 ? undefined : mergeSegments(segments, (file) => alive.has(file));
  }

  /** Replaces `segments` with `by`, which was merged from them. */
  replace(segments: readonly PostingSegment[], by: PostingSegment | undefined): void {
    const gone = new Set(segments);
    for (const part of this.#parts) {
      if (!gone.has(part.segment)) continue;
      for (const [number, flag] of part.alive.entries()) {
        if (flag === 1) this.#account(part.segment, number, -1);
      }
    }
    this.#parts = this.#parts.filter(({ segment }) => !gone.has(segment));
    for (const segment of gone) segment[Symbol.dispose]();
    if (by !== undefined) this.add(by);
  }

  search(
    terms: readonly WeightedTerm[],
    limit: number,
    choice: LexicalChoice = {},
  ): readonly LexicalHit[] {
    for (const { scores } of this.#parts) scores.fill(0);
    for (const { term, weight } of terms) {
      if (weight > 0) this.#addScores(term, weight);
    }
    return this.#best(limit, choice);
  }

  #addScores(term: string, weight: number): void {
    const found: TermMatches[] = [];
    let holders = 0;
    for (const part of this.#parts) {
      const postings = part.segment.find(term);
      if (postings === undefined) continue;
      const chunks = this.#gather(part, postings);
      holders += chunks.length;
      found.push({ part, chunks });
    }
    const rarity = Math.log(1 + (this.#chunks - holders + 0.5) / (holders + 0.5));
    const { k1, b } = this.#weights;
    const mean = this.#length / this.#chunks;
    for (const { part, chunks } of found) {
      const { segment, times, scores } = part;
      for (const chunk of chunks) {
        const count = times[chunk] ?? 0;
        const norm = k1 * (1 - b + (b * this.#lengthOf(segment, chunk)) / mean);
        scores[chunk] =
          (scores[chunk] ?? 0) + (weight * rarity * count * (k1 + 1)) / (count + norm);
        times[chunk] = 0;
      }
    }
  }

  /** Writes the frequency of the term in each chunk to `times`, and returns the chunks that have it. */
  #gather({ segment, alive, times }: Part, { chunks, paths }: TermPostings): readonly number[] {
    const found: number[] = [];
    for (let index = 0; index < chunks.documents.length; index += 1) {
      const chunk = chunks.documents[index] ?? 0;
      if (alive[segment.fileOf[chunk] ?? 0] !== 1) continue;
      times[chunk] = chunks.counts[index] ?? 1;
      found.push(chunk);
    }
    for (let index = 0; index < paths.documents.length; index += 1) {
      const file = paths.documents[index] ?? 0;
      if (alive[file] !== 1) continue;
      const more = this.#weights.path * (paths.counts[index] ?? 1);
      const end = segment.files.firstChunk[file + 1] ?? 0;
      for (let chunk = segment.files.firstChunk[file] ?? 0; chunk < end; chunk += 1) {
        if (times[chunk] === 0) found.push(chunk);
        times[chunk] = (times[chunk] ?? 0) + more;
      }
    }
    return found;
  }

  #lengthOf({ files, fileOf }: PostingSegment, chunk: number): number {
    const path = files.pathLengths[fileOf[chunk] ?? 0] ?? 0;
    return (files.chunkLengths[chunk] ?? 0) + this.#weights.path * path;
  }

  #best(limit: number, { accepts = () => true, isBefore }: LexicalChoice): readonly LexicalHit[] {
    const best = new BestFew(limit, isBefore && chunksBy(isBefore));
    for (const { segment, scores: all } of this.#parts) {
      const { ids, firstChunk } = segment.files;
      for (let chunk = 0; chunk < all.length; chunk += 1) {
        const score = all[chunk] ?? 0;
        if (score <= 0) continue;
        const file = segment.fileOf[chunk] ?? 0;
        const id = ids[file] ?? 0;
        if (accepts(id)) best.offer(chunkKey(id, chunk - (firstChunk[file] ?? 0)), score);
      }
    }
    return best.sorted().map(({ key, score }) => ({ ...chunkOfKey(key), score }));
  }

  #account(segment: PostingSegment, file: number, sign: 1 | -1): void {
    const end = segment.files.firstChunk[file + 1] ?? 0;
    for (let chunk = segment.files.firstChunk[file] ?? 0; chunk < end; chunk += 1) {
      this.#chunks += sign;
      this.#length += sign * this.#lengthOf(segment, chunk);
    }
  }
}

/** A number that identifies a chunk of a file. */
export function chunkKey(file: number, chunk: number): number {
  return file * MOST_CHUNKS + chunk;
}

function chunksBy(isBefore: (file: number, other: number) => boolean): KeyOrder {
  return (key, other) => {
    const [one, two] = [chunkOfKey(key), chunkOfKey(other)];
    return one.file === two.file ? one.chunk < two.chunk : isBefore(one.file, two.file);
  };
}

function chunkOfKey(key: number): { readonly file: number; readonly chunk: number } {
  return { file: Math.floor(key / MOST_CHUNKS), chunk: key % MOST_CHUNKS };
}

function indexOfId(ids: Float64Array, wanted: number): number {
  let low = 0;
  let high = ids.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const id = ids[middle] ?? 0;
    if (id === wanted) return middle;
    if (id < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
