// The head of a declaration as one line: from the line with its name up to its body. It is read from the text by its
// brackets, so it is the same for all languages; of a long one only the beginning is shown. Pure.

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
