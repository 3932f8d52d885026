// Merges the results of several searches into one page, as if one search had found them: the best files of all come first.
// A search whose root is gone is skipped; its error counts only if all roots are gone.

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

/** A search whose results are merged. */
interface RankedSource {
  /** Returns all matches; for a query with a cursor, the stored result. */
  rank(query: TextQuery, signal: AbortSignal): Promise<Result<RankedResult, SearchProblem>>;
  /** Stores a result for the next page, for a limited time. */
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
  const worst = problems.find(({ code }) => code !== 'root-gone') ?? problems[0];
  if (worst !== undefined && (worst.code !== 'root-gone' || found.length === 0)) return err(worst);
  const [only] = found;
  if (found.length === 1 && only !== undefined) return ok(only);
  return ok({
    files: found.flatMap(({ files }) => files).toSorted(byRank),
    isComplete: found.every(({ isComplete }) => isComplete),
    skipped: found.flatMap(({ skipped }) => skipped),
  });
}

/** Identifies a query regardless of the size of its pages. */
export function queryKey({ maxResults: _, ...question }: CheckedQuery): string {
  return contentHash(JSON.stringify(question)).slice(0, 16);
}
