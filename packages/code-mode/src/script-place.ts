// Finds the place of an error in a script. The script is the body of a function whose head is on the first line, so the
// engine's lines are those of the script, and only columns of the first line differ.

import type { ScriptError } from './script.ts';

export const SCRIPT_FILE = 'script.js';
const HEAD = '(async () => {';
const PLACE = /\bscript\.js:(\d{1,7}):(\d{1,7})/;
const PLACES = /\bscript\.js:1:(\d{1,7})/g;
const BRIDGE_LINE = /^.*\bbridge\.js\b.*\n?/gm;

export function wrapScript(code: string): string {
  return `${HEAD}${code}\n})`;
}

/** The error with its own place, or else the place that its stack names. */
export function placedError(
  error: Pick<ScriptError, 'name' | 'message' | 'stack'> & Partial<ScriptError>,
): ScriptError {
  const { name, message } = error;
  const found = PLACE.exec(error.stack);
  const line = error.line ?? Number(found?.[1] ?? 0);
  const column = columnIn(line, error.column ?? Number(found?.[2] ?? 0));
  const stack = error.stack
    .replaceAll(BRIDGE_LINE, '')
    .replaceAll(PLACES, (_, at: string) => `${SCRIPT_FILE}:1:${columnIn(1, Number(at))}`)
    .trimEnd();
  return { name: name === '' ? 'Error' : name, message, line, column, stack };
}

function columnIn(line: number, column: number): number {
  return line === 1 ? Math.max(1, column - HEAD.length) : column;
}
