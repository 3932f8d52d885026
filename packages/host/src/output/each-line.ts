// The lines of a text that comes in pieces. Of a line without end only its beginning is kept.

const MAX_LINE = 1024 * 1024;

export async function* eachLine(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let open = '';
  let isOpen = false;
  for await (const piece of pieces) {
    let from = 0;
    for (let at = piece.indexOf('\n'); at !== -1; at = piece.indexOf('\n', from)) {
      yield open + piece.slice(from, Math.min(at, from + MAX_LINE - open.length));
      open = '';
      from = at + 1;
    }
    open += piece.slice(from, from + Math.max(0, MAX_LINE - open.length));
    isOpen = from < piece.length || (isOpen && from === 0);
  }
  if (isOpen) yield open;
}
