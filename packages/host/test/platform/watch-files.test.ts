import { CodedError, type Logger } from '@plugboard/base';
import { ManualClock, tempFolder, waitUntil } from '@plugboard/testkit';
import { execFile } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import {
  appendFile,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { watchFiles, type WatchFilesOptions } from '../../src/platform/watch-files.ts';

/** A watch that counts changes, on a clock that only gathering and polling wait for. */
async function watched(paths: readonly string[], options: Partial<WatchFilesOptions> = {}) {
  const clock = new ManualClock();
  let told = 0;
  const watch = watchFiles(paths, { onChange: () => void (told += 1), clock, ...options });
  await watch.ready;
  return {
    watch,
    clock,
    told: () => told,
    /** Resolves when a change was detected by an event alone, since the clock stands still, and reported. */
    noticed: async () => {
      await waitUntil(() => clock.pending === 2, { describe: 'a change to be noticed' });
      // The event may have been for a partial change; the rest belongs to the same burst.
      await watch.update(paths);
      await clock.advance(150);
    },
    [Symbol.dispose]: () => watch[Symbol.dispose](),
  };
}

describe('watching files', () => {
  it('reports a file that is changed, replaced, removed and created again', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('settings.json', 'one');
    using seen = await watched([file]);

    await appendFile(file, ' more');
    await seen.noticed();
    expect(seen.told()).toBe(1);

    await rename(await folder.write('draft', 'two more'), file);
    await seen.noticed();
    expect(seen.told()).toBe(2);

    await unlink(file);
    await seen.noticed();
    expect(seen.told()).toBe(3);

    await writeFile(file, 'three');
    await seen.noticed();
    expect(seen.told()).toBe(4);
  });

  it('reports a file that is replaced by one of the same length and date', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('settings.json', 'one');
    const date = new Date(2026, 0, 1);
    await utimes(file, date, date);
    const draft = await folder.write('draft', 'two');
    await utimes(draft, date, date);
    using seen = await watched([file]);
    await rename(draft, file);
    await seen.noticed();
    expect(seen.told()).toBe(1);
  });

  it('reports a file whose folders appear later, one by one or all at once', async () => {
    await using folder = await tempFolder();
    const slow = join(folder.path, 'a/b/c/settings.json');
    const fast = join(folder.path, 'x/y/z/settings.json');
    using seen = await watched([slow, fast]);

    await mkdir(join(folder.path, 'a'));
    await mkdir(join(folder.path, 'a/b'));
    await seen.watch.update([slow, fast]);
    await mkdir(join(folder.path, 'a/b/c'));
    await writeFile(slow, '{}');
    await seen.noticed();
    expect(seen.told()).toBe(1);

    await folder.write('x/y/z/settings.json', '{}');
    await seen.noticed();
    expect(seen.told()).toBe(2);

    await writeFile(slow, '{ "more": 1 }');
    await seen.noticed();
    expect(seen.told()).toBe(3);
  });

  it('continues after the folder was deleted and created again', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('deep/er/settings.json', 'one');
    using seen = await watched([file]);
    for (let round = 0; round < 3; round += 1) {
      await rm(join(folder.path, 'deep'), { recursive: true });
      await seen.noticed();
      await folder.write('deep/er/settings.json', 'two');
      await seen.noticed();
      await writeFile(file, 'three');
      await seen.noticed();
      expect(seen.told()).toBe(3 * (round + 1));
    }
  });

  it('reports when another folder replaces the one of the file', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('now/settings.json', 'one');
    await folder.write('next/settings.json', 'two');
    using seen = await watched([file]);
    await rename(join(folder.path, 'now'), join(folder.path, 'before'));
    await rename(join(folder.path, 'next'), join(folder.path, 'now'));
    await seen.noticed();
    await writeFile(file, 'three');
    await seen.noticed();
    // Changes of the old folder no longer count.
    await folder.write('before/settings.json', 'four');
    await seen.watch.update([file]);
    expect([seen.told(), seen.clock.pending]).toEqual([2, 1]);
  });

  it('detects after a while that a folder further up was replaced', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('now/deep/settings.json', 'one');
    await folder.write('next/deep/settings.json', 'two');
    using seen = await watched([file]);
    await rename(join(folder.path, 'now'), join(folder.path, 'before'));
    await rename(join(folder.path, 'next'), join(folder.path, 'now'));
    await seen.clock.advance(5000);
    await seen.noticed();
    await writeFile(file, 'three');
    await seen.noticed();
    expect(seen.told()).toBe(2);
  });

  it('ignores changes of other files in the same folder', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('settings.json', 'one');
    using seen = await watched([file, join(folder.path, 'missing/settings.json')]);
    await folder.write('other.json', '{}');
    await folder.write('settings.json.bak', '{}');
    await folder.write('missing/other.json', '{}');
    await readFile(file);
    await seen.watch.update([file, join(folder.path, 'missing/settings.json')]);
    expect(seen.clock.pending).toBe(1);
    expect(seen.told()).toBe(0);
  });

  it('reports a folder in the place of a file once, whatever is put into it', async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, 'settings.json');
    using seen = await watched([file]);
    await mkdir(file);
    await seen.noticed();
    await folder.write('settings.json/inside', 'x');
    await seen.watch.update([file]);
    expect([seen.told(), seen.clock.pending]).toEqual([1, 1]);
  });
});

describe('watching files through links', () => {
  it('reports a change of the file at the end of a chain of links', async () => {
    await using folder = await tempFolder();
    const target = await folder.write('dotfiles/real.json', 'one');
    const home = await folder.mkdir('home');
    await symlink('../dotfiles/real.json', join(folder.path, 'home/hop'));
    await symlink('hop', join(home, 'settings.json'));
    using seen = await watched([join(home, 'settings.json')]);

    await appendFile(target, ' more');
    await seen.noticed();
    await rename(await folder.write('dotfiles/draft', 'two'), target);
    await seen.noticed();
    await rm(target);
    await seen.noticed();
    await writeFile(target, 'three');
    await seen.noticed();
    expect(seen.told()).toBe(4);
  });

  it('reports when a link, or a linked folder, is pointed elsewhere', async () => {
    await using folder = await tempFolder();
    await folder.write('one/settings.json', 'one');
    await folder.write('two/settings.json', 'two');
    const link = join(folder.path, 'current');
    await symlink('one', link);
    using seen = await watched([join(link, 'settings.json')]);

    await symlink('two', join(folder.path, 'draft'));
    await rename(join(folder.path, 'draft'), link);
    await seen.noticed();
    await folder.write('two/settings.json', 'two and more');
    await seen.noticed();
    expect(seen.told()).toBe(2);

    await folder.write('one/settings.json', 'nobody looks here any more');
    await seen.watch.update([join(link, 'settings.json')]);
    expect([seen.told(), seen.clock.pending]).toEqual([2, 1]);
  });

  it('ends on circular links', async () => {
    await using folder = await tempFolder();
    const [a, b] = [join(folder.path, 'a'), join(folder.path, 'b')];
    await symlink('b', a);
    await symlink('a', b);
    using seen = await watched([a]);
    await unlink(b);
    await writeFile(b, 'out of the circle');
    await seen.noticed();
    expect(seen.told()).toBe(1);
  });
});

describe('a burst of file changes', () => {
  it('is reported at most twice for 50 edits, the last of them included', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('settings.json', '');
    let texts: string[] = [];
    const clock = new ManualClock();
    const reads: Promise<void>[] = [];
    using watch = watchFiles([file], {
      clock,
      onChange: () => void reads.push(readFile(file, 'utf8').then((text) => void texts.push(text))),
    });
    await watch.ready;
    for (let edit = 1; edit <= 50; edit += 1) {
      await rename(await folder.write('draft', 'x'.repeat(edit)), file);
      await watch.update([file]);
      await clock.advance(14);
    }
    await clock.advance(150);
    await Promise.all(reads);
    expect(texts.length).toBe(2);
    expect(texts.at(-1)).toBe('x'.repeat(50));
    texts = [];
    await clock.advance(60_000);
    expect(texts).toEqual([]);
  });

  it('is reported at most twice on the real clock, too', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('settings.json', '');
    let last = '';
    let told = 0;
    using watch = watchFiles([file], {
      onChange: () => {
        told += 1;
        last = readFileSync(file, 'utf8');
      },
    });
    await watch.ready;
    // Without a pause, so that a busy machine does not stretch the burst.
    for (let edit = 1; edit <= 50; edit += 1) {
      writeFileSync(join(folder.path, 'draft'), 'x'.repeat(edit));
      renameSync(join(folder.path, 'draft'), file);
    }
    await waitUntil(() => last.length === 50, { describe: 'the last edit' });
    expect(told).toBeLessThanOrEqual(2);
  });

  it('does not end the watch when the listener throws', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('settings.json', 'one');
    const logged: string[] = [];
    const logger: Logger = { log: (level, message) => void logged.push(`${level}: ${message}`) };
    const onChange = (): never => {
      throw new Error('boom');
    };
    using seen = await watched([file], { onChange, logger });
    await appendFile(file, 'more');
    await seen.noticed();
    await appendFile(file, 'more');
    await seen.noticed();
    expect(logged).toEqual(Array(2).fill('error: a listener to changed files failed'));
  });
});

describe('watching without support of the system', () => {
  it.each(['ENOSPC', 'EMFILE'])('polls twice a second after %s', async (code) => {
    await using folder = await tempFolder();
    const file = await folder.write('settings.json', 'one');
    const logged: unknown[] = [];
    using seen = await watched([file], {
      startWatch: () => {
        throw new CodedError(code, 'no more watches', { data: {} });
      },
      logger: { log: (level, message, fields) => void logged.push([level, message, fields]) },
    });
    await writeFile(file, 'changed');
    await seen.clock.advance(500);
    await seen.noticed();
    await rm(file);
    await seen.clock.advance(500);
    await seen.noticed();
    expect(seen.told()).toBe(2);
    expect(logged).toEqual([
      ['debug', 'cannot watch a folder, looking at it instead', { folder: folder.path, code }],
    ]);
  });

  it('polls from the moment that a watch fails', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('settings.json', 'one');
    let breakWatch = (): void => {};
    let starts = 0;
    using seen = await watched([file], {
      startWatch: (_, { onError }) => {
        starts += 1;
        if (starts > 1) throw new CodedError('ENOSPC', 'no more watches', { data: {} });
        breakWatch = () => onError(new CodedError('EPERM', 'gone', { data: {} }));
        return { [Symbol.dispose]: () => {} };
      },
    });
    breakWatch();
    await writeFile(file, 'changed');
    await seen.watch.update([file]);
    await seen.noticed();
    await writeFile(file, 'changed again');
    await seen.clock.advance(500);
    await seen.noticed();
    expect(seen.told()).toBe(2);
  });
});

describe('the handles of a watch', () => {
  it('are one for each folder, however many files are watched in it', async () => {
    await using folder = await tempFolder();
    const started: string[] = [];
    const ended: string[] = [];
    const startWatch: WatchFilesOptions['startWatch'] = (path) => {
      started.push(path);
      return { [Symbol.dispose]: () => void ended.push(path) };
    };
    const paths = ['a.json', 'b.json', 'deep/c.json', 'deep/er/d.json'];
    using seen = await watched(
      paths.map((path) => join(folder.path, path)),
      { startWatch },
    );
    expect(started).toEqual([folder.path]);
    await seen.watch.update([]);
    expect(ended).toEqual([folder.path]);
  });

  it('do not keep a process alive', async () => {
    const built = fileURLToPath(new URL('../../dist/platform/index.js', import.meta.url));
    const program = `
      import { watchFiles } from ${JSON.stringify(built)};
      await watchFiles([${JSON.stringify(built)}], { onChange() {} }).ready;
      console.log('watching');`;
    const args = ['--input-type=module', '--eval', program];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 });
    expect(stdout).toBe('watching\n');
  });

  it.runIf(process.platform === 'linux')('are all closed on disposal', async () => {
    await using folder = await tempFolder();
    const before = await watchesOfThisProcess();
    const files = await Promise.all(['a/1', 'b/2', 'c/3'].map((path) => folder.write(path, 'one')));
    const seen = await watched(files);
    expect(await watchesOfThisProcess()).toBe(before + 3);
    await appendFile(files[0] ?? '', 'more');
    await waitUntil(() => seen.clock.pending === 2, { describe: 'the change to be noticed' });
    seen[Symbol.dispose]();
    seen[Symbol.dispose]();
    expect(seen.clock.pending).toBe(0);
    expect(await watchesOfThisProcess()).toBe(before);
    expect(seen.told()).toBe(0);
  });

  it.runIf(process.platform === 'linux')(
    'are closed if disposal comes while they open',
    async () => {
      await using folder = await tempFolder();
      const before = await watchesOfThisProcess();
      const clock = new ManualClock();
      const watch = watchFiles([join(folder.path, 'a')], { clock, onChange: () => {} });
      watch[Symbol.dispose]();
      await watch.ready;
      expect(await watchesOfThisProcess()).toBe(before);
      const other = watchFiles([join(folder.path, 'a')], { clock, onChange: () => {} });
      const updated = other.update([await folder.write('b/c', 'x')]);
      await Promise.resolve();
      other[Symbol.dispose]();
      await updated;
      expect([await watchesOfThisProcess(), clock.pending]).toEqual([before, 0]);
    },
  );
});

/** The number of folders that the system watches for this process: Node has one descriptor for all. */
async function watchesOfThisProcess(): Promise<number> {
  const numbers = await readdir('/proc/self/fd');
  const counts = await Promise.all(
    numbers.map(async (number) => {
      const target = await readlink(`/proc/self/fd/${number}`).catch(() => '');
      if (!target.includes('inotify')) return 0;
      const info = await readFile(`/proc/self/fdinfo/${number}`, 'utf8');
      return info.split('\n').filter((line) => line.startsWith('inotify ')).length;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
