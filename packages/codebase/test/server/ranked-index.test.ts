import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, never, silentLogger, systemClock } from '@plugboard/base';
import {
  ManualClock,
  type TempFolder,
  tempFolder,
  verifies,
  WAIT_MS,
  waitUntil,
} from '@plugboard/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileReader, readingPool } from '../../src/indexing/index.ts';
import { Root, TreeFollower } from '../../src/scan/index.ts';
import { RankedIndex, type RankedOptions } from '../../src/server/ranked-index.ts';

let place: TempFolder;
const trees: TreeFollower[] = [];
const pool = readingPool(systemClock);

beforeAll(async () => {
  place = await tempFolder();
  await place.write('tree/a.ts', 'export function retryDelay(): number {\n  return 5;\n}\n');
});
afterAll(async () => {
  await Promise.all(trees.map((tree) => tree[Symbol.asyncDispose]()));
  await pool.close();
  await place[Symbol.asyncDispose]();
});

/** A tree that takes forever to list. */
class UnlistedTree extends TreeFollower {
  override start(): this {
    return this;
  }
}

async function open(
  store: RankedOptions['store'],
  {
    clock = systemClock,
    Tree = TreeFollower,
    cache = 'cache/tree',
  }: { clock?: Clock; Tree?: typeof TreeFollower; cache?: string } = {},
): Promise<RankedIndex> {
  const root = await Root.open(join(place.path, 'tree'));
  if (!root.ok) throw new Error(root.error.message);
  const tree = new Tree(root.value, systemClock);
  trees.push(tree);
  return new RankedIndex({
    root: root.value,
    tree,
    reader: new FileReader(root.value, pool),
    folder: join(place.path, cache),
    rootId: 'tree',
    embedder: { kind: 'none' },
    store,
    clock,
    logger: silentLogger,
  });
}

describe('ranked search', () => {
  it('without an index states the reason and what to use instead', async () => {
    // No server listens on the port of `discard`.
    await using index = await open({ kind: 'qdrant', url: 'http://127.0.0.1:9' });
    const asked = index.search('retry delay', { maxResults: 3 }, never);
    await expect(asked).rejects.toThrow(
      /the index cannot be used: .+\. Use search_code instead\.$/,
    );
    expect(await index.state()).toMatchObject({ kind: 'off', chunks: 0 });
  });

  it('waits until the tree is read, and reports the progress', async () => {
    await using index = await open({ kind: 'embedded' });
    const phases: string[] = [];
    using _ = index.onProgress(({ phase }) => void phases.push(phase));
    const { hits, mode } = await index.search(
      'retry delay',
      { maxResults: 3, waitMs: WAIT_MS },
      never,
    );
    expect({ mode, paths: hits.map(({ path }) => path) }).toEqual({
      mode: 'lexical',
      paths: ['a.ts'],
    });
    expect(phases).not.toEqual([]);
  });

  it('answers after two seconds from the files read by then, and reports their share', async () => {
    verifies('COD-14');
    for (let number = 0; number < 300; number += 1) {
      await place.write(`tree/many/f${number}.ts`, `export const value${number} = 1;\n`);
    }
    const clock = new ManualClock();
    await using index = await open({ kind: 'embedded' }, { clock, cache: 'cache/new' });
    const asked = index.search('retry delay', { maxResults: 3 }, never);
    await waitUntil(() => clock.pending > 0, { describe: 'the question to wait' });
    await clock.advance(2_000);
    expect((await asked).readShare).toBeLessThan(1);
  });

  it('answers after a restart from the earlier index, without changed files, and reports that it is comparing', async () => {
    verifies('COD-23');
    await place.write('tree/same.ts', 'export function sameWalrus() {}\n');
    await place.write('tree/moved.ts', 'export function movedWalrus() {}\n');
    await place.write('tree/gone.ts', 'export function goneWalrus() {}\n');
    {
      await using first = await open({ kind: 'embedded' });
      const found = await first.search('walrus', { maxResults: 9, waitMs: WAIT_MS }, never);
      expect(found.isComparing).toBe(false);
      expect(found.hits.map(({ path }) => path).toSorted()).toEqual([
        'gone.ts',
        'moved.ts',
        'same.ts',
      ]);
    }
    await place.write('tree/moved.ts', '\n\n\nexport function movedWalrus() {}\n');
    await rm(join(place.path, 'tree/gone.ts'));
    const clock = new ManualClock();
    await using index = await open({ kind: 'embedded' }, { clock, Tree: UnlistedTree });
    const asked = index.search('walrus', { maxResults: 9 }, never);
    await waitUntil(() => clock.pending > 0, { describe: 'the question to wait' });
    await clock.advance(500);
    const { hits, isComparing, readShare } = await asked;
    expect({ paths: hits.map(({ path }) => path), isComparing, readShare }).toEqual({
      paths: ['same.ts'],
      isComparing: true,
      readShare: 1,
    });
  });

  it('refuses an invalid glob', async () => {
    await using index = await open({ kind: 'embedded' });
    const asked = index.search('retry delay', { maxResults: 3, globs: ['['] }, never);
    await expect(asked).rejects.toThrow('glob');
  });
});
