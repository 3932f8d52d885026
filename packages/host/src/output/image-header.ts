// Reads the type and the stated size of an image from its own bytes, whatever its server states. Recognises only types
// that are safe to decode, which excludes SVG, since it can contain scripts.

export type ImageType =
  | 'image/png'
  | 'image/jpeg'
  | 'image/gif'
  | 'image/webp'
  | 'image/tiff'
  | 'image/avif';

export interface ImageHeader {
  readonly type: ImageType;
  /** Absent if only decoding could determine it. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Whether it has the end marker of its type. */
  readonly isWhole: boolean;
}

export function imageHeader(bytes: Buffer): ImageHeader | undefined {
  if (startsWith(bytes, 0, '\x89PNG\r\n\x1a\n')) return pngHeader(bytes);
  if (startsWith(bytes, 0, '\xff\xd8\xff')) return jpegHeader(bytes);
  if (startsWith(bytes, 0, 'GIF87a') || startsWith(bytes, 0, 'GIF89a')) return gifHeader(bytes);
  if (startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, 'WEBP')) return webpHeader(bytes);
  if (startsWith(bytes, 0, 'II*\0') || startsWith(bytes, 0, 'MM\0*')) {
    return { type: 'image/tiff', isWhole: true };
  }
  if (startsWith(bytes, 4, 'ftypavif')) return { type: 'image/avif', isWhole: true };
  return undefined;
}

function pngHeader(bytes: Buffer): ImageHeader | undefined {
  if (bytes.length < 24 || !startsWith(bytes, 12, 'IHDR')) return undefined;
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  return { type: 'image/png', size, isWhole: bytes.includes('IEND', -32, 'latin1') };
}

function gifHeader(bytes: Buffer): ImageHeader | undefined {
  if (bytes.length < 10) return undefined;
  const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  return { type: 'image/gif', size, isWhole: bytes.includes(0x3b, -16) };
}

/** Reads the markers up to the start of a frame. */
function jpegHeader(bytes: Buffer): ImageHeader | undefined {
  const isWhole = bytes.includes('\xff\xd9', -64, 'latin1');
  for (let at = 2; at + 9 <= bytes.length;) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isFrameStart(marker)) {
      const size = { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
      return { type: 'image/jpeg', size, isWhole };
    }
    at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return undefined;
}

function isFrameStart(marker: number): boolean {
  const isOther = marker === 0xc4 || marker === 0xc8 || marker === 0xcc;
  return marker >= 0xc0 && marker <= 0xcf && !isOther;
}

function webpHeader(bytes: Buffer): ImageHeader | undefined {
  if (bytes.length < 30) return undefined;
  const isWhole = bytes.readUInt32LE(4) + 8 <= bytes.length;
  const type = 'image/webp';
  if (startsWith(bytes, 12, 'VP8X')) {
    const size = { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    return { type, size, isWhole };
  }
  if (startsWith(bytes, 12, 'VP8L')) {
    const bits = bytes.readUInt32LE(21);
    const size = { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    return { type, size, isWhole };
  }
  const size = { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  return startsWith(bytes, 12, 'VP8 ') ? { type, size, isWhole } : undefined;
}

function startsWith(bytes: Buffer, at: number, word: string): boolean {
  return bytes.toString('latin1', at, at + word.length) === word;
}
