// How a question is put to ripgrep. Its lines are printed plainly and cut by ripgrep itself: in its JSON every match
// within a line is listed, which for one line of 50 MB takes gigabytes. Columns are left out for the same reason.

import { WALK_ARGUMENTS } from '../scan/index.ts';
import type { CheckedQuery } from './text-query.ts';

/** Bytes of a line that ripgrep prints at most. */
export const MOST_COLUMNS = 2000;
/** Lines that are ranked at most; a question with more matches should be more precise. */
export const MOST_RANKED = 10_000;
/** Lines around matches take memory too. */
const MOST_WITH_CONTEXT = 1000;

/** Of one file. */
export function mostPerFile({ contextLines }: Pick<CheckedQuery, 'contextLines'>): number {
  return contextLines === 0 ? MOST_RANKED : MOST_WITH_CONTEXT;
}

const CASE_FLAGS = {
  smart: '--smart-case',
  sensitive: '--case-sensitive',
  insensitive: '--ignore-case',
} as const;

const WITHOUT_LINE_ENDS = '--glob=!*\n*';

/**
 * Whether the lines that ripgrep prints tell the path. It prints names as they are: of one with a line end, the second half
 * would pass for the path of another file.
 */
export function isTold(path: string): boolean {
  return !path.includes('\n');
}

/** Everything but the paths to search. */
export function searchArguments(query: CheckedQuery): readonly string[] {
  return [
    ...WALK_ARGUMENTS,
    WITHOUT_LINE_ENDS,
    ...OUTPUT,
    // One more than is taken, which tells that there are more.
    `--max-count=${mostPerFile(query) + 1}`,
    ...patternArguments(query),
    ...contextArguments(query),
    '--',
  ];
}

const OUTPUT = [
  '--no-heading',
  '--with-filename',
  '--null',
  '--line-number',
  '--no-context-separator',
  '--field-match-separator=:',
  '--field-context-separator=-',
  `--max-columns=${MOST_COLUMNS}`,
  '--max-columns-preview',
  // The engine that takes no more time than the text is long, whatever the pattern.
  '--engine=default',
];

/** A pattern that needs more memory is refused by ripgrep. */
const REGEX_SIZE_LIMIT = '--regex-size-limit=10M';

/** For matches that span lines a file is read as a whole. */
const MOST_MULTILINE = '--max-filesize=20M';

export function patternArguments(query: CheckedQuery): readonly string[] {
  return [
    REGEX_SIZE_LIMIT,
    CASE_FLAGS[query.caseRule],
    ...(query.isRegex || hasLatin(query) ? [] : ['--fixed-strings']),
    ...(query.isWord ? ['--word-regexp'] : []),
    ...(query.isMultiline ? ['--multiline', MOST_MULTILINE] : []),
    `--regexp=${hasLatin(query) ? inBothEncodings(query.pattern) : query.pattern}`,
  ];
}

const LATIN = /[\u0080-\u00FF]/;

/** Whether a file in Latin-1 has the text in other bytes than one in UTF-8. */
export function hasLatin({ isRegex, pattern }: Pick<CheckedQuery, 'isRegex' | 'pattern'>): boolean {
  return !isRegex && LATIN.test(pattern);
}

/** A pattern for a literal text: its letters beyond ASCII in either encoding. */
function inBothEncodings(text: string): string {
  return Array.from(text, (char) => {
    if (LATIN.test(char)) {
      const byte = char.charCodeAt(0).toString(16);
      return `(?:${char}|(?-u:\\x${byte}))`;
    }
    return char.replace(/[\\.+*?()|[\]{}^$#&~-]/, '\\$&');
  }).join('');
}

function contextArguments({ contextLines }: CheckedQuery): readonly string[] {
  return contextLines === 0 ? [] : [`--context=${contextLines}`];
}

/** Paths in portions that fit into one command each. */
export function* portions(
  paths: Iterable<string>,
  mostBytes: number,
): Generator<readonly string[], void, undefined> {
  let portion: string[] = [];
  let bytes = 0;
  for (const path of paths) {
    if (!isTold(path)) continue;
    const argument = `./${path}`;
    const length = Buffer.byteLength(argument) + 1 + POINTER_BYTES;
    if (portion.length > 0 && bytes + length > mostBytes) {
      yield portion;
      portion = [];
      bytes = 0;
    }
    portion.push(argument);
    bytes += length;
  }
  if (portion.length > 0) yield portion;
}

/** What the system keeps for each argument beside its text. */
const POINTER_BYTES = 8;
