// Makes an image small enough for a model: decodes it, turns it as its camera says, resizes it and encodes
// it again, without what else the file held. The library that does it is optional and is loaded when the
// first image needs it; an image that cannot be decoded is an answer here.

import { err, ok, type Result } from '@plugboard/base';
import type { Sharp, SharpOptions } from 'sharp';

/** How large an image may be that a model is shown. */
export interface ImageLimits {
  /** Pixels; the model's provider would make a larger one smaller anyway. */
  readonly maxEdge: number;
  /** Of the Base64 text, which is what providers count. */
  readonly maxBytes: number;
  /** More are not decoded: a file of a few bytes can claim to be billions of pixels. */
  readonly maxPixels: number;
}

export const DEFAULT_IMAGE_LIMITS: ImageLimits = {
  maxEdge: 1568,
  maxBytes: 5 * 1024 * 1024,
  maxPixels: 100_000_000,
};

export interface SmallImage {
  readonly data: string;
  readonly mimeType: string;
  readonly width: number;
  readonly height: number;
}

export type ResizeProblem = 'no-library' | 'broken' | 'too-large';

export type Decoder = (input: Buffer, options: SharpOptions) => Sharp;

const MAX_SECONDS = 20;
/** From good to bad, until one is small enough. */
const QUALITIES = [85, 70, 50, 30];

export async function resizeImage(
  bytes: Buffer,
  { maxEdge, maxBytes, maxPixels }: ImageLimits,
  load: () => Promise<Decoder | undefined>,
): Promise<Result<SmallImage, ResizeProblem>> {
  const decode = await load();
  if (decode === undefined) return err('no-library');
  const small = (): Sharp =>
    decode(bytes, { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true })
      .rotate()
      .resize({ width: maxEdge, height: maxEdge, fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: MAX_SECONDS });
  try {
    const exact = await small().png({ compressionLevel: 6 }).toBuffer({ resolveWithObject: true });
    const { width, height } = exact.info;
    const made = (data: Buffer, mimeType: string): SmallImage => ({
      data: data.toString('base64'),
      mimeType,
      width,
      height,
    });
    if (isWithin(exact.data, maxBytes)) return ok(made(exact.data, 'image/png'));
    for (const quality of QUALITIES) {
      const data = await small().flatten({ background: 'white' }).jpeg({ quality }).toBuffer();
      if (isWithin(data, maxBytes)) return ok(made(data, 'image/jpeg'));
    }
    return err('too-large');
  } catch {
    // Whatever the library says is about bytes that a stranger made.
    return err('broken');
  }
}

function isWithin(data: Buffer, maxBase64: number): boolean {
  return Math.ceil(data.length / 3) * 4 <= maxBase64;
}

/** `undefined` if it is not installed, or not for this system. */
export async function loadDecoder(): Promise<Decoder | undefined> {
  try {
    return (await import('sharp')).default;
  } catch {
    return undefined;
  }
}
