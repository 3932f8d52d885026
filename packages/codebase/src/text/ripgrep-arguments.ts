// The arguments of ripgrep for a query. Lines are printed as plain text and cut by ripgrep itself: its JSON lists every match
// within a line, which takes gigabytes for one line of 50 MB. Columns are omitted for the same reason.

import { WALK_ARGUMENTS } from '../scan/index.ts';
import type { CheckedQuery } from './text-query.ts';

/** The most bytes of a line that ripgrep prints. */
export const MOST_COLUMNS = 2000;
/** The most lines that are ranked; a query with more matches should be more precise. */
export const MOST_RANKED = 10_000;
/** A lower limit, since the lines around matches take memory too. */
const MOST_WITH_CONTEXT = 1000;

/** The most matches of one file. */
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
 * Whether the output of ripgrep identifies the path. It prints names unescaped: the second half of a name with a line break
 * would pass for the path of another file.
 */
export function isPrintable(path: string): boolean {
  return !path.includes('\n');
}

/** Everything but the paths to search. */
export function searchArguments(query: CheckedQuery): readonly string[] {
  return [
    ...WALK_ARGUMENTS,
    WITHOUT_LINE_ENDS,
    ...OUTPUT,
    // One more than is used, to tell whether there are more.
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
  // This engine takes linear time for every pattern.
  '--engine=default',
];

/** A pattern that needs more memory is refused by ripgrep. */
const REGEX_SIZE_LIMIT = '--regex-size-limit=10M';

/** Multiline search reads files as a whole. */
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

/** Whether the text has different bytes in Latin-1 and in UTF-8. */
export function hasLatin({ isRegex, pattern }: Pick<CheckedQuery, 'isRegex' | 'pattern'>): boolean {
  return !isRegex && LATIN.test(pattern);
}

/** A pattern for a literal text, with letters beyond ASCII in either encoding. */
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

/** Splits paths into portions that each fit into one command. */
export function* portions(
  paths: Iterable<string>,
  mostBytes: number,
): Generator<readonly string[], void, undefined> {
  let portion: string[] = [];
  let bytes = 0;
  for (const path of paths) {
    if (!isPrintable(path)) continue;
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

/** The bytes that the system needs for each argument besides its text. */
const POINTER_BYTES = 8;
