// Makes an image small enough for a model: decodes it, rotates it upright, resizes it and encodes it again without
// metadata. The library is optional and is loaded when the first image needs it; an image that cannot be decoded is a
// result, not an exception.

import { err, ok, type Result } from '@plugboard/base';
import type { Sharp, SharpOptions } from 'sharp';
import type { ImageLimits } from './budget.ts';

export interface SmallImage {
  readonly data: string;
  readonly mimeType: string;
  readonly width: number;
  readonly height: number;
}

export type ResizeProblem = 'no-library' | 'broken' | 'too-large';

export type Decoder = (input: Buffer, options: SharpOptions) => Sharp;

const MAX_SECONDS = 20;
/** Tried in this order until the image is small enough. */
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
    // The library fails only because of the hostile bytes.
    return err('broken');
  }
}

function isWithin(data: Buffer, maxBase64: number): boolean {
  return Math.ceil(data.length / 3) * 4 <= maxBase64;
}

/** `undefined` if the library is not installed, or not available for this system. */
export async function loadDecoder(): Promise<Decoder | undefined> {
  try {
    return (await import('sharp')).default;
  } catch {
    return undefined;
  }
}
