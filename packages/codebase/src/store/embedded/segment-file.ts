// A posting segment on the disk, in a file that never changes. Its head is read once, the lists of a term when a search needs
// them. A removed file can be read as long as it is open.

import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { RandomAccessFile } from '../../platform/index.ts';
import { PostingSegment, type PostingSource } from '../engine/posting-segment.ts';

export interface SegmentRow {
  readonly id: number;
  /** The size of the whole segment, and of its head before the lists. */
  readonly bytes: number;
  readonly headBytes: number;
  readonly checksum: number;
}

const PREFIX = 'words-';
const ENDING = '.seg';
/** How many bytes are read at a time to compute the checksum. */
const PIECE_BYTES = 256 * 1024;

export class SegmentFile implements PostingSource, Disposable {
  readonly #file: RandomAccessFile;
  readonly #from: number;

  private constructor(file: RandomAccessFile, headBytes: number) {
    this.#file = file;
    this.#from = headBytes;
  }

  /** Throws if the disk is full. */
  static write(folder: string, id: number, bytes: Uint8Array): void {
    using file = new RandomAccessFile(join(folder, segmentFileName(id)), 'anew');
    file.write(bytes, 0);
  }

  /** Opens the lists of a segment that was just written. */
  static lists(folder: string, id: number, headBytes: number): SegmentFile {
    return new SegmentFile(new RandomAccessFile(join(folder, segmentFileName(id))), headBytes);
  }

  /** Throws a `RangeError` if it is missing or damaged. */
  static open(folder: string, { id, bytes, headBytes, checksum }: SegmentRow): PostingSegment {
    let file: RandomAccessFile | undefined;
    try {
      file = new RandomAccessFile(join(folder, segmentFileName(id)));
      if (checksumOf(file, bytes) === checksum) {
        const head = file.read(0, headBytes);
        return new PostingSegment(head, new SegmentFile(file, headBytes));
      }
    } catch {
      // An unreadable file is treated like a missing one.
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

/** The names of segment files other than those of `ids`. */
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
