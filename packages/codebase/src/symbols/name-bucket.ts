// Names are stored in buckets by a hash of the name. A row of a bucket has names with the files that contain them, and their
// uses. A change adds a row to each bucket of its names; many rows of a bucket are merged into one. Removed files stay in
// rows until then, and readers skip them.

import { OF_MODULE } from '../chunk/index.ts';
import { ByteReader, ByteWriter, textBytes } from '../store/index.ts';

export interface NameRecord {
  readonly file: number;
  readonly isDeclared: boolean;
  readonly uses: Uint8Array;
}

export type NameRecords = Map<string, NameRecord[]>;

export const BUCKETS = 1024;
const TEXT = new TextDecoder();

/** The bucket depends on the name without case and module, so that names with the same spelling share a bucket. */
export function bucketOf(name: string): number {
  const [base = ''] = name.split(OF_MODULE, 1);
  const plain = base.toLowerCase();
  let hash = 0x811c9dc5;
  for (let at = 0; at < plain.length; at += 1) {
    hash = Math.imul(hash ^ plain.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0) % BUCKETS;
}

export function packBucket(names: NameRecords): Uint8Array {
  const writer = new ByteWriter();
  for (const [name, records] of names) {
    const text = textBytes(name);
    writer.number(text.length);
    writer.raw(text);
    writer.number(records.length);
    for (const { file, isDeclared, uses } of records) {
      writer.number(file);
      writer.number(uses.length * 2 + (isDeclared ? 1 : 0));
      writer.raw(uses);
    }
  }
  return writer.take();
}

/** Adds the names of a row that are wanted to `names`. */
export function unpackBucket(
  packed: Uint8Array,
  names: NameRecords,
  isWanted: (name: string) => boolean = () => true,
): void {
  const reader = new ByteReader(packed);
  while (reader.position < packed.length) {
    const name = TEXT.decode(reader.raw(reader.number()));
    const count = reader.number();
    const known = isWanted(name) ? (names.get(name) ?? []) : undefined;
    for (let record = 0; record < count && reader.position < packed.length; record += 1) {
      const file = reader.number();
      const head = reader.number();
      const uses = reader.raw(Math.floor(head / 2));
      known?.push({ file, isDeclared: head % 2 === 1, uses });
    }
    if (known !== undefined) names.set(name, known);
  }
}

/** The numbers of `Uses`. */
export function unpackUses(packed: Uint8Array): readonly number[] {
  const reader = new ByteReader(packed);
  const uses: number[] = [];
  let last = 0;
  while (reader.position < packed.length) {
    last += reader.number();
    uses.push(last);
  }
  return uses;
}
