import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ManualClock, tempFolder, waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { watchFiles } from '../../src/platform/watch-files.ts';

/** A watch that counts changes; the clock stands still, so only events are detected. */
async function watched(paths: readonly string[]) {
  const clock = new ManualClock();
  let told = 0;
  const watch = watchFiles(paths, { onChange: () => void (told += 1), clock });
  await watch.ready;
  return {
    clock,
    noticed: async () => {
      await waitUntil(() => clock.pending === 2, { describe: 'a change to be noticed' });
      await watch.update(paths);
      await clock.advance(150);
      return told;
    },
    told: () => told,
    look: () => watch.update(paths),
    [Symbol.dispose]: () => watch[Symbol.dispose](),
  };
}

describe('watching the entries of a folder', () => {
  it('reports entries that are added, changed and removed', async () => {
    await using folder = await tempFolder();
    const root = await folder.mkdir('plugins');
    using seen = await watched([`${root}/`]);
    await mkdir(join(root, 'a'));
    expect(await seen.noticed()).toBe(1);
    await folder.write('plugins/a.json', 'one');
    expect(await seen.noticed()).toBe(2);
    await rename(await folder.write('draft', 'two'), join(root, 'a.json'));
    expect(await seen.noticed()).toBe(3);
    await rm(join(root, 'a'), { recursive: true });
    expect(await seen.noticed()).toBe(4);
  });

  it('reports them also when the folder is created later', async () => {
    await using folder = await tempFolder();
    const root = join(folder.path, 'not/there/plugins');
    using seen = await watched([`${root}/`]);
    await mkdir(root, { recursive: true });
    expect(await seen.noticed()).toBe(1);
    await mkdir(join(root, 'a'));
    expect(await seen.noticed()).toBe(2);
  });

  it('reports nothing deeper, and no entries if the folder alone is watched', async () => {
    await using folder = await tempFolder();
    const root = await folder.mkdir('plugins');
    const alone = await folder.mkdir('alone');
    await folder.mkdir('plugins/a');
    using seen = await watched([`${root}/`, alone]);
    await folder.write('plugins/a/deep.json', 'x');
    await folder.write('alone/x.json', 'x');
    await seen.look();
    await seen.clock.advance(150);
    expect(seen.told()).toBe(0);
  });
});
