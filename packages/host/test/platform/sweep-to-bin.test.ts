import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { sweepToBin } from '../../src/platform/index.ts';

const DAY = 24 * 60 * 60 * 1000;
const TODAY = Date.UTC(2026, 5, 15, 12);

/** Sweeps with a clock that is off by a number of days. */
const sweep = (folder: TempFolder, days = 0, maxFiles = 100): Promise<void> =>
  sweepToBin(folder.path, { now: TODAY + days * DAY, keptMs: 30 * DAY, maxFiles });

async function writeAged(folder: TempFolder, ages: Readonly<Record<string, number>>) {
  for (const [name, age] of Object.entries(ages)) {
    const at = new Date(TODAY - age * DAY);
    await utimes(await folder.write(name, name), at, at);
  }
}

const live = async (folder: TempFolder): Promise<readonly string[]> =>
  (await readdir(folder.path)).filter((name) => name !== 'bin').toSorted();
const inBin = async (folder: TempFolder): Promise<readonly string[]> =>
  (await readdir(join(folder.path, 'bin')).catch(() => []))
    .filter((name) => name !== 'days')
    .toSorted();

describe('removing old data that cannot be restored', () => {
  verifies('POL-19');

  it('moves nothing when only the clock says that it is old', async () => {
    await using folder = await tempFolder();
    await writeAged(folder, { a: 0, b: 5, c: 29 });
    for (const days of [31, 400, 40_000]) await sweep(folder, days);
    expect([await live(folder), await inBin(folder)]).toEqual([['a', 'b', 'c'], []]);
  });

  it('restores what a wrong clock put into the bin together with a new file', async () => {
    await using folder = await tempFolder();
    await writeAged(folder, { a: 1, b: 5, new: -60 });
    await sweep(folder, 60);
    expect([await live(folder), await inBin(folder)]).toEqual([['new'], ['1.a', '1.b']]);
    await sweep(folder, 0);
    expect([await live(folder), await inBin(folder)]).toEqual([['a', 'b', 'new'], []]);
    expect(await folder.read('a')).toBe('a');
  });

  it('removes from the bin what stayed there for seven observed days', async () => {
    await using folder = await tempFolder();
    await writeAged(folder, { new: 0, old: 40 });
    for (const day of [0, 0, 1, 2, 3, 4, 5, 6]) await sweep(folder, day);
    expect([await live(folder), await inBin(folder)]).toEqual([['new'], ['1.old']]);
    await sweep(folder, 7);
    expect([await live(folder), await inBin(folder)]).toEqual([['new'], []]);
  });

  it('counts a clock that jumps months ahead and back as one day', async () => {
    await using folder = await tempFolder();
    await writeAged(folder, { new: 0, old: 40 });
    for (const day of [0, 300, 1, 299, 2, 300, 3, 4, 5, 6, 7, 8]) await sweep(folder, day);
    expect(await inBin(folder)).toEqual(['1.old']);
  });

  it('puts the oldest of too many into the bin, and keeps no more of them there', async () => {
    await using folder = await tempFolder();
    await writeAged(folder, { a: 1, b: 2, c: 3, d: 4, e: 5 });
    await sweep(folder, 0, 2);
    expect([await live(folder), await inBin(folder)]).toEqual([
      ['a', 'b'],
      ['1.c', '1.d', '1.e'],
    ]);
    await sweep(folder, 0, 2);
    expect([await live(folder), await inBin(folder)]).toEqual([
      ['a', 'b'],
      ['1.c', '1.d'],
    ]);
  });

  it('starts to count again if the count was lost, and removes nothing because of that', async () => {
    await using folder = await tempFolder();
    await writeAged(folder, { new: 0, 'bin/900.old': 40, 'bin/days': 0 });
    await sweep(folder);
    expect(await inBin(folder)).toEqual(['1.old']);
  });
});
