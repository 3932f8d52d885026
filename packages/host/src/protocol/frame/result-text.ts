// The text of a result as its server wrote it, so that it can be passed on unchanged: parsing and writing would change
// some values, such as numbers that JavaScript cannot represent.

const FIRST = '{"result":';
const LAST = /^\{"jsonrpc":"2\.0","id":(?:\d{1,15}|"[^"\\]{0,100}"),"result":/;
const AFTER = /^,"jsonrpc":"2\.0","id":(?:\d{1,15}|"[^"\\]{0,100}")\}$/;

/** The lines from which results were parsed. An entry lives as long as its result. */
const lines = new WeakMap<object, string>();

export function noteLine(result: object, line: string): void {
  lines.set(result, line);
}

/** The text of a result, if its line is known. */
export function resultText(result: object): string | undefined {
  const line = lines.get(result);
  return line === undefined ? undefined : resultTextIn(line);
}

/** The text of the result in a line that is one valid message; `undefined` if its members are in an unusual order. */
export function resultTextIn(line: string): string | undefined {
  if (line.startsWith(FIRST)) {
    const end = objectEnd(line, FIRST.length);
    return end !== NONE && AFTER.test(line.slice(end)) ? line.slice(FIRST.length, end) : undefined;
  }
  const start = LAST.exec(line)?.[0].length;
  if (start === undefined) return undefined;
  // Nothing may follow the result, since it would count as part of it.
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

/** The end of the object that begins at `start`; none if it contains line breaks, which would end a message. */
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
