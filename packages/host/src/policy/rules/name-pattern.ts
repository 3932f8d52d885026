// Compiles patterns in which `*` stands for any text, for matching many texts. Matching takes time in proportion to the
// lengths.

import { matchesWildcard } from '@plugboard/base';

export type TextMatch = (text: string) => boolean;

/** Names are shorter. For short texts a plain search is faster than one with a linear bound. */
const MAX_SHORT = 256;

export function compilePattern(pattern: string): TextMatch {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return (text) => text === pattern;
  if (rest.length === 0 && tail === '') return (text) => text.startsWith(head);
  const least = head.length + tail.length;
  const middle = rest.filter((piece) => piece !== '');
  return (text) => {
    if (text.length < least || !text.startsWith(head) || !text.endsWith(tail)) return false;
    if (middle.length === 0) return true;
    if (text.length > MAX_SHORT) return matchesWildcard(pattern, text);
    return holdsInOrder(middle, text, { from: head.length, to: text.length - tail.length });
  };
}

function holdsInOrder(
  pieces: readonly string[],
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
): boolean {
  let at = from;
  for (const piece of pieces) {
    // The earliest match is always correct: it leaves the most room for the following pieces.
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return at <= to;
}

/** The text before the first `*`, with which every match begins. */
export function headOf(pattern: string): string {
  const star = pattern.indexOf('*');
  return star === -1 ? pattern : pattern.slice(0, star);
}
