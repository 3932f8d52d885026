// Reads one page of a text that arrives in pieces: from a line or character on, with a maximum of lines and characters.
// Returns where the page and the next one begin.

import { cutPoint } from '@plugboard/base';

/** A place in a text: its line, counted from 1, and the number of characters before it. */
export interface Place {
  readonly line: number;
  readonly character: number;
}

export type From = { readonly line: number } | { readonly character: number };

export interface PageRequest {
  readonly from: From;
  readonly lines: number | undefined;
  readonly characters: number;
}

export interface TextPage {
  /** Without the end of its last line. */
  readonly text: string;
  readonly start: Place;
  /** Where the next page begins; absent at the end. */
  readonly next?: Place;
}

const BEGINNING: Place = { line: 1, character: 0 };

export async function readPage(
  pieces: AsyncIterable<string>,
  request: PageRequest,
): Promise<TextPage> {
  const { from, lines, characters } = request;
  let place = BEGINNING;
  let start: Place | undefined;
  let text = '';
  for await (const piece of pieces) {
    let own = piece;
    if (start === undefined) {
      const at = beginningIn(piece, place, from);
      place = placeAfter(place, piece.slice(0, at ?? piece.length));
      if (at === undefined) continue;
      start = place;
      own = piece.slice(at);
    }
    // One character more than requested, to detect whether there is more.
    text += own.slice(0, characters + 1 - text.length);
    if (text.length > characters || endOfLines(text, lines) < text.length) break;
  }
  return cutPage(text, start ?? place, { lines, characters });
}

/** Cuts a text that begins at `start` to a page, in whole lines if at least one fits. */
export function cutPage(
  text: string,
  start: Place,
  { lines, characters }: Omit<PageRequest, 'from'>,
): TextPage {
  const end = endOfLines(text, lines);
  const most = Math.min(end, characters);
  if (most >= text.length) return { text: withoutLineEnd(text), start };
  if (end <= characters) return pageUpTo(text, start, end);
  const lastEnd = text.lastIndexOf('\n', characters - 1);
  if (lastEnd !== -1) return pageUpTo(text, start, lastEnd + 1);
  return pageUpTo(text, start, cutPoint(text, characters));
}

function pageUpTo(text: string, start: Place, end: number): TextPage {
  const own = text.slice(0, end);
  return { text: withoutLineEnd(own), start, next: placeAfter(start, own) };
}

/** The position after so many lines and the last line break; `Infinity` if the text has fewer. */
function endOfLines(text: string, lines: number | undefined): number {
  if (lines === undefined) return Number.POSITIVE_INFINITY;
  let at = 0;
  for (let count = 0; count < lines; count += 1) {
    const end = text.indexOf('\n', at);
    if (end === -1) return Number.POSITIVE_INFINITY;
    at = end + 1;
  }
  return at;
}

function beginningIn(piece: string, place: Place, from: From): number | undefined {
  if ('character' in from) {
    const at = from.character - place.character;
    return at < piece.length ? at : undefined;
  }
  let at = 0;
  for (let { line } = place; line < from.line; line += 1) {
    const end = piece.indexOf('\n', at);
    if (end === -1) return undefined;
    at = end + 1;
  }
  return at;
}

function placeAfter({ line, character }: Place, text: string): Place {
  let ends = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) ends += 1;
  return { line: line + ends, character: character + text.length };
}

function withoutLineEnd(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}
