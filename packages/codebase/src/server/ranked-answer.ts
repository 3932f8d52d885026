// Answers a question from an index of one root or of several, with files that the filter accepts and that have not changed
// since they were read.

import { CodedError } from '@plugboard/base';
import { CodeSearch, type CodeSearchParts } from '../search/index.ts';
import type { PathFilters } from '../text/index.ts';
import type { RankedAnswer, RankedRequest } from './parts/codebase-parts.ts';

/** The index as it was when the question was asked. */
export interface Searchable extends CodeSearchParts {
  /** Files may have changed since they were read. */
  readonly isUnfinished: boolean;
  /** The index is that of an earlier process, and still being compared with the tree. */
  readonly isComparing: boolean;
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
  const { readShare, isUnfinished, isComparing } = ready;
  const accepts = filter.value && ((path: string) => filter.value?.accepts(path) === true);
  // Some may have changed since they were read.
  const most = isUnfinished ? maxResults * 2 : maxResults;
  const search = new CodeSearch(ready);
  const answer = await search.search(text, { maxResults: most, accepts }, from.signal);
  const hits = answer.hits.filter(({ path }) => ready.isCurrent(path));
  ready.answered();
  return { ...answer, hits: hits.slice(0, maxResults), readShare, isComparing };
}
