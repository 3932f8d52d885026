// Merges the results of several searches into one page, as if one search had found them: the best files of all come
// first. A search whose root is gone takes no part; its error counts only if there is nothing else.

import { err, ok, type Result } from '@plugboard/base';
import { contentHash } from '../scan/index.ts';
import { byRank } from './rank.ts';
import { cursorOf, cutPage, positionIn, type RankedResult, type TextPage } from './result-page.ts';
import {
  type CheckedQuery,
  checkQuery,
  problem,
  type SearchProblem,
  type TextQuery,
} from './text-query.ts';

/** A search of which pages are made. */
interface RankedSource {
  /** All that matches; a query with a cursor gets what was kept for it. */
  rank(query: TextQuery, signal: AbortSignal): Promise<Result<RankedResult, SearchProblem>>;
  /** Until the next page is asked for, within bounds. */
  keep(key: string, result: RankedResult): void;
}

export async function pageOf(
  searches: readonly RankedSource[],
  query: TextQuery,
  signal: AbortSignal,
): Promise<Result<TextPage, SearchProblem>> {
  const checked = checkQuery(query);
  if (!checked.ok) return checked;
  const key = queryKey(checked.value);
  const { cursor } = query;
  const after = cursor === undefined ? ok(undefined) : positionIn(cursor, key);
  if (!after.ok) return problem('cursor-invalid', after.error);
  const results = await Promise.all(searches.map((search) => search.rank(query, signal)));
  const found = foundIn(results);
  if (!found.ok) return found;
  const { files, isComplete, skipped } = found.value;
  const cut = cutPage(files, checked.value, after.value);
  for (const [at, search] of searches.entries()) {
    const result = results[at];
    if (cut.last !== undefined && result?.ok === true) search.keep(key, result.value);
  }
  return ok({
    files: cut.files,
    total: files.reduce((sum, { matches }) => sum + matches.length, 0),
    isComplete,
    skipped,
    ...(cut.last === undefined ? {} : { nextCursor: cursorOf(cut.last, key) }),
  });
}

type Found = Omit<RankedResult, 'foundAt'>;

function foundIn(
  results: readonly Result<RankedResult, SearchProblem>[],
): Result<Found, SearchProblem> {
  const problems = results.flatMap((result) => (result.ok ? [] : [result.error]));
  const found = results.flatMap((result) => (result.ok ? [result.value] : []));
  const grave = problems.find(({ code }) => code !== 'root-gone') ?? problems[0];
  if (grave !== undefined && (grave.code !== 'root-gone' || found.length === 0)) return err(grave);
  const [only] = found;
  if (found.length === 1 && only !== undefined) return ok(only);
  return ok({
    files: found.flatMap(({ files }) => files).toSorted(byRank),
    isComplete: found.every(({ isComplete }) => isComplete),
    skipped: found.flatMap(({ skipped }) => skipped),
  });
}

/** The question without the size of its pages. */
export function queryKey({ maxResults: _, ...question }: CheckedQuery): string {
  return contentHash(JSON.stringify(question)).slice(0, 16);
}
