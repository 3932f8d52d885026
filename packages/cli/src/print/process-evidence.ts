// What a server process said before it failed: the quickest way to the cause.

import { tellingLines } from '@plugboard/base';
import type { ProcessEvidence } from '@plugboard/host';
import { oneLine } from './sanitise.ts';

const SHOWN_LINES = 8;
const SHOWN_COLUMNS = 300;

/** The end of its stderr, then what it wrote to stdout though it is not a message. */
export function evidenceLines(
  { stderr, strayLines, lastStrayLine }: ProcessEvidence,
  broken?: string,
): readonly string[] {
  const said = stderr.length === 0 ? ['(it wrote nothing to stderr)'] : stderr;
  return [...shownLines(said), ...shownLines(stray(strayLines, broken ?? lastStrayLine))];
}

/** Those of a program's lines that tell most, fit to be shown. */
export function shownLines(lines: readonly string[]): readonly string[] {
  return tellingLines(lines, SHOWN_LINES).map((line) => oneLine(line, SHOWN_COLUMNS));
}

export function exitWords(exit: {
  readonly code: number | null;
  readonly signal: string | null;
}): string {
  if (exit.signal !== null) return `by signal ${exit.signal}`;
  // Of a shared one, whose broker would have told.
  if (exit.code === null) return 'together with the broker that shares it';
  return exit.code === 0 ? 'without an error' : `with exit code ${exit.code ?? 'unknown'}`;
}

function stray(count: number, last: string | undefined): readonly string[] {
  if (last === undefined) return [];
  return count > 1
    ? [`on stdout, the last of ${count} lines that are not MCP: ${last}`]
    : [`on stdout, not MCP: ${last}`];
}

/** Of variables, and of hardly anything else that programs print. */
const NAME = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/;
const COMPLAINT =
  /not set|not found|not defined|missing|require|undefined|must|need|provide|empty/i;
/** Codes of errors look the same. */
const CODE = /^(?:ERR|MODULE|UNABLE|DEPTH|CERT|SELF|EAI)_/;
const LONGEST_NAME = 64;

/** The first that a line complains of. */
export function missingVariable(stderr: readonly string[]): string | undefined {
  return stderr
    .filter((line) => COMPLAINT.test(line))
    .flatMap((line) => NAME.exec(line) ?? [])
    .find((name) => name.length <= LONGEST_NAME && !CODE.test(name));
}
