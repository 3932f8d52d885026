// The text of a result as its server wrote it, for those who pass it on: a number that JavaScript cannot hold, and
// everything else that reading and writing would change, stays as it was.

const FIRST = '{"result":';
const LAST = /^\{"jsonrpc":"2\.0","id":(?:\d{1,15}|"[^"\\]{0,100}"),"result":/;
const AFTER = /^,"jsonrpc":"2\.0","id":(?:\d{1,15}|"[^"\\]{0,100}")\}$/;

/** The lines that results came in, for as long as the results are there. */
const lines = new WeakMap<object, string>();

export function noteLine(result: object, line: string): void {
  lines.set(result, line);
}

/** The text of a result, where the line is known that it came in. */
export function resultText(result: object): string | undefined {
  const line = lines.get(result);
  return line === undefined ? undefined : resultTextIn(line);
}

/** Of a line that is one sound message. `undefined` if it is not written as servers usually write it. */
export function resultTextIn(line: string): string | undefined {
  if (line.startsWith(FIRST)) {
    const end = objectEnd(line, FIRST.length);
    return end !== NONE && AFTER.test(line.slice(end)) ? line.slice(FIRST.length, end) : undefined;
  }
  const start = LAST.exec(line)?.[0].length;
  if (start === undefined) return undefined;
  // What follows the result would be taken for a part of it.
  return objectEnd(line, start) === line.length - 1 ? line.slice(start, -1) : undefined;
}

const NONE = -1;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;

/** Where the object ends that begins at `start`. Nowhere, if it has line breaks, which would end a message elsewhere. */
function objectEnd(text: string, start: number): number {
  if (text[start] !== '{') return NONE;
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = stringEnd(text, at);
      if (at === NONE) return NONE;
    } else if (code < SPACE) {
      return NONE;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return NONE;
}

/** The closing quote of the string that begins at `start`. */
function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== NONE; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return NONE;
}
