// Cuts pages from ranked files. A cursor names the last match that was shown, so that pages stay in place while files come
// and go. Pure.

import { err, isObject, ok, parseJson, type Result } from '@plugboard/base';
import { columnOf, type RankedFile } from './rank.ts';
import { type FoundMatch, cutLine } from './ripgrep-output.ts';
import type { CheckedQuery } from './text-query.ts';

export interface TextMatch extends FoundMatch {
  /** The column of the first match in the line, from 1; only for literal patterns. */
  readonly column?: number;
}

export interface FileMatches {
  readonly path: string;
  readonly matches: readonly TextMatch[];
  /** The number of matches in the whole file, as far as it was searched. */
  readonly count: number;
}

export interface SearchEnd {
  /** False if a limit of time or results ended the search. */
  readonly isComplete: boolean;
  /** What could not be read, in the words of ripgrep. */
  readonly skipped: readonly string[];
}

export interface TextPage extends SearchEnd {
  readonly files: readonly FileMatches[];
  /** The number of matching lines, as far as the tree was searched. */
  readonly total: number;
  readonly nextCursor?: string;
}

/** All matches, the best files first. */
export interface RankedResult extends SearchEnd {
  readonly files: readonly RankedFile[];
  readonly foundAt: number;
}

/** The last match of a page. */
export interface Position {
  readonly score: number;
  readonly path: string;
  readonly line: number;
}

export interface Cut {
  readonly files: readonly FileMatches[];
  /** `undefined` if no further match is left. */
  readonly last: Position | undefined;
}

/** `files` must be sorted by rank. */
export function cutPage(
  files: readonly RankedFile[],
  query: CheckedQuery,
  after: Position | undefined,
): Cut {
  const page: FileMatches[] = [];
  let room = query.maxResults;
  let last: Position | undefined;
  for (const file of files) {
    const matches = file.matches.filter(({ line }) => isAfter(file, line, after));
    if (matches.length === 0) continue;
    if (room === 0) return { files: page, last };
    const taken = matches.slice(0, room);
    room -= taken.length;
    page.push({
      path: file.path,
      matches: taken.map((match) => presented(match, query)),
      count: file.matches.length,
    });
    last = { score: file.score, path: file.path, line: taken.at(-1)?.line ?? 0 };
    if (taken.length < matches.length) return { files: page, last };
  }
  return { files: page, last: undefined };
}

function isAfter(file: RankedFile, line: number, after: Position | undefined): boolean {
  if (after === undefined || file.score < after.score) return true;
  if (file.score > after.score) return false;
  return file.path === after.path ? line > after.line : file.path > after.path;
}

export function presented(match: FoundMatch, query: CheckedQuery): TextMatch {
  const at = columnOf(match, query);
  const { before, after } = match;
  return { ...cutLine(match, at), before, after, ...(at === undefined ? {} : { column: at + 1 }) };
}

const LONGEST_CURSOR = 8192;

export function cursorOf(position: Position, key: string): string {
  const { score, path, line } = position;
  return Buffer.from(JSON.stringify({ key, score, path, line })).toString('base64url');
}

/** `key` identifies the query: the cursor of another query is refused. */
export function positionIn(cursor: string, key: string): Result<Position, string> {
  const refused = err('the cursor belongs to another search; leave it out to begin anew');
  if (cursor.length > LONGEST_CURSOR) return refused;
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const parsed = parseJson(text, { maxLength: LONGEST_CURSOR, maxDepth: 2 });
  if (!parsed.ok || !isObject(parsed.value)) return refused;
  const { key: cursorKey, score, path, line } = parsed.value;
  if (cursorKey !== key || typeof score !== 'number' || typeof line !== 'number') return refused;
  return typeof path === 'string' ? ok({ score, path, line }) : refused;
}
