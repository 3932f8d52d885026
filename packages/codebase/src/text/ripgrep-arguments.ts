// How a question is put to ripgrep. Its lines are printed plainly and cut by ripgrep itself: in its JSON every match
// within a line is listed, which for one line of 50 MB takes gigabytes. Columns are left out for the same reason.

import { WALK_ARGUMENTS } from '../scan/index.ts';
import type { CheckedQuery } from './text-query.ts';

/** Bytes of a line that ripgrep prints at most. */
export const MOST_COLUMNS = 2000;
/** Of one file; a caller that needs more reads the file. */
export const MOST_PER_FILE = 1000;

const CASE_FLAGS = {
  smart: '--smart-case',
  sensitive: '--case-sensitive',
  insensitive: '--ignore-case',
} as const;

/** Everything but the paths to search. */
export function searchArguments(query: CheckedQuery): readonly string[] {
  return [
    ...WALK_ARGUMENTS,
    ...OUTPUT,
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
  `--max-count=${MOST_PER_FILE}`,
  // The engine that takes no more time than the text is long, whatever the pattern.
  '--engine=default',
];

/** A pattern that needs more memory is refused by ripgrep. */
const REGEX_SIZE_LIMIT = '--regex-size-limit=10M';

export function patternArguments(query: CheckedQuery): readonly string[] {
  return [
    REGEX_SIZE_LIMIT,
    CASE_FLAGS[query.caseRule],
    ...(query.isRegex ? [] : ['--fixed-strings']),
    ...(query.isWord ? ['--word-regexp'] : []),
    `--regexp=${query.pattern}`,
  ];
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
