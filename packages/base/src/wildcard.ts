// Matches texts against patterns in which `*` stands for any text, including none. Takes linear time in the sum of both
// lengths, since both may be untrusted.

export function matchesWildcard(pattern: string, text: string): boolean {
  const firstStar = pattern.indexOf('*');
  if (firstStar === -1) return text === pattern;
  const lastStar = pattern.lastIndexOf('*');
  const first = pattern.slice(0, firstStar);
  const last = pattern.slice(lastStar + 1);
  if (text.length < first.length + last.length) return false;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  if (firstStar === lastStar) return true;
  const rest = pattern.slice(firstStar + 1, lastStar).split('*');
  const middle = text.slice(first.length, text.length - last.length);
  // The earliest match is always correct: it leaves the most text for the pieces that follow.
  let at = 0;
  for (const piece of rest) {
    const end = endOfFirst(piece, middle, at);
    if (end === undefined) return false;
    at = end;
  }
  return true;
}

/** The end of the first occurrence of a piece. Knuth, Morris and Pratt: no character is read twice. */
function endOfFirst(piece: string, text: string, from: number): number | undefined {
  if (piece === '') return from;
  const borders = bordersOf(piece);
  let matched = 0;
  for (let at = from; at < text.length; at += 1) {
    matched = extend({ piece, borders, matched }, text[at]);
    if (matched === piece.length) return at + 1;
  }
  return undefined;
}

interface Match {
  readonly piece: string;
  /** For each prefix of the piece, the length of its longest suffix that is also a prefix. */
  readonly borders: readonly number[];
  readonly matched: number;
}

function extend({ piece, borders, matched }: Match, character: string | undefined): number {
  let length = matched;
  while (length > 0 && piece[length] !== character) length = borders[length - 1] ?? 0;
  return piece[length] === character ? length + 1 : 0;
}

function bordersOf(piece: string): readonly number[] {
  const borders = [0];
  for (let at = 1; at < piece.length; at += 1) {
    borders.push(extend({ piece, borders, matched: borders[at - 1] ?? 0 }, piece[at]));
  }
  return borders;
}
