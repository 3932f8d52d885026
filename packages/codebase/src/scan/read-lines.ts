// Reads lines of an open file in pieces, so that memory does not depend on the size of the file or of a line. Line endings
// are kept; lines that are not UTF-8 are read as Latin-1, which the result reports.

import { isUtf8 } from 'node:buffer';
import { decodeText, isBinaryText, utf16Of } from './decode-text.ts';

/** The part of an open file that is used. */
export interface ByteSource {
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>;
}

export interface LineRange {
  /** The first line is 1. */
  readonly startLine: number;
  readonly endLine: number;
  readonly maxBytes: number;
  readonly maxLineBytes: number;
}

export interface LinesRead {
  readonly text: string;
  readonly startLine: number;
  /** The last line in `text`; less than `startLine` if there is none. */
  readonly endLine: number;
  /** `endLine` is the end of the file. */
  readonly isEnd: boolean;
  /** Lines of which only the beginning is in `text`. */
  readonly cutLines: readonly number[];
  readonly hasInvalidText: boolean;
}

const PIECE_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;
const SNIFFED_BYTES = 8192;

/** Judges a file by its beginning. */
export async function kindOfText(source: ByteSource): Promise<'binary' | 'utf-16' | 'bytes'> {
  const head = new Uint8Array(SNIFFED_BYTES);
  const { bytesRead } = await source.read(head, 0, head.length, 0);
  const bytes = head.subarray(0, bytesRead);
  if (utf16Of(bytes) !== undefined) return 'utf-16';
  return isBinaryText(bytes) ? 'binary' : 'bytes';
}

/** Converts a file to UTF-8. */
export function asUtf8(utf16: Uint8Array): ByteSource {
  const all = Buffer.from(decodeText(utf16), 'utf8');
  return {
    // oxlint-disable-next-line max-params -- the shape of the port
    async read(buffer, offset, length, position) {
      const piece = all.subarray(position, position + length);
      buffer.set(piece, offset);
      return { bytesRead: piece.length };
    },
  };
}

export async function readLines(
  source: ByteSource,
  range: LineRange,
  signal: AbortSignal,
): Promise<LinesRead> {
  const collector = new LineCollector(range);
  const piece = new Uint8Array(PIECE_BYTES);
  for (let position = 0; ;) {
    signal.throwIfAborted();
    const { bytesRead } = await source.read(piece, 0, piece.length, position);
    if (bytesRead === 0) return collector.finish('end');
    position += bytesRead;
    if (collector.take(piece.subarray(0, bytesRead)) === 'enough') return collector.finish('more');
  }
}

class LineCollector {
  readonly #range: LineRange;
  readonly #kept: Uint8Array[] = [];
  readonly #cutLines: number[] = [];
  #keptBytes = 0;
  /** The line of the next byte, and how many of its bytes were read. */
  #line = 1;
  #lineBytes = 0;
  #lastWhole = 0;

  constructor(range: LineRange) {
    this.#range = range;
  }

  take(bytes: Uint8Array): 'more' | 'enough' {
    for (let at = 0; at < bytes.length;) {
      const { startLine, endLine, maxBytes } = this.#range;
      const isPast = this.#line > endLine || (this.#keptBytes >= maxBytes && this.#lineBytes === 0);
      if (isPast) return 'enough';
      const feed = bytes.indexOf(LINE_FEED, at);
      const end = feed === -1 ? bytes.length : feed + 1;
      if (this.#line >= startLine) this.#keep(bytes.subarray(at, end));
      this.#lineBytes += end - at;
      if (feed !== -1) this.#endLine();
      at = end;
    }
    return 'more';
  }

  finish(where: 'end' | 'more'): LinesRead {
    const hasRest = this.#lineBytes > 0;
    if (hasRest) this.#endLine();
    const bytes = Buffer.concat(this.#kept);
    return {
      text: decodeText(bytes),
      startLine: this.#range.startLine,
      endLine: Math.max(this.#lastWhole, this.#range.startLine - 1),
      isEnd: where === 'end',
      cutLines: this.#cutLines,
      hasInvalidText: !isUtf8(bytes),
    };
  }

  #keep(bytes: Uint8Array): void {
    const room = this.#range.maxLineBytes - this.#lineBytes;
    if (bytes.length <= room) return this.#push(bytes);
    if (this.#cutLines.at(-1) === this.#line) {
      // Already cut: only its line ending is kept.
      if (bytes.at(-1) === LINE_FEED) this.#push(bytes.subarray(-1));
      return undefined;
    }
    this.#cutLines.push(this.#line);
    this.#push(wholeCharacters(bytes.subarray(0, Math.max(0, room))));
    if (bytes.at(-1) === LINE_FEED) this.#push(bytes.subarray(-1));
    return undefined;
  }

  #push(bytes: Uint8Array): void {
    // The buffer of the piece is reused.
    this.#kept.push(bytes.slice());
    this.#keptBytes += bytes.length;
  }

  #endLine(): void {
    this.#lastWhole = this.#line;
    this.#line += 1;
    this.#lineBytes = 0;
  }
}

/** Removes an incomplete character at the end. */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte < 0xc0) continue;
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}
