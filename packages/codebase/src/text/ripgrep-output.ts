// Parses the output of ripgrep into files with their lines, as a stream and within limits. A file is reported after its last
// line, so that a file that turns out to be binary is not reported at all.

import { decodeText, relativePathOf } from '../scan/index.ts';
import { MOST_COLUMNS, mostPerFile } from './ripgrep-arguments.ts';

export interface FoundLine {
  readonly line: number;
  readonly text: string;
  /** The line is longer than `text`. */
  readonly isCut: boolean;
}

export interface FoundMatch extends FoundLine {
  readonly before: readonly FoundLine[];
  readonly after: readonly FoundLine[];
}

export interface FoundFile {
  readonly path: string;
  readonly matches: readonly FoundMatch[];
  /** The file has more matches than were read. */
  readonly isCut: boolean;
}

interface PrintedLine extends FoundLine {
  readonly isMatch: boolean;
}

/** The most characters that are shown of a line. */
const MOST_SHOWN = 500;
/** How many characters are shown before a match far to the right. */
const LEAD = 100;
const LONGEST_PRINTED = MOST_COLUMNS * 4 + 8192;
const NUL = 0;
const LINE_FEED = 0x0a;
/** The mark that ripgrep appends to a line that it cut. */
const CUT_MARK = / \[\.\.\. (?:omitted end of long line|\d+ more match(?:es)?)\]$/;

export async function* filesIn(
  output: AsyncIterable<Buffer>,
  contextLines: number,
): AsyncGenerator<FoundFile, void, undefined> {
  const reader = new OutputReader(contextLines);
  for await (const piece of output) yield* reader.take(piece);
  yield* reader.finish();
}

class OutputReader {
  readonly #contextLines: number;
  #rest: Buffer = Buffer.alloc(0);
  #path: Buffer | undefined;
  #lines: PrintedLine[] = [];
  #isBinary = false;

  constructor(contextLines: number) {
    this.#contextLines = contextLines;
  }

  *take(piece: Buffer): Generator<FoundFile, void, undefined> {
    const bytes: Buffer = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    let from = 0;
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, from)) {
      yield* this.#takeLine(bytes.subarray(from, end));
      from = end + 1;
    }
    const rest = bytes.subarray(from);
    // Ripgrep prints no longer lines; of a longer one, the beginning is enough.
    this.#rest = Buffer.from(rest.subarray(0, LONGEST_PRINTED));
  }

  *finish(): Generator<FoundFile, void, undefined> {
    if (this.#rest.length > 0) yield* this.#takeLine(this.#rest);
    yield* this.#endFile();
  }

  *#takeLine(bytes: Buffer): Generator<FoundFile, void, undefined> {
    const nul = bytes.indexOf(NUL);
    if (nul === -1) {
      // Only messages are printed without a NUL. This one may be about another file.
      if (this.#path !== undefined && isAboutBinary(bytes, this.#path)) this.#isBinary = true;
      return;
    }
    const path = bytes.subarray(0, nul);
    if (this.#path === undefined || !this.#path.equals(path)) {
      yield* this.#endFile();
      this.#path = Buffer.from(path);
    }
    const line = parsePrintedLine(bytes, nul + 1);
    if (line === undefined) this.#isBinary = true;
    else this.#lines.push(line);
  }

  *#endFile(): Generator<FoundFile, void, undefined> {
    const path = this.#path?.toString('utf8');
    const lines = this.#lines;
    const isBinary = this.#isBinary;
    this.#path = undefined;
    this.#lines = [];
    this.#isBinary = false;
    if (path === undefined || isBinary || path.includes('\uFFFD')) return;
    const all = withContext(lines, this.#contextLines);
    const matches = all.slice(0, mostPerFile({ contextLines: this.#contextLines }));
    const isCut = matches.length < all.length;
    if (matches.length > 0) yield { path: relativePathOf(path), matches, isCut };
  }
}

/** "PATH: binary file matches", or "PATH: WARNING: stopped searching binary file". */
function isAboutBinary(bytes: Buffer, path: Buffer): boolean {
  if (!bytes.subarray(0, path.length).equals(path)) return false;
  return BINARY.test(bytes.toString('latin1', path.length, path.length + BINARY_LENGTH));
}

const BINARY = /^: (?:WARNING: stopped searching )?binary file/;
const BINARY_LENGTH = 60;

/** `12:text` is a match, `12-text` a line of context. */
function parsePrintedLine(bytes: Buffer, start: number): PrintedLine | undefined {
  let at = start;
  let line = 0;
  for (; at < bytes.length; at += 1) {
    const digit = (bytes[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) break;
    line = line * 10 + digit;
  }
  const separator = bytes[at];
  if (at === start || (separator !== 0x3a && separator !== 0x2d)) return undefined;
  const length = bytes.length - at - 1;
  const printed = decodeText(bytes.subarray(at + 1)).replace(/\r$/, '');
  const isCutByRipgrep = length > MOST_COLUMNS && CUT_MARK.test(printed);
  const whole = isCutByRipgrep ? printed.replace(CUT_MARK, '') : printed;
  return { line, text: whole, isCut: isCutByRipgrep, isMatch: separator === 0x3a };
}

function withContext(lines: readonly PrintedLine[], count: number): readonly FoundMatch[] {
  return lines.flatMap((line, index) => {
    if (!line.isMatch) return [];
    const isNear = (other: PrintedLine): boolean => Math.abs(other.line - line.line) <= count;
    const before = lines.slice(Math.max(0, index - count), index).filter(isNear);
    const after = lines.slice(index + 1, index + 1 + count).filter(isNear);
    return [
      {
        ...foundLine(line),
        before: before.map((near) => cutLine(near)),
        after: after.map((near) => cutLine(near)),
      },
    ];
  });
}

function foundLine({ line, text, isCut }: PrintedLine): FoundLine {
  return { line, text, isCut };
}

/** Cuts a long line for display, so that the position `at` stays visible. */
export function cutLine({ line, text, isCut }: FoundLine, at = 0): FoundLine {
  if (text.length <= MOST_SHOWN) return { line, text, isCut };
  const from = at < MOST_SHOWN - LEAD ? 0 : at - LEAD;
  return { line, text: text.slice(from, from + MOST_SHOWN), isCut: true };
}
