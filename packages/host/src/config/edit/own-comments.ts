// Finds the comments above a property that belong to it: those on their own lines directly above it, without
// an empty line between. A comment that contains a commented-out entry does not belong to the next one, so it
// and all comments above it stay.

import { createScanner } from '#jsonc-parser';

interface Comment {
  readonly offset: number;
  readonly end: number;
}

/**
 * The start of the comments of the property whose line starts at `start`, or `start` if it has none. `after`
 * is the end of the token before the property.
 */
export function ownCommentsStart(text: string, start: number, after: number): number {
  let own = start;
  for (const { offset, end } of commentsBetween(text, after, start).toReversed()) {
    const line = lineStart(text, offset);
    const isAlone = text.slice(line, offset).trim() === '';
    const isAdjacent = /^[ \t]*(?:\r\n|\r|\n)$/.test(text.slice(end, own));
    if (!isAlone || !isAdjacent || isCommentedOut(text.slice(offset, end))) break;
    own = line;
  }
  return own;
}

/** The comments after the comma; those before it belong to the previous property. */
function commentsBetween(text: string, from: number, to: number): readonly Comment[] {
  const comments: Comment[] = [];
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  for (scanner.scan(); scanner.getTokenOffset() < to; scanner.scan()) {
    const offset = scanner.getTokenOffset();
    const end = offset + scanner.getTokenLength();
    if (text[offset] === '/') comments.push({ offset, end });
    if (text[offset] === ',') comments.length = 0;
  }
  return comments;
}

function isCommentedOut(comment: string): boolean {
  return /^(?:\/\/|\/\*)\s*["{}[\]]/.test(comment);
}

export function lineStart(text: string, offset: number): number {
  const before = text.slice(0, offset);
  return Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
}
