// Builds zips byte by byte, so that a test can make invalid ones.

import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string | Buffer;
  readonly data?: string | Buffer;
  /** Including the bits of the type: 0o100644 is a readable file. */
  readonly mode?: number;
  readonly flags?: number;
  readonly method?: number;
  /** The size that the archive declares, if it is wrong. */
  readonly size?: number;
  readonly packedSize?: number;
  readonly checksum?: number;
  /** The declared offset of the entry, so that entries can share their bytes. */
  readonly offset?: number;
}

const UTF_8 = 0x800;
const MADE_BY_UNIX = (3 << 8) | 20;

export function zipOf(
  entries: readonly ZipEntry[],
  { count = entries.length }: { readonly count?: number } = {},
): Buffer {
  const files: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { local, central } = records(entry, entry.offset ?? offset);
    files.push(local);
    list.push(central);
    offset += local.length;
  }
  const directory = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, directory, end]);
}

function records(
  entry: ZipEntry,
  offset: number,
): { readonly local: Buffer; readonly central: Buffer } {
  const name = Buffer.from(entry.name);
  const data = Buffer.from(entry.data ?? '');
  const { method = 8, mode = 0o100644, flags = 0 } = entry;
  const packed = method === 8 ? deflateRawSync(data) : data;
  // The fields of both records, from "version needed" to the length of the name.
  const about = Buffer.alloc(24);
  about.writeUInt16LE(20, 0);
  about.writeUInt16LE(flags | UTF_8, 2);
  about.writeUInt16LE(method, 4);
  about.writeUInt32LE(entry.checksum ?? crc32(data), 10);
  about.writeUInt32LE(entry.packedSize ?? packed.length, 14);
  about.writeUInt32LE(entry.size ?? data.length, 18);
  about.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([
    Buffer.from([0x50, 0x4b, 0x03, 0x04]),
    about,
    Buffer.alloc(2),
    name,
    packed,
  ]);
  const start = Buffer.alloc(6);
  start.writeUInt32LE(0x02014b50, 0);
  start.writeUInt16LE(MADE_BY_UNIX, 4);
  const rest = Buffer.alloc(16);
  rest.writeUInt32LE((mode << 16) >>> 0, 8);
  rest.writeUInt32LE(offset, 12);
  return { local, central: Buffer.concat([start, about, rest, name]) };
}
