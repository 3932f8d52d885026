// Merges several segments into one, without removed files. Pure; the caller decides which segments to merge.

import {
  compareBytes,
  encodeSegment,
  type PostingList,
  type PostingSegment,
  type SegmentFiles,
  type TermEntry,
} from './posting-segment.ts';

export function mergeSegments(
  segments: readonly PostingSegment[],
  isAlive: (file: number) => boolean,
): Uint8Array {
  const plan = planMerge(segments, isAlive);
  return encodeSegment(plan.files, mergedTerms(segments, plan));
}

/** The new numbers of the files and chunks of each segment; -1 for those that are left out. */
interface MergePlan {
  readonly files: SegmentFiles;
  readonly fileTo: readonly Int32Array[];
  readonly chunkTo: readonly Int32Array[];
}

function planMerge(
  segments: readonly PostingSegment[],
  isAlive: (file: number) => boolean,
): MergePlan {
  const fileTo = segments.map(({ files }) => new Int32Array(files.ids.length).fill(-1));
  const chunkTo = segments.map(({ files }) => new Int32Array(files.chunkLengths.length).fill(-1));
  const ids: number[] = [];
  const firstChunk = [0];
  const pathLengths: number[] = [];
  const chunkLengths: number[] = [];
  const all = segments.flatMap(({ files }, segment) =>
    Array.from(files.ids, (id, number) => ({ id, segment, number })),
  );
  all.sort((a, b) => a.id - b.id);
  for (const { id, segment, number } of all) {
    const files = segments[segment]?.files;
    if (files === undefined || !isAlive(id)) continue;
    fileTo[segment]?.fill(ids.length, number, number + 1);
    ids.push(id);
    pathLengths.push(files.pathLengths[number] ?? 0);
    for (
      let chunk = files.firstChunk[number] ?? 0;
      chunk < (files.firstChunk[number + 1] ?? 0);
      chunk += 1
    ) {
      chunkTo[segment]?.fill(chunkLengths.length, chunk, chunk + 1);
      chunkLengths.push(files.chunkLengths[chunk] ?? 0);
    }
    firstChunk.push(chunkLengths.length);
  }
  return {
    files: {
      ids: Float64Array.from(ids),
      firstChunk: Uint32Array.from(firstChunk),
      pathLengths: Uint16Array.from(pathLengths),
      chunkLengths: Uint16Array.from(chunkLengths),
    },
    fileTo,
    chunkTo,
  };
}

function* mergedTerms(
  segments: readonly PostingSegment[],
  { fileTo, chunkTo }: MergePlan,
): Generator<TermEntry> {
  const heads = segments.flatMap((segment, number) => {
    const entries = segment.entries();
    const first = entries.next();
    return first.done === true ? [] : [{ number, entries, entry: first.value }];
  });
  // Reused for every term: its content is valid until the next term.
  const chunks = new PostingCollector();
  const paths = new PostingCollector();
  while (heads.length > 0) {
    let term = heads[0]?.entry.term ?? new Uint8Array(0);
    for (const { entry } of heads) if (compareBytes(entry.term, term) < 0) term = entry.term;
    chunks.clear();
    paths.clear();
    for (const head of [...heads]) {
      if (compareBytes(head.entry.term, term) !== 0) continue;
      move(head.entry.postings.chunks, chunkTo[head.number], chunks);
      move(head.entry.postings.paths, fileTo[head.number], paths);
      const next = head.entries.next();
      if (next.done === true) heads.splice(heads.indexOf(head), 1);
      else head.entry = next.value;
    }
    if (chunks.size + paths.size > 0) {
      yield { term, postings: { chunks: chunks.list(), paths: paths.list() } };
    }
  }
}

function move(list: PostingList, to: Int32Array | undefined, into: PostingCollector): void {
  const { documents, counts } = list;
  for (let index = 0; index < documents.length; index += 1) {
    const place = to?.[documents[index] ?? 0] ?? -1;
    if (place >= 0) into.add(place, counts[index] ?? 1);
  }
}

/** More than the frequency of any term in a chunk. */
const MOST_TIMES = 65_536;

/** Collects the list of one term; it is mostly sorted already, since later segments have later files. */
class PostingCollector {
  #documents = new Uint32Array(1024);
  #counts = new Uint32Array(1024);
  #isInOrder = true;
  size = 0;

  clear(): void {
    this.size = 0;
    this.#isInOrder = true;
  }

  add(document: number, times: number): void {
    if (this.size === this.#documents.length) this.#grow();
    if (this.size > 0 && (this.#documents[this.size - 1] ?? 0) > document) this.#isInOrder = false;
    this.#documents[this.size] = document;
    this.#counts[this.size] = times;
    this.size += 1;
  }

  list(): PostingList {
    const documents = this.#documents.subarray(0, this.size);
    const counts = this.#counts.subarray(0, this.size);
    if (!this.#isInOrder) putInOrder(documents, counts);
    return { documents, counts };
  }

  #grow(): void {
    const [documents, counts] = [this.#documents, this.#counts];
    this.#documents = new Uint32Array(this.size * 2);
    this.#counts = new Uint32Array(this.size * 2);
    this.#documents.set(documents);
    this.#counts.set(counts);
  }
}

function putInOrder(documents: Uint32Array, counts: Uint32Array): void {
  const pairs = Float64Array.from(
    documents,
    (document, index) => document * MOST_TIMES + Math.min(counts[index] ?? 1, MOST_TIMES - 1),
  );
  pairs.sort();
  for (let index = 0; index < pairs.length; index += 1) {
    const pair = pairs[index] ?? 0;
    documents[index] = Math.floor(pair / MOST_TIMES);
    counts[index] = pair % MOST_TIMES;
  }
}
