// Formats the head of a declaration as one line: from the line of its name up to its body. It is found by matching brackets,
// which works for all languages; a long one is cut. Pure.

const MOST_LINES = 12;
const LONGEST = 200;
const OPENING = /[([]/g;
const CLOSING = /[)\]]/g;

/** `line` counts from 1. */
export function signatureAt(lines: readonly string[], line: number): string {
  let head = '';
  for (let number = 0; number < MOST_LINES; number += 1) {
    const text = lines[line - 1 + number];
    if (text === undefined) break;
    head += ` ${text.replace(/\s*(?:\/\/|#\s).*$/, '').trim()}`;
    if (head.length > LONGEST || isClosed(head)) break;
  }
  const folded = head
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/([([]) | (?=[)\]])|,(?= ?[)\]])/g, '$1')
    .replace(/\s*(?:\{\s*(?:\}\s*)?|;)$/, '');
  return folded.length > LONGEST ? `${folded.slice(0, LONGEST)}…` : folded;
}

function isClosed(head: string): boolean {
  const open = (head.match(OPENING) ?? []).length - (head.match(CLOSING) ?? []).length;
  return open <= 0;
}
