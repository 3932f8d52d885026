// Reads a text that arrives in pieces row by row: a row is a line, or a section of a very long line. Sections of one line
// overlap, so that a match is complete in one of them.

export interface TextRow {
  /** Counted from 1. */
  readonly line: number;
  /** The number of characters before the row in the text. */
  readonly character: number;
  readonly text: string;
  /** Whether the row is the beginning of its line. */
  readonly isStart: boolean;
  /** Whether the row is the end of its line. */
  readonly isEnd: boolean;
}

const LONGEST_ROW = 16 * 1024;

/** Yields the rows that each piece completes. */
export async function* textRows(
  pieces: AsyncIterable<string>,
  overlap: number,
): AsyncGenerator<readonly TextRow[]> {
  const longest = LONGEST_ROW + overlap;
  let line = 1;
  let character = 0;
  let isStart = true;
  let open = '';
  for await (const piece of pieces) {
    const rows: TextRow[] = [];
    const lines = piece.split('\n');
    for (const [index, part] of lines.entries()) {
      open += part;
      while (open.length > longest) {
        rows.push({ line, character, text: open.slice(0, longest), isStart, isEnd: false });
        open = open.slice(LONGEST_ROW);
        character += LONGEST_ROW;
        isStart = false;
      }
      if (index === lines.length - 1) break;
      rows.push({ line, character, text: open, isStart, isEnd: true });
      line += 1;
      character += open.length + 1;
      isStart = true;
      open = '';
    }
    yield rows;
  }
  if (open !== '') yield [{ line, character, text: open, isStart, isEnd: true }];
}
