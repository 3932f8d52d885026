// The words of some files on the disk: a segment as it is, in a file that never changes. What comes first is read once, and the lists
// of a word when it is asked for. A file that was removed can be read as long as it is open.

import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { RandomAccessFile } from '../../platform/index.ts';
import { PostingSegment, type PostingSource } from '../engine/posting-segment.ts';

export interface SegmentRow {
  readonly id: number;
  /** Of all, and of what comes before the lists. */
  readonly bytes: number;
  readonly headBytes: number;
  readonly checksum: number;
}

const PREFIX = 'words-';
const ENDING = '.seg';
/** Read at a time, where all is. */
const PIECE_BYTES = 256 * 1024;

export class SegmentFile implements PostingSource, Disposable {
  readonly #file: RandomAccessFile;
  readonly #from: number;

  private constructor(file: RandomAccessFile, headBytes: number) {
    this.#file = file;
    this.#from = headBytes;
  }

  /** Throws where there is no room. */
  static write(folder: string, id: number, bytes: Uint8Array): void {
    using file = new RandomAccessFile(join(folder, segmentFileName(id)), 'anew');
    file.write(bytes, 0);
  }

  /** The lists of a segment that was just written. */
  static lists(folder: string, id: number, headBytes: number): SegmentFile {
    return new SegmentFile(new RandomAccessFile(join(folder, segmentFileName(id))), headBytes);
  }

  /** Throws a `RangeError` where it is missing or damaged. */
  static open(folder: string, { id, bytes, headBytes, checksum }: SegmentRow): PostingSegment {
    let file: RandomAccessFile | undefined;
    try {
      file = new RandomAccessFile(join(folder, segmentFileName(id)));
      if (checksumOf(file, bytes) === checksum) {
        const head = file.read(0, headBytes);
        return new PostingSegment(head, new SegmentFile(file, headBytes));
      }
    } catch {
      // Unreadable is as bad as missing.
    }
    file?.[Symbol.dispose]();
    throw new RangeError(`${segmentFileName(id)} is missing or damaged`);
  }

  read(at: number, length: number): Uint8Array {
    return this.#file.read(this.#from + at, length);
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
  }
}

export function segmentFileName(id: number): string {
  return `${PREFIX}${id}${ENDING}`;
}

/** Those that are none of these. */
export function otherSegmentFiles(
  names: readonly string[],
  ids: readonly number[],
): readonly string[] {
  const known = new Set(ids.map(segmentFileName));
  return names.filter(
    (name) => name.startsWith(PREFIX) && name.endsWith(ENDING) && !known.has(name),
  );
}

function checksumOf(file: RandomAccessFile, length: number): number {
  const piece = new Uint8Array(Math.min(PIECE_BYTES, length));
  let sum = 0;
  for (let at = 0; at < length;) {
    const count = file.readInto(piece.subarray(0, Math.min(piece.length, length - at)), at);
    if (count === 0) return Number.NaN;
    sum = crc32(piece.subarray(0, count), sum);
    at += count;
  }
  return sum;
}
