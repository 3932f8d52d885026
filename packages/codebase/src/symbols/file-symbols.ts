// The symbols of one file as they are handed over and kept: its definitions as packed text, and its names as bytes, each
// with where it is used. The program that reads files packs them, so that the one that writes only copies bytes.

import { crc32, deflateSync, inflateSync } from 'node:zlib';
import type { SymbolDefinition, Uses } from '../chunk/index.ts';
import { ByteReader, ByteWriter, textBytes } from '../store/index.ts';

export interface PackedSymbols {
  readonly definitions: Uint8Array;
  /** For each name: its text, whether it is declared here, and its uses. */
  readonly names: Uint8Array;
}

export interface NameInFile {
  readonly name: string;
  readonly isDeclared: boolean;
  /** Differences of numbers as `Uses` has them. */
  readonly uses: Uint8Array;
}

type DefinitionTuple = readonly [
  path: string,
  kind: string,
  line: number,
  /** Lines of the comment and the like before the name. */
  before: number,
  /** Lines after the one with the name. */
  after: number,
  /** Where it is not the last part of the path. */
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
    // Two uses in one line come in the order of the line.
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

/** Throws where the bytes are damaged. */
export function unpackDefinitions(packed: Uint8Array): readonly SymbolDefinition[] {
  if (packed.length === 0) return [];
  const all = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const rest = all.subarray(CHECKSUM_BYTES);
  if (all.length < CHECKSUM_BYTES || all.readUInt32LE() !== crc32(rest)) {
    throw new RangeError('symbols of the index are damaged');
  }
  // Written by the function above, and checked by the checksum.
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
