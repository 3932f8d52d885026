// Finds the lines of a text that contain a word or match a regular expression, with some lines around each; in a very long
// line, each match. Expressions come from a model: the caller passes only safe ones, they are applied to short windows of a
// line, and the caller decides when the search has taken too long.

import type { From } from './read-page.ts';
import { type TextRow, textRows } from './text-rows.ts';

export interface LineMatch {
  /** Counted from 1. */
  readonly line: number;
  /** The number of characters before the match in the whole text. */
  readonly character: number;
  /** The line, or the part around the match of a long line. */
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface LineSearchOptions {
  readonly pattern: string;
  readonly as: 'text' | 'regex';
  /** `smart`: case counts only if the pattern has a capital. */
  readonly case: 'smart' | 'sensitive';
  readonly from: From;
  readonly context: number;
  readonly most: number;
  readonly isOver: () => boolean;
}

export interface FoundLines {
  readonly matches: readonly LineMatch[];
  /** Where to continue if the limits ended the search. */
  readonly next?: { readonly character: number };
}

const SHOWN_CHARACTERS = 500;
/** The length of the texts for which expressions are known to be safe. */
const WINDOW = 256;

/** `undefined` if the pattern is invalid. */
export function lineSearch(
  options: LineSearchOptions,
): ((pieces: AsyncIterable<string>) => Promise<FoundLines>) | undefined {
  const matcher = matcherOf(options);
  return matcher && ((pieces) => search(pieces, matcher, options));
}

/** The position of the first match in a row from a position on, or -1. */
type Matcher = (row: TextRow, from: number) => number;

interface SearchState {
  readonly matches: (LineMatch & { readonly after: string[] })[];
  /** The lines before the current one. */
  readonly before: string[];
  /** The position before which matches are known or not requested. */
  free: number;
  /** The end of the searched text. */
  end: number;
}

async function search(
  pieces: AsyncIterable<string>,
  matcher: Matcher,
  options: LineSearchOptions,
): Promise<FoundLines> {
  const { pattern, from, most, isOver } = options;
  const free = 'character' in from ? from.character : 0;
  const found: SearchState = { matches: [], before: [], free, end: 0 };
  const { matches } = found;
  for await (const rows of textRows(pieces, Math.max(WINDOW, pattern.length))) {
    for (const [index, row] of rows.entries()) {
      // Reading the clock takes longer than searching a short line.
      const isOutOfTime = (index === 0 || row.text.length > WINDOW) && isOver();
      if (isOutOfTime || isDone(found, row, options)) {
        const isFull = matches.length >= most;
        const character = isFull ? found.free : Math.max(row.character, found.free);
        return { matches, next: { character } };
      }
      matchRow(found, row, { matcher, options });
    }
  }
  const isMore = matches.length >= most && found.free < found.end;
  return isMore ? { matches, next: { character: found.free } } : { matches };
}

/** Whether there are enough matches, with the lines after them. */
function isDone({ matches }: SearchState, { line }: TextRow, options: LineSearchOptions): boolean {
  if (matches.length < options.most) return false;
  return line > (matches.at(-1)?.line ?? 0) + options.context;
}

function matchRow(
  found: SearchState,
  row: TextRow,
  { matcher, options }: { readonly matcher: Matcher; readonly options: LineSearchOptions },
): void {
  const { from, context, most } = options;
  const { matches, before } = found;
  found.end = row.character + row.text.length;
  if (row.isStart) addContext(matches, row, context);
  const isInRange = 'character' in from ? found.end >= from.character : row.line >= from.line;
  if (isInRange && matches.length < most) addMatches(found, row, { matcher, most });
  if (row.isStart) before.push(around(row.text, 0));
  if (before.length > context) before.shift();
}

function addContext(matches: SearchState['matches'], row: TextRow, context: number): void {
  if (context === 0 || matches.length === 0) return;
  for (const match of matches.slice(-context)) {
    const isNear = match.line < row.line && match.line >= row.line - context;
    if (isNear) match.after.push(around(row.text, 0));
  }
}

/** Adds one match for a line that is shown whole; for a longer line, each match that is not shown with another. */
function addMatches(
  found: SearchState,
  row: TextRow,
  { matcher, most }: { readonly matcher: Matcher; readonly most: number },
): void {
  const isWhole = row.isStart && row.isEnd && row.text.length <= SHOWN_CHARACTERS;
  while (found.matches.length < most) {
    const at = matcher(row, Math.max(0, found.free - row.character));
    if (at === -1) return;
    const { line } = row;
    const character = row.character + at;
    const text = around(row.text, at);
    found.matches.push({ line, character, text, before: [...found.before], after: [] });
    found.free = isWhole
      ? row.character + row.text.length + 1
      : character + Math.floor(SHOWN_CHARACTERS / 2);
    if (isWhole) return;
  }
}

function matcherOf({ pattern, as, case: kase }: LineSearchOptions): Matcher | undefined {
  const letters = as === 'regex' ? pattern.replaceAll(/\\./g, '') : pattern;
  const isAnyCase = kase === 'smart' && letters === letters.toLowerCase();
  if (as === 'text') {
    return (row, from) => (isAnyCase ? toLowerCase(row.text) : row.text).indexOf(pattern, from);
  }
  try {
    const expression = new RegExp(pattern, isAnyCase ? 'giu' : 'gu');
    return (row, from) => searchWindows(row, expression, from);
  } catch {
    return undefined;
  }
}

/** Keeps a text whose length would change in lower case, so that positions stay valid. */
function toLowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}

function searchWindows(
  { text, isStart, isEnd }: TextRow,
  expression: RegExp,
  from: number,
): number {
  for (let start = Math.max(0, from - WINDOW / 2); ; start += WINDOW / 2) {
    const window = text.slice(start, start + WINDOW);
    const isLast = start + WINDOW >= text.length;
    expression.lastIndex = Math.max(0, from - start);
    const match = expression.exec(window);
    // The edge of a window is not the end of the line; a match at it is complete in the neighbouring window.
    const isAtEdge =
      match !== null &&
      ((!(start === 0 && isStart) && match.index === 0) ||
        (!(isLast && isEnd) && match.index + match[0].length === window.length));
    if (match !== null && !isAtEdge) return start + match.index;
    if (isLast) return -1;
  }
}

/** The part of a long line around the match. */
function around(line: string, at: number): string {
  if (line.length <= SHOWN_CHARACTERS) return line;
  const from = Math.max(0, Math.min(at - SHOWN_CHARACTERS / 2, line.length - SHOWN_CHARACTERS));
  return line.slice(from, from + SHOWN_CHARACTERS);
}
