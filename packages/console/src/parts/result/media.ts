// Pictures and sounds of a result. Drawing them means trusting their type, so a type is accepted only if it cannot run scripts
// and the first bytes match it. SVG can run scripts and load resources, and is never drawn. Pure.

import { err, ok, type Result } from '@plugboard/base';

export interface Media {
  readonly kind: 'image' | 'audio';
  readonly type: string;
  readonly size: number;
  /** Base64, as received. */
  readonly data: string;
}

export interface UnshownData {
  readonly type: string;
  readonly size: number;
  readonly reason: string;
}

const MOST_BYTES = 20 * 1024 * 1024;

type Signature = readonly (number | undefined)[];

const ascii = (text: string): Signature => Array.from(text, (one) => one.charCodeAt(0));
const anything = (count: number): Signature => Array.from({ length: count }, () => undefined);

interface MediaType {
  readonly kind: Media['kind'];
  /** The possible first bytes. */
  readonly starts: readonly Signature[];
}

const MP4: MediaType['starts'] = [[...anything(4), ...ascii('ftyp')]];
const RIFF = (what: string): Signature => [...ascii('RIFF'), ...anything(4), ...ascii(what)];
const WAVE: MediaType = { kind: 'audio', starts: [RIFF('WAVE')] };
const MPEG: MediaType = {
  kind: 'audio',
  starts: [ascii('ID3'), [0xff, 0xfb], [0xff, 0xf3], [0xff, 0xf2], [0xff, 0xfa], [0xff, 0xe3]],
};

const MEDIA_TYPES: ReadonlyMap<string, MediaType> = new Map([
  ['image/png', { kind: 'image', starts: [[0x89, ...ascii('PNG')]] }],
  ['image/jpeg', { kind: 'image', starts: [[0xff, 0xd8, 0xff]] }],
  ['image/gif', { kind: 'image', starts: [ascii('GIF87a'), ascii('GIF89a')] }],
  ['image/webp', { kind: 'image', starts: [RIFF('WEBP')] }],
  ['image/avif', { kind: 'image', starts: MP4 }],
  ['image/bmp', { kind: 'image', starts: [ascii('BM')] }],
  ['audio/wav', WAVE],
  ['audio/x-wav', WAVE],
  ['audio/wave', WAVE],
  ['audio/mpeg', MPEG],
  ['audio/mp3', MPEG],
  ['audio/ogg', { kind: 'audio', starts: [ascii('OggS')] }],
  ['audio/flac', { kind: 'audio', starts: [ascii('fLaC')] }],
  ['audio/mp4', { kind: 'audio', starts: MP4 }],
  ['audio/webm', { kind: 'audio', starts: [[0x1a, 0x45, 0xdf, 0xa3]] }],
] satisfies readonly (readonly [string, MediaType])[]);

export function mediaOf(data: string, mimeType: string): Result<Media, UnshownData> {
  const type = mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const size = byteLength(data);
  const shown = type === '' ? 'unknown type' : type.slice(0, 80);
  const unshown = (reason: string): Result<Media, UnshownData> =>
    err({ type: shown, size, reason });
  const known = MEDIA_TYPES.get(type);
  if (known === undefined) return unshown('data of this type is not shown');
  if (size > MOST_BYTES) return unshown('it is too large to show');
  const start = firstBytes(data);
  if (start === undefined) return unshown('it is not base64');
  const isReal = known.starts.some((signature) =>
    signature.every((byte, index) => byte === undefined || start[index] === byte),
  );
  return isReal
    ? ok({ kind: known.kind, type, size, data })
    : unshown('its bytes are of another type');
}

function byteLength(data: string): number {
  const padding = /={0,2}$/.exec(data.slice(-2))?.[0].length ?? 0;
  return Math.max(0, Math.floor((data.length * 3) / 4) - padding);
}

function firstBytes(data: string): readonly number[] | undefined {
  const start = data.slice(0, 32);
  if (!/^[A-Za-z\d+/]*={0,2}$/.test(start) || data.length % 4 !== 0) return undefined;
  return Array.from(atob(start), (character) => character.charCodeAt(0));
}

/** The bytes for a blob; `undefined` if the data is not valid base64. */
export function bytesOf({ data }: Media): Uint8Array<ArrayBuffer> | undefined {
  try {
    const text = atob(data);
    const bytes = new Uint8Array(text.length);
    for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
    return bytes;
  } catch {
    return undefined;
  }
}
