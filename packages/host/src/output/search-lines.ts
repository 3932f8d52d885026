// Finds the lines of a text that hold a word or match an expression, with some lines around each; of a very long line,
// each place in it. Expressions come from a model: only tame ones are let in by the caller, they see a line in short
// windows, and the caller says when it has taken too long.

import type { From } from './read-page.ts';
import { type TextRow, textRows } from './text-rows.ts';

export interface LineMatch {
  /** From 1. */
  readonly line: number;
  /** How many characters of the whole come before the match. */
  readonly character: number;
  /** The line, or of a long one what is around the match. */
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface LineSearchOptions {
  readonly pattern: string;
  readonly as: 'text' | 'regex';
  /** `smart`: case counts where the pattern has a capital. */
  readonly case: 'smart' | 'sensitive';
  readonly from: From;
  readonly context: number;
  readonly most: number;
  readonly isOver: () => boolean;
}

export interface FoundLines {
  readonly matches: readonly LineMatch[];
  /** Where to go on, if the limits ended the search. */
  readonly next?: { readonly character: number };
}

const SHOWN_CHARACTERS = 500;
/** As long as the texts for which an expression was found to be tame. */
const WINDOW = 256;

/** `undefined` if the pattern is no expression. */
export function lineSearch(
  options: LineSearchOptions,
): ((pieces: AsyncIterable<string>) => Promise<FoundLines>) | undefined {
  const matcher = matcherOf(options);
  return matcher && ((pieces) => search(pieces, matcher, options));
}

/** Where in a row the first match from a position on is, or -1. */
type Matcher = (row: TextRow, from: number) => number;

interface SearchState {
  readonly matches: (LineMatch & { readonly after: string[] })[];
  /** The lines before the one that is looked at. */
  readonly before: string[];
  /** Matches before it are known, or not wanted. */
  free: number;
  /** How much was looked at. */
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
      // Asking for the time takes longer than looking at a short line.
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

/** There are as many matches as are wanted, with what comes after them. */
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
  const isWanted = 'character' in from ? found.end >= from.character : row.line >= from.line;
  if (isWanted && matches.length < most) gather(found, row, { matcher, most });
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

/** One match of a line that is shown whole; of a longer one, each that is not shown with another. */
function gather(
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
    return (row, from) => (isAnyCase ? lowered(row.text) : row.text).indexOf(pattern, from);
  }
  try {
    const expression = new RegExp(pattern, isAnyCase ? 'giu' : 'gu');
    return (row, from) => searchWindows(row, expression, from);
  } catch {
    return undefined;
  }
}

/** A few capitals become two letters, and nothing would be where it was. */
function lowered(text: string): string {
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
    // The edge of a window is no end of the line; what is there is whole in the window beside.
    const isAtEdge =
      match !== null &&
      ((!(start === 0 && isStart) && match.index === 0) ||
        (!(isLast && isEnd) && match.index + match[0].length === window.length));
    if (match !== null && !isAtEdge) return start + match.index;
    if (isLast) return -1;
  }
}

/** The part of a long line in which the match is. */
function around(line: string, at: number): string {
  if (line.length <= SHOWN_CHARACTERS) return line;
  const from = Math.max(0, Math.min(at - SHOWN_CHARACTERS / 2, line.length - SHOWN_CHARACTERS));
  return line.slice(from, from + SHOWN_CHARACTERS);
}
