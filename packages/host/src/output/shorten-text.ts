// Shortens a text: keeps its beginning and its end, in whole lines if possible, with a mark between them that states how
// much is missing. Pure.

import { cutPoint } from '@plugboard/base';

/** The maximum length of a mark. */
const MARK_LENGTH = 80;
const HEAD_SHARE = 0.7;

/** Never longer than `most`; a text that fits is returned unchanged. */
export function shortenText(text: string, most: number): string {
  if (text.length <= most) return text;
  const room = most - MARK_LENGTH;
  // Too little room for a mark and text beside it.
  if (room < MARK_LENGTH) return detached(text.slice(0, cutPoint(text, Math.max(0, most))));
  const end = headEnd(text, Math.floor(room * HEAD_SHARE));
  const start = tailStart(text, text.length - (room - Math.floor(room * HEAD_SHARE)));
  return detached(text.slice(0, end) + markOf(text, end, start) + text.slice(start));
}

function markOf(text: string, end: number, start: number): string {
  const lines = linesBetween(text, end, start);
  const before = end > 0 && text[end - 1] !== '\n' ? '\n' : '';
  const words =
    lines > 1 ? `${start - end} characters in ${lines} lines` : `${start - end} characters`;
  return `${before}[… ${words} left out …]\n`;
}

function linesBetween(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) {
    lines += 1;
  }
  return lines;
}

/** The end of the last whole line, unless that would waste half of the room. */
function headEnd(text: string, most: number): number {
  const line = text.lastIndexOf('\n', most - 1) + 1;
  return line > most / 2 ? line : cutPoint(text, most);
}

function tailStart(text: string, least: number): number {
  const line = text.indexOf('\n', least - 1) + 1;
  if (line > 0 && line < least + (text.length - least) / 2) return line;
  return cutPoint(text, least) < least ? least + 1 : least;
}

/** Copies a text: a slice would keep the whole original text in memory. */
function detached(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
