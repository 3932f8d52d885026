// The packed symbols of one file: its definitions as compressed text, and its names with their uses as bytes. The process
// that reads files packs them, so that the process that writes the index only copies bytes.

import { crc32, deflateSync, inflateSync } from 'node:zlib';
import type { SymbolDefinition, Uses } from '../chunk/index.ts';
import { ByteReader, ByteWriter, textBytes } from '../store/index.ts';

export interface PackedSymbols {
  readonly definitions: Uint8Array;
  /** For each name: its text, whether the file declares it, and its uses. */
  readonly names: Uint8Array;
}

export interface NameInFile {
  readonly name: string;
  readonly isDeclared: boolean;
  /** The differences between the numbers of `Uses`. */
  readonly uses: Uint8Array;
}

type DefinitionTuple = readonly [
  path: string,
  kind: string,
  line: number,
  /** The number of lines before the name, such as those of a comment. */
  before: number,
  /** The number of lines after the name. */
  after: number,
  /** The name, if it is not the last part of the path. */
  name?: string,
];

const CHECKSUM_BYTES = 4;
const TEXT = new TextDecoder();

export function packSymbols(definitions: readonly SymbolDefinition[], uses: Uses): PackedSymbols {
  const declared = new Set(definitions.map(({ name }) => name));
  const writer = new ByteWriter();
  const inside = new ByteWriter();
  const add = (name: string, places: readonly number[]): void => {
    inside.clear();
    let last = 0;
    // Uses within a line are sorted by kind.
    for (const place of [...new Set(places)].toSorted((a, b) => a - b)) {
      inside.number(place - last);
      last = place;
    }
    const text = textBytes(name);
    writer.number(text.length);
    writer.raw(text);
    writer.number(inside.length * 2 + (declared.has(name) ? 1 : 0));
    writer.raw(inside.view());
  };
  for (const [name, places] of uses) add(name, places);
  for (const name of declared) if (!uses.has(name)) add(name, []);
  return { definitions: packDefinitions(definitions), names: writer.take() };
}

export function* namesIn(packed: Uint8Array): Generator<NameInFile, void, undefined> {
  const reader = new ByteReader(packed);
  while (reader.position < packed.length) {
    const name = TEXT.decode(reader.raw(reader.number()));
    const head = reader.number();
    yield { name, isDeclared: head % 2 === 1, uses: reader.raw(Math.floor(head / 2)) };
  }
}

function packDefinitions(definitions: readonly SymbolDefinition[]): Uint8Array {
  if (definitions.length === 0) return new Uint8Array(0);
  const written = definitions.map((definition): DefinitionTuple => {
    const { name, path, kind, line, startLine, endLine } = definition;
    const parts = [path, kind, line, line - startLine, endLine - line] as const;
    return path === name || path.endsWith(`.${name}`) ? parts : [...parts, name];
  });
  const packed = deflateSync(Buffer.from(JSON.stringify(written)), { level: 4 });
  const all = Buffer.alloc(CHECKSUM_BYTES + packed.length);
  all.writeUInt32LE(crc32(packed));
  all.set(packed, CHECKSUM_BYTES);
  return all;
}

/** Throws if the bytes are damaged. */
export function unpackDefinitions(packed: Uint8Array): readonly SymbolDefinition[] {
  if (packed.length === 0) return [];
  const all = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const rest = all.subarray(CHECKSUM_BYTES);
  if (all.length < CHECKSUM_BYTES || all.readUInt32LE() !== crc32(rest)) {
    throw new RangeError('symbols of the index are damaged');
  }
  // Written by `packDefinitions`, and protected by the checksum.
  const written = JSON.parse(inflateSync(rest).toString('utf8')) as readonly DefinitionTuple[];
  return written.map(([path, kind, line, before, after, name]) => ({
    name: name ?? path.slice(path.lastIndexOf('.') + 1),
    path,
    kind: kind as SymbolDefinition['kind'],
    line,
    startLine: line - before,
    endLine: line + after,
  }));
}
