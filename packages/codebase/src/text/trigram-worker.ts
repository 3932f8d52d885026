// The program of a process that reads files and writes segments of the index, so that it blocks nothing else.

import { readConfinedNow, replaceOwn, serveJobs } from '../platform/index.ts';
import { BucketCollector, BUCKETS, classOf } from './trigram-buckets.ts';
import { encodeSegment, type IndexedFile } from './trigram-segment.ts';

export interface SegmentOrder {
  readonly root: string;
  /** The folder of the segment. */
  readonly folder: string;
  readonly name: string;
  readonly files: readonly Omit<IndexedFile, 'class'>[];
}

export interface SegmentDone {
  /** How many of the files, from the first on, are in the segment. */
  readonly count: number;
}

const LARGEST_FILE = 1024 * 1024;
/** Limits memory. */
const MOST_BUCKETS = 4 * BUCKETS;

const collector = new BucketCollector();
const content = Buffer.alloc(LARGEST_FILE + 1);
let buckets = new Uint32Array(BUCKETS);

// The pool of `TrigramIndex` uses the same types.
await serveJobs(async (request): Promise<SegmentDone> => {
  const { root, folder, name, files } = request as SegmentOrder;
  const indexed: IndexedFile[] = [];
  const ends: number[] = [];
  let end = 0;
  for (const file of files) {
    if (end > MOST_BUCKETS) break;
    const found = readConfinedNow(root, file.path, content);
    // A file that cannot be read now may be readable later.
    const bytes = found.kind === 'read' ? content.subarray(0, found.bytes.length) : undefined;
    const itsClass = bytes === undefined ? 'always' : classOf(bytes);
    if (bytes !== undefined && itsClass === 'text') {
      makeRoom(end);
      end = collector.collect(bytes, buckets, end);
    }
    indexed.push({ ...file, class: itsClass });
    ends.push(end);
  }
  await replaceOwn(folder, name, encodeSegment(indexed, buckets.subarray(0, end), ends));
  return { count: indexed.length };
});

function makeRoom(end: number): void {
  if (end + BUCKETS <= buckets.length) return;
  const larger = new Uint32Array(buckets.length * 2);
  larger.set(buckets);
  buckets = larger;
}
