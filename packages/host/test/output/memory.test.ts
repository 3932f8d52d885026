import { Scope } from '@plugboard/base';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { givenOutput, text } from './output-cases.ts';

const MIB = 1024 ** 2;

/** The growth of the process above its earlier maximum. */
async function growth(task: () => Promise<unknown>): Promise<number> {
  const before = process.resourceUsage().maxRSS;
  await task();
  return (process.resourceUsage().maxRSS - before) * 1024;
}

describe('a very large result', () => {
  it('of 50 MiB of text takes at most three times its size in additional memory', async () => {
    await using scope = new Scope();
    const { fit } = await givenOutput(scope);
    const whole = 'a line of sixteen\n'.repeat((50 * MIB) / 18);
    expect(await growth(() => fit([text(whole)]))).toBeLessThanOrEqual(3 * whole.length);
  });

  it('of an image of 30 megapixels takes at most four times its pixels', async () => {
    await using scope = new Scope();
    const { fit } = await givenOutput(scope);
    const create = { width: 6000, height: 5000, channels: 3, background: '#40c080' } as const;
    const data = (await sharp({ create }).jpeg().toBuffer()).toString('base64');
    const bytes = 6000 * 5000 * 3;
    const image = { type: 'image', data, mimeType: 'image/jpeg' } as const;
    expect(await growth(() => fit([image]))).toBeLessThanOrEqual(4 * bytes);
  });
});
