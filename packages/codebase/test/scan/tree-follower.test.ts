import { execFile, execFileSync } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '@plugboard/base';
import { descendants, tempFolder, type TempFolder, verifies, waitUntil } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TreeFollower, type TreeListener } from '../../src/scan/index.ts';

let place: TempFolder;
let tree: TreeFollower;

beforeEach(async () => {
  place = await tempFolder();
  await place.write('tree/src/a.ts', 'one');
  await place.write('tree/b.md', 'two');
  tree = new TreeFollower({ path: join(place.path, 'tree') }, systemClock).start();
});

afterEach(async () => {
  await tree[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

type FollowerEvent =
  | { readonly listed: readonly string[] }
  | { readonly changed: readonly string[]; readonly removed: readonly string[] }
  | 'doubt'
  | 'listing'
  | 'following'
  | 'gone'
  | 'unwatched';

class RecordingListener implements TreeListener {
  readonly heard: FollowerEvent[] = [];

  async onListing(files: Parameters<TreeListener['onListing']>[0]): Promise<void> {
    this.heard.push({ listed: files.map(({ path }) => path).toSorted() });
  }

  onChange(changed: readonly string[], removed: readonly string[]): void {
    this.heard.push({ changed, removed });
  }

  onDoubt(): void {
    this.heard.push('doubt');
  }

  onState({ kind }: Parameters<TreeListener['onState']>[0]): void {
    this.heard.push(kind);
  }

  async until(one: FollowerEvent, from = 0): Promise<void> {
    const wanted = JSON.stringify(one);
    await waitUntil(
      () => this.heard.slice(from).some((heard) => JSON.stringify(heard) === wanted),
      {
        describe: () => `${wanted} among ${JSON.stringify(this.heard)}`,
      },
    );
  }
}

const ALL = { listed: ['b.md', 'src/a.ts'] };

describe('a tree follower whose ripgrep is killed', () => {
  verifies('COD-06');

  it('lists again, and never mistakes some of the files for all of them', async () => {
    // Ripgrep waits for the words of this ignore file.
    const gate = join(place.path, 'tree/src/.gitignore');
    execFileSync('mkfifo', [gate]);
    const ear = new RecordingListener();
    tree.follow(ear);
    const lister = await waitUntil(
      () => descendants().find(({ command }) => command.includes('ripgrep')),
      { describe: 'ripgrep to run' },
    );
    await rm(gate);
    process.kill(lister.pid, 'SIGKILL');
    await ear.until('following');
    const listings = ear.heard.filter((heard) => typeof heard === 'object' && 'listed' in heard);
    expect(new Set(listings.map((heard) => JSON.stringify(heard)))).toEqual(
      new Set([JSON.stringify(ALL)]),
    );
    expect(ear.heard).not.toContain('unwatched');
  });
});

describe('a tree follower with several listeners', () => {
  verifies('COD-06');

  it('gives each listener a listing, and then the same changes to all', async () => {
    const [first, second] = [new RecordingListener(), new RecordingListener()];
    tree.follow(first);
    await first.until('following');
    expect(tree.isWatching).toBe(true);
    tree.follow(second);
    await second.until('following');
    // A listener that knows the tree already gets no event when another one joins.
    expect(first.heard).toEqual(['listing', ALL, 'following']);
    expect(second.heard).toEqual(['listing', ALL, 'following']);
    await place.write('tree/src/a.ts', 'three');
    const edited = { changed: ['src/a.ts'], removed: [] };
    await first.until(edited);
    await second.until(edited);
    await rm(join(place.path, 'tree/b.md'));
    // The watcher may report the edit once more.
    const isGone = (listener: RecordingListener): boolean =>
      listener.heard.some(
        (one) => typeof one === 'object' && 'removed' in one && one.removed[0] === 'b.md',
      );
    await waitUntil(() => isGone(first) && isGone(second), { describe: 'both to hear of it' });
  });

  it('reports nothing to a listener that has left', async () => {
    const [staying, leaving] = [new RecordingListener(), new RecordingListener()];
    tree.follow(staying);
    const following = tree.follow(leaving);
    await leaving.until('following');
    following[Symbol.dispose]();
    following.relist();
    const before = leaving.heard.length;
    await place.write('tree/src/a.ts', 'three');
    await staying.until({ changed: ['src/a.ts'], removed: [] });
    expect(leaving.heard.length).toBe(before);
  });

  it('reports that the listing is stale when an ignore file changes, and lists again', async () => {
    const ear = new RecordingListener();
    tree.follow(ear);
    await ear.until('following');
    await place.write('tree/.ignore', 'b.md\n');
    await ear.until({ listed: ['src/a.ts'] });
    expect(ear.heard).toContain('doubt');
  });

  it('lists again when an ignore file above the root changes, which no watcher reports', async () => {
    const ear = new RecordingListener();
    tree.follow(ear);
    await ear.until('following');
    await place.write('.gitignore', 'b.md\n');
    await ear.until({ listed: ['src/a.ts'] });
    const from = ear.heard.length;
    // Later changes follow the new rules as well.
    await place.write('tree/b.md', 'three');
    await place.write('tree/src/a.ts', 'three');
    await ear.until({ changed: ['src/a.ts'], removed: [] }, from);
    expect(JSON.stringify(ear.heard.slice(from))).not.toContain('b.md');
  });

  it('lists again when git begins or ceases to track a hidden file', async () => {
    const git = async (...args: readonly string[]): Promise<unknown> =>
      promisify(execFile)('git', [...args], { cwd: join(place.path, 'tree') });
    await git('init');
    await place.write('tree/.config/tool.json', '{}');
    const ear = new RecordingListener();
    tree.follow(ear);
    await ear.until('following');
    await git('add', '.config');
    await ear.until({ listed: ['.config/tool.json', 'b.md', 'src/a.ts'] });
    await place.write('tree/.config/tool.json', '{ }');
    await ear.until({ changed: ['.config/tool.json'], removed: [] });
    expect(ear.heard).toContain('doubt');
    const from = ear.heard.length;
    await git('rm', '--cached', '--force', '.config/tool.json');
    await ear.until(ALL, from);
  });

  it('reports that the root is gone, and lists the root that replaces it', async () => {
    const ear = new RecordingListener();
    tree.follow(ear);
    await ear.until('following');
    await rename(join(place.path, 'tree'), join(place.path, 'away'));
    await ear.until('gone');
    expect(tree.isWatching).toBe(false);
    expect(ear.heard).toContain('doubt');
    const from = ear.heard.length;
    await place.write('tree/other.ts', 'x');
    await ear.until({ listed: ['other.ts'] }, from);
    await ear.until('following', from);
    await place.write('tree/later.ts', 'x');
    await ear.until({ changed: ['later.ts'], removed: [] }, from);
  });
});
