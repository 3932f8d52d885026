// The last output of a server process that failed, which often shows the cause.

import { tellingLines } from '@plugboard/base';
import type { ProcessEvidence } from '@plugboard/host';
import { oneLine } from './sanitise.ts';

const SHOWN_LINES = 8;
const SHOWN_COLUMNS = 300;

/** The end of stderr, then lines on stdout that are not messages. */
export function evidenceLines(
  { stderr, strayLines, lastStrayLine }: ProcessEvidence,
  broken?: string,
): readonly string[] {
  const output = stderr.length === 0 ? ['(it wrote nothing to stderr)'] : stderr;
  return [...shownLines(output), ...shownLines(strayLine(strayLines, broken ?? lastStrayLine))];
}

/** The most informative lines of a program, sanitised and cut. */
export function shownLines(lines: readonly string[]): readonly string[] {
  return tellingLines(lines, SHOWN_LINES).map((line) => oneLine(line, SHOWN_COLUMNS));
}

export function exitWords(exit: {
  readonly code: number | null;
  readonly signal: string | null;
}): string {
  if (exit.signal !== null) return `by signal ${exit.signal}`;
  // The broker of a shared server would have reported an exit code.
  if (exit.code === null) return 'together with the broker that shares it';
  return exit.code === 0 ? 'without an error' : `with exit code ${exit.code ?? 'unknown'}`;
}

function strayLine(count: number, last: string | undefined): readonly string[] {
  if (last === undefined) return [];
  return count > 1
    ? [`on stdout, the last of ${count} lines that are not MCP: ${last}`]
    : [`on stdout, not MCP: ${last}`];
}

/** Matches names of environment variables, and hardly anything else in the output of programs. */
const NAME = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/;
const COMPLAINT =
  /not set|not found|not defined|missing|require|undefined|must|need|provide|empty/i;
/** Error codes have the same form. */
const CODE = /^(?:ERR|MODULE|UNABLE|DEPTH|CERT|SELF|EAI)_/;
const LONGEST_NAME = 64;

/** The first variable that the output reports as missing. */
export function missingVariable(stderr: readonly string[]): string | undefined {
  return stderr
    .filter((line) => COMPLAINT.test(line))
    .flatMap((line) => NAME.exec(line) ?? [])
    .find((name) => name.length <= LONGEST_NAME && !CODE.test(name));
}
