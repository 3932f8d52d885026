// The memory that large results take: 50 MB of text, which is cut and stored in a file, and an image of 30 megapixels,
// which is scaled down.

import { createRequire } from 'node:module';
import { figure, type Figure, type Section } from './measure/report.ts';
import { sandbox } from './measure/sandbox.ts';
import { SideProcess } from './measure/side-process.ts';
import type { LargeAnswer, LargeQuestion } from './large/worker.ts';

const TEXT_MB = 50;
const WIDTH = 6320;
const HEIGHT = 4750;
/** Decoded, with three bytes per pixel. */
const IMAGE_MB = (WIDTH * HEIGHT * 3) / 1e6;
const MOST = 4;
const DEFAULT_ROUNDS = 5;

export async function benchmarkResults(repeats: number | undefined): Promise<readonly Section[]> {
  const rounds = repeats ?? DEFAULT_ROUNDS;
  const rows = [
    await largest('50 MB of text', { kind: 'text', megabytes: TEXT_MB }, { size: TEXT_MB, rounds }),
    await largest(
      'an image of 30 megapixels',
      { kind: 'image', image: await photograph() },
      { size: IMAGE_MB, rounds },
    ),
  ];
  return [{ kind: 'figures', title: 'results: memory at its peak, to the size', rows }];
}

async function largest(
  name: string,
  question: LargeQuestion,
  { size, rounds }: { readonly size: number; readonly rounds: number },
): Promise<Figure> {
  console.error(`bench: ${name} ...`);
  const answers: LargeAnswer[] = [];
  for (let round = 0; round < rounds; round += 1) {
    using box = sandbox({});
    await using side = await SideProcess.start<LargeQuestion, LargeAnswer>('large/worker.ts', {
      env: box.env,
      flags: ['--expose-gc'],
    });
    answers.push(await side.ask(question));
  }
  const peak = Math.max(...answers.map(({ peakMb }) => peakMb));
  return figure({
    name,
    value: peak / size,
    unit: '×',
    target: { kind: 'at-most', value: MOST },
    note: `${peak.toFixed(0)} MB above rest for ${size.toFixed(0)} MB; ${answers[0]?.shown ?? 0} shown; the most of ${rounds}`,
  });
}

interface Sharp {
  (
    raw: Buffer,
    options: object,
  ): {
    png(options: object): { toBuffer(): Promise<Buffer> };
  };
}

/** Like a photo: even areas with some noise. */
async function photograph(): Promise<string> {
  const sharp = createRequire(import.meta.url)('sharp') as Sharp;
  const raw = Buffer.alloc(WIDTH * HEIGHT * 3);
  let state = 1;
  for (let at = 0; at < raw.length; at += 1) {
    state = (state * 48_271) % 2_147_483_647;
    raw[at] = ((at / 9000) & 0xf0) | (state & 3);
  }
  const png = await sharp(raw, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .png({ compressionLevel: 3 })
    .toBuffer();
  return png.toString('base64');
}
