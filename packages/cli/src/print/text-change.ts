// Shows a change in one place of a text as lines with + and -. The surrounding text is left out, since other entries of the
// file may contain secrets, and some files are a single line.

import type { Output } from '../terminal.ts';
import { paint } from './paint.ts';
import { sanitise } from './sanitise.ts';

/** The beginning of a key, which is shown if it precedes the change on its line. */
const PART_OF_KEY = /^\s*["\w-]{0,40}$/;

export function textChange(output: Output, before: string, after: string): string {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const lineStart = before.lastIndexOf('\n', start - 1) + 1;
  const isInsideLine = before.length - end > start && after.length - end > start;
  const isInKey = isInsideLine && PART_OF_KEY.test(before.slice(lineStart, start));
  const from = isInKey ? lineStart : start;
  const removed = linesOf(before.slice(from, before.length - end), '-');
  const added = linesOf(after.slice(from, after.length - end), '+');
  const lines = [
    ...removed.map((line) => paint(output, 'red', line)),
    ...added.map((line) => paint(output, 'bold', line)),
  ];
  return `${lines.join('\n')}\n`;
}

/** Removes the comma and the line break after the previous entry. */
function linesOf(text: string, sign: '-' | '+'): readonly string[] {
  return text
    .replace(/^,?[ \t]*[\r\n]*/, '')
    .trimEnd()
    .split(/\r\n|\n|\r/)
    .filter((line) => line !== '')
    .map((line) => `  ${sign} ${sanitise(line)}`);
}
