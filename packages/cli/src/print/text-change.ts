// The change of a text in one place, as lines with + and -. Nothing around it is shown: other entries of the file may hold
// secrets, and some files are a single line.

import type { Output } from '../terminal.ts';
import { paint } from './paint.ts';
import { sanitise } from './sanitise.ts';

/** What may be before a change on its line for that to be shown as well: part of a key. */
const PART_OF_KEY = /^\s*["\w-]{0,40}$/;

export function textChange(output: Output, before: string, after: string): string {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const lineStart = before.lastIndexOf('\n', start - 1) + 1;
  const isInsideOfLine = before.length - end > start && after.length - end > start;
  const isInKey = isInsideOfLine && PART_OF_KEY.test(before.slice(lineStart, start));
  const from = isInKey ? lineStart : start;
  const removed = linesOf(before.slice(from, before.length - end), '-');
  const added = linesOf(after.slice(from, after.length - end), '+');
  const lines = [
    ...removed.map((line) => paint(output, 'red', line)),
    ...added.map((line) => paint(output, 'bold', line)),
  ];
  return `${lines.join('\n')}\n`;
}

/** Without the comma and the line break between the entry and the one before it. */
function linesOf(text: string, sign: '-' | '+'): readonly string[] {
  return text
    .replace(/^,?[ \t]*[\r\n]*/, '')
    .trimEnd()
    .split(/\r\n|\n|\r/)
    .filter((line) => line !== '')
    .map((line) => `  ${sign} ${sanitise(line)}`);
}
