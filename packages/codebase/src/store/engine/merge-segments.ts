// Several segments as one, without the files that no longer count. Pure; which segments are worth merging is decided
// elsewhere.

import {
  compareBytes,
  encodeSegment,
  type PostingList,
  PostingSegment,
  type SegmentFiles,
  type TermEntry,
} from './posting-segment.ts';

export function mergeSegments(
  segments: readonly PostingSegment[],
  isAlive: (file: number) => boolean,
): PostingSegment {
  const plan = planMerge(segments, isAlive);
  return new PostingSegment(encodeSegment(plan.files, mergedTerms(segments, plan)));
}

/** For each segment, where its files and chunks end up; -1 for those that are left out. */
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
  while (heads.length > 0) {
    let term = heads[0]?.entry.term ?? new Uint8Array(0);
    for (const { entry } of heads) if (compareBytes(entry.term, term) < 0) term = entry.term;
    const chunks: [number, number][] = [];
    const paths: [number, number][] = [];
    for (const head of [...heads]) {
      if (compareBytes(head.entry.term, term) !== 0) continue;
      move(head.entry.postings.chunks, chunkTo[head.number], chunks);
      move(head.entry.postings.paths, fileTo[head.number], paths);
      const next = head.entries.next();
      if (next.done === true) heads.splice(heads.indexOf(head), 1);
      else head.entry = next.value;
    }
    if (chunks.length + paths.length > 0) {
      yield { term, postings: { chunks: inOrder(chunks), paths: inOrder(paths) } };
    }
  }
}

function move(list: PostingList, to: Int32Array | undefined, into: [number, number][]): void {
  for (const [index, document] of list.documents.entries()) {
    const place = to?.[document] ?? -1;
    if (place >= 0) into.push([place, list.counts[index] ?? 1]);
  }
}

function inOrder(pairs: [number, number][]): PostingList {
  pairs.sort((a, b) => a[0] - b[0]);
  return {
    documents: Uint32Array.from(pairs, ([place]) => place),
    counts: Uint32Array.from(pairs, ([, times]) => times),
  };
}
