// Finds the lines of a text that hold a word or match an expression, with some lines around each. Expressions
// come from a model: only tame ones are let in by the caller, they see a line in short windows, and the
// caller says when it has taken too long.

import { eachLine } from './each-line.ts';

export interface LineMatch {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface LineSearchOptions {
  readonly pattern: string;
  readonly as: 'text' | 'regex';
  readonly context: number;
  readonly most: number;
  readonly isOver: () => boolean;
}

interface Found {
  readonly matches: readonly LineMatch[];
  readonly end: 'all' | 'more';
}

const SHOWN_CHARACTERS = 500;
/** As long as the texts for which an expression was found to be tame. */
const WINDOW = 256;

/** Nothing where the pattern is no expression. */
export function lineSearch(
  options: LineSearchOptions,
): ((pieces: AsyncIterable<string>) => Promise<Found>) | undefined {
  const matcher = matcherOf(options);
  return matcher && ((pieces) => search(pieces, matcher, options));
}

/** Where in a line the match is, or -1. */
type Matcher = (line: string) => number;

async function search(
  pieces: AsyncIterable<string>,
  matcher: Matcher,
  { context, most, isOver }: LineSearchOptions,
): Promise<Found> {
  const matches: (LineMatch & { after: string[] })[] = [];
  const before: string[] = [];
  let number = 0;
  for await (const line of eachLine(pieces)) {
    number += 1;
    const at = matches.length < most ? matcher(line) : -1;
    const shown = around(line, Math.max(0, at));
    for (const match of matches.slice(-context)) {
      if (context > 0 && match.line >= number - context) match.after.push(shown);
    }
    if (at !== -1) matches.push({ line: number, text: shown, before: [...before], after: [] });
    before.push(shown);
    if (before.length > context) before.shift();
    const last = matches.at(-1)?.line ?? 0;
    if (isOver() || (matches.length >= most && number >= last + context)) {
      return { matches, end: 'more' };
    }
  }
  return { matches, end: 'all' };
}

function matcherOf({ pattern, as, isOver }: LineSearchOptions): Matcher | undefined {
  if (as === 'text') return (line) => line.indexOf(pattern);
  try {
    const expression = new RegExp(pattern, 'u');
    return (line) => searchWindows(line, expression, isOver);
  } catch {
    return undefined;
  }
}

function searchWindows(line: string, expression: RegExp, isOver: () => boolean): number {
  for (let from = 0; ; from += WINDOW / 2) {
    const window = line.slice(from, from + WINDOW);
    const isLast = from + WINDOW >= line.length;
    const match = expression.exec(window);
    // The edge of a window is no end of the line; what is there is whole in the window beside.
    const isAtEdge =
      match !== null &&
      ((from > 0 && match.index === 0) ||
        (!isLast && match.index + match[0].length === window.length));
    if (match !== null && !isAtEdge) return from + match.index;
    if (isLast || isOver()) return -1;
  }
}

/** The part of a long line in which the match is. */
function around(line: string, at: number): string {
  if (line.length <= SHOWN_CHARACTERS) return line;
  const from = Math.max(0, Math.min(at - SHOWN_CHARACTERS / 2, line.length - SHOWN_CHARACTERS));
  return line.slice(from, from + SHOWN_CHARACTERS);
}
