// An inverted index of some files, as immutable bytes: sorted terms with shared prefixes, and for each term the chunks and
// the paths that contain it. The format is the same in memory and on the disk: the head is in memory, and the caller
// supplies the lists after it. The caller also tracks which files still exist.

import { ByteReader, ByteWriter, textBytes } from './byte-writer.ts';

/** One file as it goes into a segment. */
export interface PostedFile {
  /** Greater than the id of every preceding file in the segment. */
  readonly id: number;
  readonly pathTerms: readonly string[];
  readonly chunks: readonly { readonly terms: readonly string[] }[];
}

type NumberList = Uint32Array | readonly number[];

/** The numbers of documents, ascending, and the frequency of the term in each. */
export interface PostingList {
  readonly documents: NumberList;
  readonly counts: NumberList;
}

/** A list that is still growing. */
interface Tally {
  readonly documents: number[];
  readonly counts: number[];
}

/** Lists are created with the first document, since most terms are in no path. */
interface TermTally {
  chunks: Tally;
  paths: Tally;
}

const NONE: Tally = { documents: [], counts: [] };

export interface TermPostings {
  readonly chunks: PostingList;
  /** By the number of the file in the segment. */
  readonly paths: PostingList;
}

/** Reads the lists of a segment. */
export interface PostingSource extends Disposable {
  read(at: number, length: number): Uint8Array;
}

export interface TermEntry {
  readonly term: Uint8Array;
  readonly postings: TermPostings;
}

const FORMAT = 2;
/** How many terms form a block, in which they are read one after another. */
const BLOCK = 16;

/** The files of a segment and their chunks. */
export interface SegmentFiles {
  readonly ids: Float64Array;
  /** The number of each file's first chunk, and one more at the end. */
  readonly firstChunk: Uint32Array;
  readonly pathLengths: Uint16Array;
  readonly chunkLengths: Uint16Array;
}

const MOST_LENGTH = 0xffff;

export class PostingSegment implements Disposable {
  /** The size of the segment in bytes. */
  readonly size: number;
  readonly files: SegmentFiles;
  /** The size of the part before the lists. */
  readonly headBytes: number;
  readonly termCount: number;
  /** The number of the file of each chunk. */
  readonly fileOf: Uint32Array;
  readonly #blockTerms: Uint32Array;
  readonly #blockPostings: Uint32Array;
  readonly #termsAt: number;
  readonly #postingsBytes: number;
  #head: Uint8Array;
  #postings: PostingSource;

  /** `head` must begin with the head of an encoded segment; the caller checks that it is intact. */
  constructor(head: Uint8Array, postings: PostingSource) {
    this.#head = head;
    this.#postings = postings;
    const reader = new ByteReader(head);
    if (reader.number() !== FORMAT) throw new RangeError('no segment of this format');
    this.files = readFiles(reader);
    this.fileOf = filesOfChunks(this.files);
    this.termCount = reader.number();
    const blocks = Math.ceil(this.termCount / BLOCK);
    this.#blockTerms = new Uint32Array(blocks);
    this.#blockPostings = new Uint32Array(blocks);
    for (let block = 0, terms = 0, lists = 0; block < blocks; block += 1) {
      terms += reader.number();
      lists += reader.number();
      this.#blockTerms[block] = terms;
      this.#blockPostings[block] = lists;
    }
    const termBytes = reader.number();
    this.#postingsBytes = reader.number();
    this.#termsAt = reader.position;
    this.headBytes = this.#termsAt + termBytes;
    this.size = this.headBytes + this.#postingsBytes;
  }

  /** A segment with its lists in memory. */
  static of(bytes: Uint8Array): PostingSegment {
    const segment: PostingSegment = new PostingSegment(bytes, {
      read: (at, length) => {
        const from = segment.headBytes + at;
        return bytes.subarray(from, from + length);
      },
      [Symbol.dispose]: () => {},
    });
    return segment;
  }

  /** Reads the lists from another source from then on. */
  moveLists(to: PostingSource): void {
    this.#postings = to;
    this.#head = this.#head.slice(0, this.headBytes);
  }

  [Symbol.dispose](): void {
    this.#postings[Symbol.dispose]();
  }

  static build(files: readonly PostedFile[]): Uint8Array {
    const terms = new Map<string, TermTally>();
    const chunkLengths: number[] = [];
    for (const [number, file] of files.entries()) {
      for (const term of file.pathTerms) count(tallyOf(terms, term), 'paths', number);
      for (const { terms: words } of file.chunks) {
        for (const term of words) count(tallyOf(terms, term), 'chunks', chunkLengths.length);
        chunkLengths.push(Math.min(MOST_LENGTH, words.length));
      }
    }
    const sorted = [...terms].map(([term, postings]) => ({ term: textBytes(term), postings }));
    sorted.sort((a, b) => compareBytes(a.term, b.term));
    return encodeSegment(shapeOf(files, chunkLengths), sorted);
  }

  find(term: string): TermPostings | undefined {
    const wanted = textBytes(term);
    let low = 0;
    let high = this.#blockTerms.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (compareBytes(this.#headOf(middle), wanted) <= 0) low = middle;
      else high = middle - 1;
    }
    if (high < 0) return undefined;
    for (const entry of this.#entriesOf(low)) {
      const order = compareBytes(entry.term, wanted);
      if (order === 0) return readPostings(this.#postings.read(entry.at, entry.length));
      if (order > 0) return undefined;
    }
    return undefined;
  }

  *entries(): Generator<TermEntry> {
    const all = this.#postings.read(0, this.#postingsBytes);
    for (let block = 0; block < this.#blockTerms.length; block += 1) {
      for (const { term, at, length } of this.#entriesOf(block)) {
        yield { term, postings: readPostings(all.subarray(at, at + length)) };
      }
    }
  }

  #headOf(block: number): Uint8Array {
    const reader = new ByteReader(this.#head, this.#termsAt + (this.#blockTerms[block] ?? 0));
    reader.number();
    return reader.raw(reader.number());
  }

  *#entriesOf(block: number): Generator<TermPlace> {
    const reader = new ByteReader(this.#head, this.#termsAt + (this.#blockTerms[block] ?? 0));
    let at = this.#blockPostings[block] ?? 0;
    let term: Uint8Array = new Uint8Array(0);
    const size = Math.min(BLOCK, this.termCount - block * BLOCK);
    for (let number = 0; number < size; number += 1) {
      const shared = reader.number();
      const rest = reader.raw(reader.number());
      const whole = new Uint8Array(shared + rest.length);
      whole.set(term.subarray(0, shared));
      whole.set(rest, shared);
      term = whole;
      const length = reader.number();
      yield { term, at, length };
      at += length;
    }
  }
}

/** The place of the lists of a term. */
interface TermPlace {
  readonly term: Uint8Array;
  readonly at: number;
  readonly length: number;
}

function filesOfChunks({ ids, firstChunk, chunkLengths }: SegmentFiles): Uint32Array {
  const fileOf = new Uint32Array(chunkLengths.length);
  for (let file = 0; file < ids.length; file += 1) {
    fileOf.fill(file, firstChunk[file], firstChunk[file + 1]);
  }
  return fileOf;
}

function tallyOf(terms: Map<string, TermTally>, term: string): TermTally {
  let tally = terms.get(term);
  if (tally === undefined) {
    tally = { chunks: NONE, paths: NONE };
    terms.set(term, tally);
  }
  return tally;
}

function count(tally: TermTally, kind: keyof TermTally, document: number): void {
  const { documents, counts } = tally[kind];
  const last = documents.length - 1;
  if (last < 0) tally[kind] = { documents: [document], counts: [1] };
  else if (documents[last] === document) counts[last] = (counts[last] ?? 0) + 1;
  else {
    documents.push(document);
    counts.push(1);
  }
}

function shapeOf(files: readonly PostedFile[], chunkLengths: readonly number[]): SegmentFiles {
  const firstChunk = new Uint32Array(files.length + 1);
  for (const [number, file] of files.entries()) {
    firstChunk[number + 1] = (firstChunk[number] ?? 0) + file.chunks.length;
  }
  return {
    ids: Float64Array.from(files, ({ id }) => id),
    firstChunk,
    pathLengths: Uint16Array.from(files, (file) => Math.min(MOST_LENGTH, file.pathTerms.length)),
    chunkLengths: Uint16Array.from(chunkLengths),
  };
}

export function encodeSegment(files: SegmentFiles, entries: Iterable<TermEntry>): Uint8Array {
  const terms = new ByteWriter();
  const postings = new ByteWriter();
  const blocks = new ByteWriter();
  let total = 0;
  let last: Uint8Array = new Uint8Array(0);
  let blockTerms = 0;
  let blockPostings = 0;
  for (const { term, postings: list } of entries) {
    if (total % BLOCK === 0) {
      blocks.number(terms.length - blockTerms);
      blocks.number(postings.length - blockPostings);
      blockTerms = terms.length;
      blockPostings = postings.length;
      last = new Uint8Array(0);
    }
    const shared = sharedStart(last, term);
    terms.number(shared);
    terms.number(term.length - shared);
    terms.raw(term.subarray(shared));
    const before = postings.length;
    writeList(postings, list.chunks);
    writeList(postings, list.paths);
    terms.number(postings.length - before);
    last = term;
    total += 1;
  }
  const whole = new ByteWriter();
  whole.number(FORMAT);
  writeFiles(whole, files);
  whole.number(total);
  whole.raw(blocks.view());
  whole.number(terms.length);
  whole.number(postings.length);
  whole.raw(terms.view());
  whole.raw(postings.view());
  return whole.take();
}

function writeFiles(to: ByteWriter, files: SegmentFiles): void {
  to.number(files.ids.length);
  let last = 0;
  for (const [number, id] of files.ids.entries()) {
    to.number(id - last);
    last = id;
    to.number(files.pathLengths[number] ?? 0);
    const first = files.firstChunk[number] ?? 0;
    const end = files.firstChunk[number + 1] ?? first;
    to.number(end - first);
    for (let chunk = first; chunk < end; chunk += 1) to.number(files.chunkLengths[chunk] ?? 0);
  }
}

function readFiles(reader: ByteReader): SegmentFiles {
  const size = reader.number();
  const ids = new Float64Array(size);
  const firstChunk = new Uint32Array(size + 1);
  const pathLengths = new Uint16Array(size);
  const lengths: number[] = [];
  let id = 0;
  for (let number = 0; number < size; number += 1) {
    id += reader.number();
    ids[number] = id;
    pathLengths[number] = reader.number();
    const chunks = reader.number();
    for (let chunk = 0; chunk < chunks; chunk += 1) lengths.push(reader.number());
    firstChunk[number + 1] = lengths.length;
  }
  return { ids, firstChunk, pathLengths, chunkLengths: Uint16Array.from(lengths) };
}

/** Each document is its distance to the previous one, doubled; an odd number is followed by a frequency above one. */
function writeList(to: ByteWriter, { documents, counts }: PostingList): void {
  to.number(documents.length);
  let last = -1;
  for (let index = 0; index < documents.length; index += 1) {
    const document = documents[index] ?? 0;
    const times = counts[index] ?? 1;
    const step = document - last - 1;
    to.number(step * 2 + (times > 1 ? 1 : 0));
    if (times > 1) to.number(times - 2);
    last = document;
  }
}

function readList(reader: ByteReader): PostingList {
  const size = reader.number();
  const documents = new Uint32Array(size);
  const counts = new Uint32Array(size);
  let last = -1;
  for (let index = 0; index < size; index += 1) {
    const step = reader.number();
    last += (step >>> 1) + 1;
    documents[index] = last;
    counts[index] = (step & 1) === 1 ? reader.number() + 2 : 1;
  }
  return { documents, counts };
}

function readPostings(bytes: Uint8Array): TermPostings {
  const reader = new ByteReader(bytes);
  const chunks = readList(reader);
  return { chunks, paths: readList(reader) };
}

function sharedStart(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < most && a[shared] === b[shared]) shared += 1;
  return shared;
}

export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length);
  for (let at = 0; at < most; at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
