// The query of a text search, and its validation before any program is started. Pure.

import { err, ok, type Result } from '@plugboard/base';

export interface TextQuery {
  readonly pattern: string;
  /** Literal by default. */
  readonly regex?: boolean | undefined;
  /** `smart`, the default: case counts if the pattern has a capital. */
  readonly case?: 'smart' | 'sensitive' | 'insensitive' | undefined;
  /** Matches only whole words. */
  readonly word?: boolean | undefined;
  /** A match may span lines; lines are searched one by one by default. */
  readonly multiline?: boolean | undefined;
  readonly globs?: readonly string[] | undefined;
  /** Names of languages; see `globsOf`. */
  readonly languages?: readonly string[] | undefined;
  /** The number of lines before and after each match. */
  readonly contextLines?: number | undefined;
  readonly maxResults?: number | undefined;
  /** The cursor of the previous page. */
  readonly cursor?: string | undefined;
}

export type QueryProblemCode =
  | 'pattern-empty'
  | 'pattern-too-long'
  | 'pattern-lines'
  | 'pattern-invalid'
  | 'glob-invalid'
  | 'language-unknown'
  | 'cursor-invalid';

export interface QueryProblem {
  readonly code: QueryProblemCode;
  readonly message: string;
}

export type SearchProblem = QueryProblem | { readonly code: 'root-gone'; readonly message: string };

/** A valid query with all defaults filled in. */
export interface CheckedQuery {
  readonly pattern: string;
  readonly isRegex: boolean;
  readonly isWord: boolean;
  readonly isMultiline: boolean;
  readonly caseRule: 'smart' | 'sensitive' | 'insensitive';
  readonly globs: readonly string[];
  readonly languages: readonly string[];
  readonly contextLines: number;
  readonly maxResults: number;
}

const LONGEST_PATTERN = 4096;
const MOST_CONTEXT = 20;
const MOST_RESULTS = 1000;
const USUAL_RESULTS = 50;

export function checkQuery(query: TextQuery): Result<CheckedQuery, QueryProblem> {
  const { pattern } = query;
  if (pattern === '') return problem('pattern-empty', 'the pattern is empty');
  if (pattern.length > LONGEST_PATTERN) {
    return problem('pattern-too-long', `the pattern has more than ${LONGEST_PATTERN} characters`);
  }
  if (query.multiline === true ? pattern.includes('\0') : /[\0\n\r]/.test(pattern)) {
    return problem(
      'pattern-lines',
      'lines are searched one by one: a pattern can hold line breaks only with multiline, and never NUL',
    );
  }
  return ok({
    pattern,
    isRegex: query.regex ?? false,
    isWord: query.word ?? false,
    isMultiline: query.multiline ?? false,
    caseRule: query.case ?? 'smart',
    globs: query.globs ?? [],
    languages: query.languages ?? [],
    contextLines: clamp(query.contextLines ?? 0, 0, MOST_CONTEXT),
    maxResults: clamp(query.maxResults ?? USUAL_RESULTS, 1, MOST_RESULTS),
  });
}

export function problem(code: QueryProblemCode, message: string): Result<never, QueryProblem> {
  return err({ code, message });
}

function clamp(value: number, least: number, most: number): number {
  return Number.isFinite(value) ? Math.min(Math.max(Math.trunc(value), least), most) : most;
}
