// Packs the facts of files and chunks other than their words: places, names and signatures. They are packed, since there are
// many and only a few are read at a time. A checksum detects damage.

import { crc32, deflateSync, inflateSync } from 'node:zlib';
import type { IndexedChunk } from './store.ts';

export interface ChunkFacts {
  readonly startLine: number;
  readonly endLine: number;
  readonly kind: string;
  readonly symbol?: string;
  readonly names: readonly string[];
}

type ChunkTuple = readonly [
  startLine: number,
  lines: number,
  kind: string,
  names: readonly string[],
  symbol?: string,
];

/** The kind of packing and the checksum precede the chunks. */
const CHUNKS_AT = 5;
const PLAIN = 0;
const DEFLATED = 1;
/** Small data is not compressed, since inflating takes longer than reading. */
const MOST_PLAIN_BYTES = 1024;

/** Hexadecimal digits of the hash of a signature. */
export const SIGNATURE_DIGITS = 24;
export const SIGNATURE_BYTES = SIGNATURE_DIGITS / 2;
const SIGNATURE = /^[0-9a-f]{24}$/;

export function packChunks(chunks: readonly ChunkFacts[]): Uint8Array {
  const written = chunks.map(({ startLine, endLine, kind, symbol, names }): ChunkTuple => {
    const parts = [startLine, endLine - startLine, kind, names] as const;
    return symbol === undefined ? parts : [...parts, symbol];
  });
  const text = Buffer.from(JSON.stringify(written));
  const isLarge = text.length > MOST_PLAIN_BYTES;
  const packed = Buffer.concat([
    Buffer.from([isLarge ? DEFLATED : PLAIN, 0, 0, 0, 0]),
    isLarge ? deflateSync(text) : text,
  ]);
  packed.writeUInt32LE(crc32(packed.subarray(CHUNKS_AT)), 1);
  return packed;
}

/** Throws if the bytes are damaged. */
export function unpackChunks(packed: Uint8Array): readonly ChunkFacts[] {
  const all = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const rest = all.subarray(CHUNKS_AT);
  if (all.length < CHUNKS_AT || all.readUInt32LE(1) !== crc32(rest)) {
    throw new RangeError('chunks of the index are damaged');
  }
  const text = all[0] === DEFLATED ? inflateSync(rest) : rest;
  // Written by `packChunks`, and protected by the checksum.
  const written = JSON.parse(text.toString('utf8')) as readonly ChunkTuple[];
  return written.map(([startLine, lines, kind, names, symbol]) => ({
    startLine,
    endLine: startLine + lines,
    kind,
    names,
    ...(symbol !== undefined && { symbol }),
  }));
}

export function packSignatures(chunks: readonly Pick<IndexedChunk, 'signatureHash'>[]): Uint8Array {
  const packed = new Uint8Array(chunks.length * SIGNATURE_BYTES);
  for (const [number, { signatureHash }] of chunks.entries()) {
    packed.set(signatureBytes(signatureHash), number * SIGNATURE_BYTES);
  }
  return packed;
}

export function signatureBytes(hash: string): Uint8Array {
  if (!SIGNATURE.test(hash)) throw new RangeError(`no hash of a signature: ${hash.slice(0, 40)}`);
  return Buffer.from(hash, 'hex');
}

export function signatureCount(packed: Uint8Array): number {
  return packed.length / SIGNATURE_BYTES;
}

/** A short key for a map: one character per byte. */
export function signatureKey(packed: Uint8Array, number = 0): string {
  const from = packed.byteOffset + number * SIGNATURE_BYTES;
  return Buffer.from(packed.buffer, from, SIGNATURE_BYTES).toString('latin1');
}

export function hashOfKey(key: string): string {
  return Buffer.from(key, 'latin1').toString('hex');
}

/** The facts of a file other than its chunks. */
export interface StoredFacts {
  readonly path: string;
  readonly hash: string;
  readonly language: string;
  readonly traits: number;
}

const CHECKSUM_BYTES = 4;

/** Includes a checksum over the facts and the signatures, which are stored beside them. */
export function packFacts(facts: StoredFacts, signatures: Uint8Array): Uint8Array {
  const { path, hash, language, traits } = facts;
  const text = Buffer.from([hash, traits, language, path].join(' '));
  const packed = Buffer.alloc(CHECKSUM_BYTES + text.length);
  packed.writeUInt32LE(checksum(text, signatures));
  packed.set(text, CHECKSUM_BYTES);
  return packed;
}

/** Throws if one of the two is damaged. */
export function unpackFacts(packed: Uint8Array, signatures: Uint8Array): StoredFacts {
  const all = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const text = all.subarray(CHECKSUM_BYTES);
  const isWhole = all.length > CHECKSUM_BYTES && all.readUInt32LE() === checksum(text, signatures);
  const parts = isWhole ? /^(\S*) (\d+) (\S*) (.*)$/s.exec(text.toString('utf8')) : null;
  if (parts === null) throw new RangeError('a file of the index is damaged');
  const [, hash = '', traits = '', language = '', path = ''] = parts;
  return { path, hash, language, traits: Number(traits) };
}

/** The text comes last, since `crc32` of no bytes does not continue a sum. */
function checksum(text: Uint8Array, signatures: Uint8Array): number {
  return crc32(text, crc32(signatures));
}
