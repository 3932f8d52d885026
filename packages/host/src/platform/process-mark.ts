// The mark of a started program: random characters in a variable of its environment, which all its descendants inherit.
// The mark identifies the program's processes, including those that left its group and session.

import { randomBytes } from 'node:crypto';

export const MARK_VARIABLE = 'PLUGBOARD_PROCESS_MARK';
const SEPARATOR = ',';

export function newMark(): string {
  return randomBytes(8).toString('hex');
}

export function isMark(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{16}$/.test(value);
}

/** `env` with the mark, after those of the programs in which this process runs. */
export function markedEnvironment(
  env: Readonly<Record<string, string>>,
  mark: string,
): Record<string, string> {
  return { ...env, [MARK_VARIABLE]: [...ownMarks(), mark].join(SEPARATOR) };
}

/** The marks of the programs in which this process runs, the outermost first. */
export function ownMarks(): readonly string[] {
  return marksIn(process.env[MARK_VARIABLE] ?? '');
}

/** The marks in a value of the variable. */
export function marksIn(value: string): readonly string[] {
  return value.split(SEPARATOR).filter(isMark);
}
