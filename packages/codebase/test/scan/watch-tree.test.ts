import { rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempFolder, type TempFolder, waitUntil } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TreeChange, TreeWatch } from '../../src/scan/index.ts';

let place: TempFolder;
let root: { readonly path: string };
let seen: TreeChange[];
let watch: TreeWatch;

beforeEach(async () => {
  place = await tempFolder();
  await place.write('tree/.gitignore', '*.log\nbuild/\n');
  await place.write('tree/src/a.ts', 'one');
  root = { path: join(place.path, 'tree') };
  seen = [];
  watch = await TreeWatch.open(root, (change) => seen.push(change));
});

afterEach(async () => {
  await watch[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

const changed = (): readonly string[] =>
  seen.flatMap((change) => (change.kind === 'files' ? change.changed : []));
const removed = (): readonly string[] =>
  seen.flatMap((change) => (change.kind === 'files' ? change.removed : []));

describe('watching a tree', () => {
  it('reports an edit in well under half a second', async () => {
    // On a busy machine a program may not get its turn within that time, but it does before long.
    await waitUntil(
      async () => {
        seen = [];
        const startedAt = performance.now();
        await place.write('tree/src/a.ts', `${startedAt}`);
        await waitUntil(() => changed().includes('src/a.ts'), { describe: 'the edit' });
        return performance.now() - startedAt < 500;
      },
      { describe: 'an edit that is reported in time' },
    );
  });

  it('reports new and removed files, without ignored ones', async () => {
    await place.write('tree/x.log', 'x');
    await place.write('tree/build/x.js', 'x');
    await place.write('tree/.hidden', 'x');
    await place.write('tree/src/new.ts', 'x');
    await rm(join(root.path, 'src/a.ts'));
    await waitUntil(() => changed().includes('src/new.ts') && removed().includes('src/a.ts'), {
      describe: 'both changes',
    });
    expect(new Set(changed())).toEqual(new Set(['src/new.ts']));
  });

  it('reports every file in a folder that is moved into the tree', async () => {
    await place.write('elsewhere/deep/one.ts', 'x');
    await place.write('elsewhere/deep/two.log', 'x');
    await place.write('elsewhere/three.ts', 'x');
    await rename(join(place.path, 'elsewhere'), join(root.path, 'moved'));
    await waitUntil(() => changed().length >= 2, { describe: 'the files' });
    expect(new Set(changed())).toEqual(new Set(['moved/deep/one.ts', 'moved/three.ts']));
  });

  it('reports a file that is replaced by a folder as gone', async () => {
    await rm(join(root.path, 'src/a.ts'));
    await place.write('tree/src/a.ts/inner.ts', 'x');
    await waitUntil(() => changed().includes('src/a.ts/inner.ts'), { describe: 'the new file' });
    expect(removed()).toContain('src/a.ts');
  });

  it('reports a file that is replaced by a link as gone, and nothing about the target of the link', async () => {
    await place.write('tree/lib/b.ts', 'x');
    await waitUntil(() => changed().includes('lib/b.ts'), { describe: 'the new file' });
    await symlink(join(root.path, 'lib'), join(place.path, 'link'));
    await rename(join(place.path, 'link'), join(root.path, 'src/a.ts'));
    await waitUntil(() => removed().includes('src/a.ts'), { describe: 'the link' });
    await place.write('tree/lib/c.ts', 'x');
    await waitUntil(() => changed().includes('lib/c.ts'), { describe: 'the file after it' });
    expect(changed().filter((path) => path.startsWith('src/'))).toEqual([]);
  });

  it('requests a new listing when an ignore file changes, and then applies the new rules', async () => {
    await writeFile(join(root.path, '.gitignore'), 'src/\n');
    const isAsked = (): boolean => seen.some(({ kind }) => kind === 'relist');
    await waitUntil(isAsked, { describe: 'the new listing' });
    expect(seen).toContainEqual({ kind: 'relist', reason: 'ignore-files' });
    seen = [];
    // Repeatedly, since a change together with the ignore file is part of the new listing.
    await waitUntil(
      async () => {
        await place.write('tree/src/a.ts', `${performance.now()}`);
        await place.write('tree/x.log', `${performance.now()}`);
        return changed().includes('x.log');
      },
      { describe: 'what was ignored before' },
    );
    expect(new Set(changed())).toEqual(new Set(['x.log']));
  });

  it('stops when it is closed, also when it is closed twice', async () => {
    await watch[Symbol.asyncDispose]();
    await watch[Symbol.asyncDispose]();
    expect(seen).toEqual([]);
  });
});
