// Answers a question from an index of one root or of several, with files that the filter accepts and that have not changed
// since they were read.

import { CodedError } from '@plugboard/base';
import { CodeSearch, type CodeSearchParts } from '../search/index.ts';
import type { PathFilters } from '../text/index.ts';
import type { RankedAnswer, RankedRequest } from './parts/codebase-parts.ts';

/** The index as it was when the question was asked. */
export interface Searchable extends CodeSearchParts {
  /**
   * Files may have changed since they were read, unless the tree was read to its end. `comparing`: the index is that of an
   * earlier process, and still being compared with the tree.
   */
  readonly standing: 'comparing' | 'reading' | 'read';
  readonly readShare: number;
  isCurrent(path: string): boolean;
  /** Called after a question was answered. */
  answered(): void;
}

export async function rankedAnswer(
  text: string,
  { globs, languages, maxResults }: Omit<RankedRequest, 'waitMs'>,
  from: {
    readonly filters: PathFilters;
    readonly ready: () => Promise<Searchable>;
    readonly signal: AbortSignal;
  },
): Promise<RankedAnswer> {
  const filter = await from.filters.of({ globs, languages });
  if (!filter.ok) throw new CodedError(filter.error.code, filter.error.message, { data: {} });
  const ready = await from.ready();
  const { readShare, standing } = ready;
  // Some may have changed since they were read.
  const most = standing === 'read' ? maxResults : maxResults * 2;
  const search = new CodeSearch(ready);
  const answer = await search.search(
    text,
    { maxResults: most, accepts: filter.value },
    from.signal,
  );
  const hits = answer.hits.filter(({ path }) => ready.isCurrent(path));
  ready.answered();
  const isComparing = standing === 'comparing';
  return { ...answer, hits: hits.slice(0, maxResults), readShare, isComparing };
}
