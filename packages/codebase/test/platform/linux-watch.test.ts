import { writeFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tempFolder, type TempFolder, verifies, waitUntil } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LinuxWatch } from '../../src/platform/linux-watch.ts';

const isHere = process.platform === 'linux';

let place: TempFolder;
let root: string;
let heard: Map<string, string>;
let lost: unknown[];
let watch: LinuxWatch;

beforeEach(async () => {
  place = await tempFolder();
  root = join(place.path, 'tree');
  await place.write('tree/src/a.ts', 'one');
  await place.write('tree/node_modules/x/y.js', 'one');
  heard = new Map();
  lost = [];
  watch = await LinuxWatch.open({
    folder: root,
    ignore: ['.git/objects', '**/node_modules'],
    onChanges: (changes) => {
      for (const { path, type } of changes) heard.set(path.slice(root.length + 1), type);
    },
    onLost: (thrown) => lost.push(thrown),
  });
});
afterEach(async () => {
  await watch[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

async function hears(path: string, type: string): Promise<void> {
  await waitUntil(() => heard.get(path) === type, {
    describe: () => `${type} of ${path} among ${JSON.stringify([...heard])}`,
  });
}

describe.runIf(isHere)('watching a folder on Linux', () => {
  verifies('COD-20');

  it('reports an edit in a folder that was moved in together with its parent', async () => {
    await mkdir(join(root, 'new/deep/deeper'), { recursive: true });
    await place.write('tree/new/deep/deeper/b.ts', 'one');
    await hears('new', 'update');
    heard.clear();
    await place.write('tree/new/deep/deeper/b.ts', 'two');
    await hears('new/deep/deeper/b.ts', 'update');
    expect([...heard.keys()]).toEqual(['new/deep/deeper/b.ts']);
  });

  it('reports an edit below a folder that was moved, by its new path', async () => {
    await place.write('elsewhere/in/c.ts', 'one');
    await rename(join(place.path, 'elsewhere'), join(root, 'came'));
    await hears('came', 'update');
    await rename(join(root, 'came'), join(root, 'went'));
    await hears('came', 'delete');
    await hears('went', 'update');
    heard.clear();
    await place.write('tree/went/in/c.ts', 'two');
    await hears('went/in/c.ts', 'update');
    expect([...heard.keys()]).toEqual(['went/in/c.ts']);
  });

  it('reports edits in a folder that was removed and made again under the same name', async () => {
    for (const text of ['one', 'two', 'three']) {
      await rm(join(root, 'src'), { recursive: true });
      await mkdir(join(root, 'src'));
      await hears('src', 'update');
      heard.clear();
      await place.write('tree/src/a.ts', text);
      await hears('src/a.ts', 'update');
    }
    expect(lost).toEqual([]);
  });

  it('reports nothing of folders that are not to be watched', async () => {
    await place.write('tree/node_modules/x/y.js', 'two');
    await place.write('tree/deep/node_modules/z.js', 'two');
    await place.write('tree/src/a.ts', 'two');
    await hears('src/a.ts', 'update');
    expect([...heard.keys()].filter((path) => path.includes('node_modules'))).toEqual([]);
  });

  it('reports possibly lost events when there are more at once than the system queues', async () => {
    // No event is processed while this runs, and each file causes two or three events.
    for (let count = 0; count < 6_000; count += 1)
      writeFileSync(join(root, `src/f${count}.ts`), 'x');
    await waitUntil(() => lost.length > 0, { describe: 'the loss to be reported' });
    expect(String(lost[0])).toContain('more changes came at once');
  });
});
