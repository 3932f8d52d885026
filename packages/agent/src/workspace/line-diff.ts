// Compares two texts by lines, with limits on work and size. Pure.

import { formatPatch, OMIT_HEADERS, structuredPatch } from 'diff';
import { lineCount } from './file-text.ts';

export interface LineDiff {
  readonly added: number;
  readonly removed: number;
  /** In the unified format, without file names; `undefined` if the texts have too little in common. */
  readonly text?: string;
}

/** Texts that differ in more lines count as completely different. */
const MOST_EDITS = 2000;
const MOST_CHARACTERS = 32 * 1024;

export function lineDiff(before: string, after: string): LineDiff {
  const patch = structuredPatch('', '', before, after, undefined, undefined, {
    context: 3,
    maxEditLength: MOST_EDITS,
  });
  if (patch === undefined) return { added: lineCount(after), removed: lineCount(before) };
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  const text = formatPatch(patch, OMIT_HEADERS);
  return { added: count('+'), removed: count('-'), text: cut(text) };
}

function cut(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const end = text.lastIndexOf('\n', MOST_CHARACTERS) + 1;
  return `${text.slice(0, end === 0 ? MOST_CHARACTERS : end)}\\ ${text.length - end} more characters\n`;
}
