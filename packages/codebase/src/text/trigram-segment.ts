// An immutable part of the index: some files, and for every bucket the list of files that have it, as distances of variable
// length. Only the table of buckets is in memory; lists are read when needed.

import { createHash } from 'node:crypto';
import { isObject, parseJson } from '@plugboard/base';
import { RandomAccessFile } from '../platform/index.ts';
import { BUCKETS, bucketOfGram, type FileClass } from './trigram-buckets.ts';
import type { Need } from './required-trigrams.ts';

export interface IndexedFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
  readonly class: FileClass;
}

const MAGIC = Buffer.from('PBTRI01\n');
const CHECKSUM_BYTES = 16;
const LENGTHS = 4;
const LONGEST_HEADER = 64 * 1024 * 1024;

/** `buckets` contains the buckets of file 0 up to `ends[0]`, of file 1 up to `ends[1]`, and so on. */
export function encodeSegment(
  files: readonly IndexedFile[],
  buckets: Uint32Array,
  ends: readonly number[],
): readonly Uint8Array[] {
  const { table, offsets, postings } = invert(buckets, ends);
  const rows = files.map((file) => [file.path, file.size, file.mtimeMs, file.ino, file.class]);
  const json = JSON.stringify(rows);
  const header = Buffer.from(json + ' '.repeat((4 - (Buffer.byteLength(json) % 4)) % 4));
  const lengths = new Uint32Array([header.length, table.length, postings.length, 0]);
  const pieces = [MAGIC, bytesOf(lengths), header, bytesOf(table), bytesOf(offsets), postings];
  return [...pieces, checksum(pieces)];
}

function invert(
  buckets: Uint32Array,
  ends: readonly number[],
): { readonly table: Uint32Array; readonly offsets: Uint32Array; readonly postings: Uint8Array } {
  const starts = new Uint32Array(BUCKETS + 1);
  for (const bucket of buckets) starts[bucket + 1] = (starts[bucket + 1] ?? 0) + 1;
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    starts[bucket + 1] = (starts[bucket + 1] ?? 0) + (starts[bucket] ?? 0);
  }
  const fill = starts.slice(0, BUCKETS);
  const files = new Uint32Array(buckets.length);
  let from = 0;
  for (const [file, end] of ends.entries()) {
    for (let at = from; at < end; at += 1) {
      const bucket = buckets[at] as number;
      const place = fill[bucket] as number;
      files[place] = file;
      fill[bucket] = place + 1;
    }
    from = end;
  }
  return encodeLists(starts, files);
}

function encodeLists(starts: Uint32Array, files: Uint32Array): ReturnType<typeof invert> {
  let used = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    if (starts[bucket] !== starts[bucket + 1]) used += 1;
  }
  const table = new Uint32Array(used);
  const offsets = new Uint32Array(used + 1);
  const postings = new Uint8Array(files.length * 3);
  let written = 0;
  let row = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    const end = starts[bucket + 1] as number;
    let at = starts[bucket] as number;
    if (at === end) continue;
    table[row] = bucket;
    offsets[row] = written;
    row += 1;
    for (let last = -1; at < end; at += 1) {
      const file = files[at] as number;
      let distance = file - last - 1;
      last = file;
      while (distance > 0x7f) {
        postings[written] = (distance & 0x7f) | 0x80;
        written += 1;
        distance >>>= 7;
      }
      postings[written] = distance;
      written += 1;
    }
  }
  offsets[row] = written;
  return { table, offsets, postings: postings.subarray(0, written) };
}

export class Segment implements Disposable {
  readonly name: string;
  readonly files: readonly IndexedFile[];
  /** The numbers of the files that may always match. */
  readonly always: readonly number[];
  readonly bytes: number;
  readonly #file: RandomAccessFile;
  readonly #table: Uint32Array;
  readonly #offsets: Uint32Array;
  readonly #postingsAt: number;

  private constructor(name: string, file: RandomAccessFile, parts: SegmentParts) {
    this.name = name;
    this.#file = file;
    this.bytes = file.size;
    this.files = parts.files;
    this.always = parts.files.flatMap((one, number) => (one.class === 'always' ? [number] : []));
    this.#table = parts.table;
    this.#offsets = parts.offsets;
    this.#postingsAt = parts.postingsAt;
  }

  /** `undefined` if the file is damaged. */
  static open(path: string, name: string): Segment | undefined {
    let file: RandomAccessFile | undefined;
    try {
      file = new RandomAccessFile(path);
      const parts = readSegmentParts(file.read(0, file.size));
      if (parts !== undefined) return new Segment(name, file, parts);
    } catch {
      // An unreadable segment is treated as damaged: the caller indexes its files again.
    }
    file?.[Symbol.dispose]();
    return undefined;
  }

  /** The numbers of the files that can match, in order; `undefined` if all can. */
  matching(need: Need): Uint32Array | undefined {
    switch (need.kind) {
      case 'any':
        return undefined;
      case 'gram':
        return this.#list(this.#rowOf(need.gram));
      case 'all':
        return this.#matchingAll(need.of);
      case 'either':
        return union(need.of.map((one) => this.matching(one)));
      default:
        return need satisfies never;
    }
  }

  #matchingAll(needs: readonly Need[]): Uint32Array | undefined {
    const rows = needs.flatMap((need) => (need.kind === 'gram' ? [this.#rowOf(need.gram)] : []));
    if (rows.includes(-1)) return new Uint32Array();
    // The rarest first, since a short list makes the others cheap or unnecessary.
    const ordered = rows.toSorted((a, b) => this.#lengthOf(a) - this.#lengthOf(b));
    let left: Uint32Array | undefined;
    for (const row of ordered) {
      left = left === undefined ? this.#list(row) : intersection(left, this.#list(row));
      if (left.length === 0) return left;
    }
    for (const need of needs) {
      const matching = need.kind === 'gram' ? undefined : this.matching(need);
      if (matching !== undefined)
        left = left === undefined ? matching : intersection(left, matching);
    }
    return left;
  }

  #rowOf(gram: string): number {
    const bucket = bucketOfGram(gram);
    let low = 0;
    let high = this.#table.length - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = this.#table[middle] as number;
      if (found === bucket) return middle;
      if (found < bucket) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  #lengthOf(row: number): number {
    return (this.#offsets[row + 1] ?? 0) - (this.#offsets[row] ?? 0);
  }

  #list(row: number): Uint32Array {
    if (row === -1) return new Uint32Array();
    const bytes = this.#file.read(
      this.#postingsAt + (this.#offsets[row] ?? 0),
      this.#lengthOf(row),
    );
    const list = new Uint32Array(bytes.length);
    let count = 0;
    let file = -1;
    for (let at = 0; at < bytes.length; at += 1) {
      let distance = 0;
      let shift = 0;
      let byte = bytes[at] as number;
      for (; byte > 0x7f; byte = bytes[at] as number) {
        distance |= (byte & 0x7f) << shift;
        shift += 7;
        at += 1;
      }
      file += (distance | (byte << shift)) + 1;
      list[count] = file;
      count += 1;
    }
    return list.subarray(0, count);
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
  }
}

interface SegmentParts {
  readonly files: readonly IndexedFile[];
  readonly table: Uint32Array;
  readonly offsets: Uint32Array;
  readonly postingsAt: number;
}

function readSegmentParts(bytes: Uint8Array): SegmentParts | undefined {
  const end = bytes.length - CHECKSUM_BYTES;
  if (end < MAGIC.length + LENGTHS * 4 || !MAGIC.equals(bytes.subarray(0, MAGIC.length))) {
    return undefined;
  }
  if (!checksum([bytes.subarray(0, end)]).equals(bytes.subarray(end))) return undefined;
  const numbers = (at: number, count: number): Uint32Array =>
    // A copy, so that the other bytes can be freed.
    new Uint32Array(bytes.slice(at, at + count * 4).buffer);
  const [headerBytes = 0, rows = 0] = numbers(MAGIC.length, LENGTHS);
  const headerAt = MAGIC.length + LENGTHS * 4;
  const tableAt = headerAt + headerBytes;
  const files = filesIn(Buffer.from(bytes.subarray(headerAt, tableAt)).toString('utf8'));
  if (files === undefined) return undefined;
  return {
    files,
    table: numbers(tableAt, rows),
    offsets: numbers(tableAt + rows * 4, rows + 1),
    postingsAt: tableAt + rows * 4 + (rows + 1) * 4,
  };
}

function filesIn(json: string): readonly IndexedFile[] | undefined {
  const parsed = parseJson(json, { maxLength: LONGEST_HEADER, maxDepth: 3 });
  if (!parsed.ok || isObject(parsed.value) || !Array.isArray(parsed.value)) return undefined;
  // The checksum proves that `encodeSegment` wrote it.
  const rows = parsed.value as readonly [string, number, number, number, FileClass][];
  return rows.map(([path, size, mtimeMs, ino, itsClass]) => ({
    path,
    size,
    mtimeMs,
    ino,
    class: itsClass,
  }));
}

function checksum(pieces: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest().subarray(0, CHECKSUM_BYTES);
}

function bytesOf(numbers: Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

function intersection(a: Uint32Array, b: Uint32Array): Uint32Array {
  const both = new Uint32Array(Math.min(a.length, b.length));
  let count = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const left = a[i] as number;
    const right = b[j] as number;
    if (left === right) {
      both[count] = left;
      count += 1;
    }
    if (left <= right) i += 1;
    if (right <= left) j += 1;
  }
  return both.subarray(0, count);
}

function union(lists: readonly (Uint32Array | undefined)[]): Uint32Array | undefined {
  const all = new Set<number>();
  for (const list of lists) {
    if (list === undefined) return undefined;
    for (const file of list) all.add(file);
  }
  return Uint32Array.from(all).toSorted();
}
