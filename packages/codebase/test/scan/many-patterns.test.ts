import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@plugboard/base';
import { tempFolder, type TempFolder, verifies, waitUntil } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Root, type TreeChange, TreeWatch } from '../../src/scan/index.ts';
import { TextSearch } from '../../src/text/index.ts';

let place: TempFolder;

beforeEach(async () => {
  place = await tempFolder();
});
afterEach(() => place[Symbol.asyncDispose]());

const patterns = (count: number): string =>
  Array.from({ length: count }, (_, index) => `**/dir-${index}*/**/*.x${index}\n`).join('');

async function writeFiles(count: number): Promise<void> {
  await mkdir(join(place.path, 'src'), { recursive: true });
  for (let index = 0; index < count; index += 1) {
    await writeFile(join(place.path, 'src', `file-${index}.ts`), 'needle');
  }
}

async function relistAfter(change: () => Promise<unknown>): Promise<TreeChange> {
  const seen: TreeChange[] = [];
  await using _watch = await TreeWatch.open(place, (told) => seen.push(told));
  await change();
  const relist = (): TreeChange | undefined => seen.find(({ kind }) => kind === 'relist');
  return await waitUntil(relist, { describe: 'the new listing' });
}

describe('an ignore file of three thousand patterns', () => {
  verifies('POL-20');

  it('causes a new listing for a burst of changes, instead of tests file by file', async () => {
    await place.write('.gitignore', patterns(3000));
    const told = await relistAfter(() => writeFiles(200));
    expect(told).toEqual({ kind: 'relist', reason: 'many-patterns' });
  });

  it('still lets a single change be reported by itself', async () => {
    await place.write('.gitignore', patterns(3000));
    await writeFiles(1);
    const seen: TreeChange[] = [];
    await using _watch = await TreeWatch.open(place, (told) => seen.push(told));
    await place.write('src/file-0.ts', 'changed');
    const change = { kind: 'files', changed: ['src/file-0.ts'], removed: [] };
    await waitUntil(() => seen.length > 0, { describe: 'the change' });
    expect(seen[0]).toEqual(change);
  });

  it('does not delay the listing of a folder, which reports that not all entries are marked', async () => {
    await place.write('.gitignore', `${patterns(3000)}*.log\n`);
    await writeFiles(600);
    const root = await Root.open(place.path);
    const listed = root.ok ? await root.value.list('src') : root;
    expect(listed).toMatchObject({ ok: true, value: { total: 600, isMarked: false } });
  });

  it('does not keep a search from finding anything', async () => {
    await place.write('.gitignore', patterns(3000));
    await writeFiles(3);
    const search = new TextSearch({ root: place, clock: systemClock });
    const found = await search.page({ pattern: 'needle' });
    expect(found).toMatchObject({ ok: true, value: { total: 3, isComplete: true, skipped: [] } });
  });
});

describe('an ignore file with too many or too slow patterns', () => {
  verifies('POL-20');

  it('is named in the answer to a search when ripgrep cannot apply it', async () => {
    const long = Array.from({ length: 20_000 }, (_, index) => `**/dir-${index}*/**/x`);
    await place.write('.gitignore', long.join('\n'));
    await writeFiles(1);
    const search = new TextSearch({ root: place, clock: systemClock });
    const found = await search.page({ pattern: 'needle' });
    expect(found).toMatchObject({
      ok: true,
      value: {
        total: 1,
        skipped: [
          'an ignore file, whose patterns are too many or too long: what it leaves out was looked at as well',
        ],
      },
    });
  });

  it('does not block the server with a pattern that takes forever on a deep path', async () => {
    await place.write('.gitignore', `${'**/a/'.repeat(8)}b\n`);
    const deep = 'a/'.repeat(60);
    await place.write(`${deep}c.ts`, 'x');
    const told = await relistAfter(() => place.write(`${deep}c.ts`, 'y'));
    expect(told).toEqual({ kind: 'relist', reason: 'many-patterns' });
  });
});
