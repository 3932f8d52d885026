// Texts held against patterns in which `*` stands for any text, made ready once for many texts. Takes
// time in proportion to the lengths, whatever they hold.

import { matchesWildcard } from '@plugboard/base';

export type TextMatch = (text: string) => boolean;

/** Names are shorter. For so short a text a plain search costs less than one that reads nothing twice. */
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
    // The earliest place is always a right one: it leaves the most for the pieces that follow.
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return at <= to;
}

/** What every text begins with that fits the pattern. */
export function headOf(pattern: string): string {
  const star = pattern.indexOf('*');
  return star === -1 ? pattern : pattern.slice(0, star);
}
