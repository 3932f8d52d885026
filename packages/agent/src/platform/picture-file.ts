// Reads a picture from a file, for a message to a model. Its type is taken from its first bytes, whatever its name
// says.

import { open } from 'node:fs/promises';
import { codeOf, err, ok, type Result } from '@plugboard/base';

export interface Picture {
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

export type PictureProblem =
  | { readonly kind: 'unreadable'; readonly code: string }
  | { readonly kind: 'no-picture' }
  | { readonly kind: 'too-large'; readonly limit: number };

/** The limit of the strictest provider for one picture, before Base64. */
const MOST_BYTES = 3.5 * 1024 * 1024;

export async function readPicture(path: string): Promise<Result<Picture, PictureProblem>> {
  try {
    const file = await open(path, 'r');
    try {
      const found = await file.stat();
      if (!found.isFile()) return err({ kind: 'no-picture' });
      const head = Buffer.alloc(12);
      await file.read(head, 0, head.length, 0);
      if (mediaTypeOf(head) === undefined) return err({ kind: 'no-picture' });
      if (found.size > MOST_BYTES) return err({ kind: 'too-large', limit: MOST_BYTES });
      return pictureOf(await file.readFile());
    } finally {
      await file.close();
    }
  } catch (thrown) {
    return err({ kind: 'unreadable', code: codeOf(thrown) ?? 'UNKNOWN' });
  }
}

/** The same for bytes from another source. */
export function pictureOf(bytes: Buffer): Result<Picture, PictureProblem> {
  const mediaType = mediaTypeOf(bytes);
  if (mediaType === undefined) return err({ kind: 'no-picture' });
  if (bytes.length > MOST_BYTES) return err({ kind: 'too-large', limit: MOST_BYTES });
  return ok({ mediaType, data: bytes.toString('base64') });
}

function mediaTypeOf(head: Buffer): string | undefined {
  if (head.subarray(0, 8).equals(PNG)) return 'image/png';
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return 'image/jpeg';
  const text = head.subarray(0, 12).toString('latin1');
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'image/gif';
  return text.startsWith('RIFF') && text.slice(8) === 'WEBP' ? 'image/webp' : undefined;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
