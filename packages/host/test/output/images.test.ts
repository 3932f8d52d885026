import { readFile } from 'node:fs/promises';
import { Scope, systemClock } from '@plugboard/base';
import { tempFolder, verifies } from '@plugboard/testkit';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { fitMedia } from '../../src/output/fit-media.ts';
import { imageHeader } from '../../src/output/image-header.ts';
import { DEFAULT_IMAGE_LIMITS } from '../../src/output/budget.ts';
import type { Part } from '../../src/output/index.ts';
import { DEFAULT_QUOTA, ResultFiles } from '../../src/output/result-files.ts';
import type { ContentBlock } from '../../src/protocol/index.ts';
import { givenOutput } from './output-cases.ts';

const FORMATS = ['png', 'jpeg', 'gif', 'webp'] as const;
type Format = (typeof FORMATS)[number] | 'tiff' | 'avif';

function picture(width: number, height: number, format: Format): Promise<Buffer> {
  const create = { width, height, channels: 3, background: '#c06030' } as const;
  return sharp({ create }).toFormat(format).toBuffer();
}

const image = (bytes: Buffer, mimeType = 'image/png'): ContentBlock => ({
  type: 'image',
  data: bytes.toString('base64'),
  mimeType,
});

async function sizeOf(part: Part | undefined): Promise<string> {
  if (part?.kind !== 'image') return part?.kind ?? 'none';
  const { format, width, height } = await sharp(Buffer.from(part.data, 'base64')).metadata();
  return `${part.mimeType} ${format} ${width}x${height}`;
}

describe('an image in a result', () => {
  it.each(FORMATS)(
    'of type %s that is small enough passes unchanged, under its real type',
    async (format) => {
      verifies('OUT-03');
      await using scope = new Scope();
      const { fit } = await givenOutput(scope);
      const bytes = await picture(40, 30, format);
      expect(imageHeader(bytes)).toEqual({
        type: `image/${format}`,
        size: { width: 40, height: 30 },
        isWhole: true,
      });
      expect(await fit([image(bytes, 'image/x-lie')])).toEqual([
        { kind: 'image', data: bytes.toString('base64'), mimeType: `image/${format}` },
      ]);
    },
  );

  it.each(['png', 'jpeg', 'webp', 'tiff', 'avif'] as const)(
    'of type %s that is too large is scaled down, and its original is in a file',
    async (format) => {
      verifies('OUT-03');
      await using scope = new Scope();
      const { fit } = await givenOutput(scope);
      const bytes = await picture(2000, 1000, format);
      const [shown, note] = await fit([image(bytes)]);
      expect(await sizeOf(shown)).toBe('image/png png 1568x784');
      const file = shown?.kind === 'image' ? shown.file : undefined;
      expect(bytes.equals(await readFile(file?.path ?? ''))).toBe(true);
      expect(note?.kind === 'note' && note.text).toContain('to 1568 × 784 pixels');
    },
  );

  it('that still has too many bytes is recompressed, within configurable limits', async () => {
    verifies('OUT-03');
    await using scope = new Scope();
    const { fit } = await givenOutput(scope, { images: { maxEdge: 300, maxBytes: 60_000 } });
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const create = { width: 400, height: 400, channels: 3, noise, background: '#fff' } as const;
    const bytes = await sharp({ create }).png().toBuffer();
    const [shown] = await fit([image(bytes)]);
    expect(await sizeOf(shown)).toBe('image/jpeg jpeg 300x300');
    expect(shown?.kind === 'image' && shown.data.length).toBeLessThanOrEqual(60_000);
  });

  it('that claims billions of pixels is never decoded', async () => {
    verifies('OUT-03');
    await using scope = new Scope();
    const { fit } = await givenOutput(scope);
    const bomb = await picture(10, 10, 'png');
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    expect(await fit([image(bomb)])).toMatchObject([
      { kind: 'file', about: 'image image/png, not shown: it has too many pixels' },
    ]);
    const hidden = await givenOutput(scope, { images: { maxPixels: 1000 } });
    expect(await hidden.fit([image(await picture(100, 100, 'tiff'))])).toMatchObject([
      { kind: 'file', about: 'image image/tiff, not shown: it is broken' },
    ]);
  });

  it('that is broken, or not an image, goes to a file', async () => {
    verifies('OUT-03');
    await using scope = new Scope();
    const { fit } = await givenOutput(scope);
    const whole = await picture(2000, 2000, 'png');
    const torn = whole.subarray(0, whole.length / 2);
    const spoilt = Buffer.from(whole);
    spoilt.fill(0xff, 60, whole.length - 40);
    const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>');
    const parts = await fit([
      image(torn),
      image(spoilt),
      image(Buffer.from('hello')),
      image(Buffer.alloc(0)),
      image(drawing, 'image/svg+xml'),
    ]);
    expect(
      parts.map((part) => part.kind === 'file' && [part.about, part.file.path.slice(-4)]),
    ).toEqual([
      ['image image/png, not shown: it is broken', '.png'],
      ['image image/png, not shown: it is broken', '.png'],
      ['image image/png, not an image that can be shown', '.png'],
      ['image image/png, not an image that can be shown', '.png'],
      ['image image/svg+xml, not an image that can be shown', '.txt'],
    ]);
  });

  it('that is too large goes to a file if the library is not installed', async () => {
    verifies('OUT-03');
    await using scope = new Scope();
    const { path: cache } = scope.use(await tempFolder());
    const files = new ResultFiles({ cache, clock: systemClock, quota: DEFAULT_QUOTA });
    const data = (await picture(2000, 1000, 'png')).toString('base64');
    const fitted = await fitMedia(
      { kind: 'image', data, mimeType: 'image/png' },
      { files, limits: DEFAULT_IMAGE_LIMITS, loadDecoder: () => Promise.resolve(undefined) },
    );
    expect(fitted).toMatchObject([
      { kind: 'file', about: expect.stringContaining('sharp') as string },
    ]);
  });

  it('loses its camera metadata, and is rotated upright', async () => {
    verifies('OUT-03');
    await using scope = new Scope();
    const { fit } = await givenOutput(scope);
    const upright = await picture(2000, 1000, 'jpeg');
    const bytes = await sharp(upright).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const [shown] = await fit([image(bytes, 'image/jpeg')]);
    expect(await sizeOf(shown)).toBe('image/png png 784x1568');
  });
});
