// Fits images, audio and binary resources of a result: an image is shown if a model can take it, and resized if
// needed; the others go into files of the right type, and small ones also stay in the result, for programs that can play
// or open them. The types that a server states are checked or ignored.

import { bytesOf, decodedPieces } from './base64.ts';
import { type ImageHeader, imageHeader } from './image-header.ts';
import type { ImageLimits } from './budget.ts';
import { type Decoder, resizeImage, type ResizeProblem } from './resize-image.ts';
import { mediaTypeOf } from './media-type.ts';
import type { Part } from './part.ts';
import { type ResultFiles, saveProblemWords } from './result-files.ts';

interface MediaPorts {
  readonly files: ResultFiles;
  readonly limits: ImageLimits;
  /** `undefined` if the library that decodes images is not installed. */
  readonly loadDecoder: () => Promise<Decoder | undefined>;
}

type MediaPart = Extract<Part, { readonly kind: 'image' | 'audio' | 'resource' }>;
type ImagePart = Extract<Part, { readonly kind: 'image' }>;
type AudioPart = Extract<Part, { readonly kind: 'audio' }>;
type ResourcePart = Extract<Part, { readonly kind: 'resource' }>;

/** The types that every model with vision accepts. */
const SHOWN_TYPES: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
]);
/** The Base64 length above which a binary is in its file only. */
const MAX_INLINE = 5 * 1024 * 1024;

export function isMedia(part: Part): part is MediaPart {
  return (
    part.kind === 'image' ||
    part.kind === 'audio' ||
    (part.kind === 'resource' && part.body.kind === 'blob')
  );
}

export function fitMedia(part: MediaPart, ports: MediaPorts): Promise<readonly Part[]> {
  switch (part.kind) {
    case 'image':
      return fitImage(part, ports);
    case 'audio':
      return fitAudio(part, ports);
    case 'resource':
      return fitResource(part, ports);
    default:
      return part satisfies never;
  }
}

async function fitImage(part: ImagePart, ports: MediaPorts): Promise<readonly Part[]> {
  const { limits } = ports;
  const bytes = Buffer.from(part.data, 'base64');
  const header = imageHeader(bytes);
  if (header === undefined) return inFile(part, 'not an image that can be shown', ports);
  const real = { ...part, mimeType: header.type };
  if (!header.isWhole) return inFile(real, 'not shown: it is broken', ports);
  if (isShownAsIs(header, part, limits)) return [real];
  if (pixelsOf(header) > limits.maxPixels) {
    return inFile(real, 'not shown: it has too many pixels', ports);
  }
  const small = await resizeImage(bytes, limits, ports.loadDecoder);
  if (!small.ok) return inFile(real, `not shown: ${PROBLEM_WORDS[small.error]}`, ports);
  const { data, mimeType, width, height } = small.value;
  const before =
    header.size === undefined ? '' : ` from ${header.size.width} × ${header.size.height}`;
  const saved = await ports.files.save([bytes], header.type);
  const where = saved.ok ? ` As it was sent it is in the file ${saved.value.path}.` : '';
  return [
    { kind: 'image', data, mimeType, ...(saved.ok ? { file: saved.value } : {}) },
    {
      kind: 'note',
      text: `The image was made smaller${before} to ${width} × ${height} pixels.${where}`,
    },
  ];
}

const PROBLEM_WORDS: Readonly<Record<ResizeProblem, string>> = {
  'no-library':
    'it is too large, and the package `sharp`, which makes images smaller, is not installed',
  broken: 'it is broken',
  'too-large': 'it is too large',
};

function isShownAsIs(header: ImageHeader, { data }: ImagePart, limits: ImageLimits): boolean {
  const { size, type } = header;
  if (size === undefined || !SHOWN_TYPES.has(type) || data.length > limits.maxBytes) return false;
  const { width, height } = size;
  return Math.min(width, height) > 0 && Math.max(width, height) <= limits.maxEdge;
}

function pixelsOf({ size }: ImageHeader): number {
  return size === undefined ? 0 : size.width * size.height;
}

async function fitAudio(part: AudioPart, ports: MediaPorts): Promise<readonly Part[]> {
  const mimeType = mediaTypeOf(part.mimeType);
  const known = { ...part, mimeType };
  if (part.data.length > MAX_INLINE) return inFile(known, 'too large to be sent along', ports);
  const saved = await ports.files.save(decodedPieces(part.data), mimeType);
  return [saved.ok ? { ...known, file: saved.value } : known];
}

async function fitResource(part: ResourcePart, ports: MediaPorts): Promise<readonly Part[]> {
  if (part.body.kind !== 'blob') return [part];
  const { data } = part.body;
  const mimeType = mediaTypeOf(part.mimeType);
  const uri = part.uri.slice(0, 300);
  if (data.length > MAX_INLINE) return toFile(data, mimeType, { about: `resource ${uri}`, ports });
  const saved = await ports.files.save(decodedPieces(data), mimeType);
  return [saved.ok ? { ...part, file: saved.value } : part];
}

function inFile(
  { kind, data, mimeType: stated }: ImagePart | AudioPart,
  why: string,
  ports: MediaPorts,
): Promise<readonly Part[]> {
  const mimeType = mediaTypeOf(stated);
  return toFile(data, mimeType, { about: `${kind} ${mimeType}, ${why}`, ports });
}

async function toFile(
  data: string,
  mimeType: string,
  { about, ports }: { readonly about: string; readonly ports: MediaPorts },
): Promise<readonly Part[]> {
  const saved = await ports.files.save(decodedPieces(data), mimeType);
  if (saved.ok) return [{ kind: 'file', file: saved.value, about }];
  const text = `${about}, ${bytesOf(data)} bytes, could not be saved: ${saveProblemWords(saved.error)}`;
  return [{ kind: 'note', text }];
}
