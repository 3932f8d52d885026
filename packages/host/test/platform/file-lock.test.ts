import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { systemClock } from '@plugboard/base';
import { ManualClock, overTime, tempFolder, times, verifies, waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { enter, withFileLock } from '../../src/platform/file-lock.ts';
import { ownIdentity } from '@plugboard/base/platform';
import { firstLine } from './started-programs.ts';

const COUNTING = fileURLToPath(new URL('./fixtures/counting.mjs', import.meta.url));
const HOLDING = fileURLToPath(new URL('./fixtures/holding.mjs', import.meta.url));
const NOBODY = 65_534;

const lockOf = (file: string): string => `${file}.plugboard-lock`;
/** A process number above all that Linux gives out. */
const NO_SUCH_PROCESS = 4_194_305;

interface Note {
  readonly pid?: number;
  readonly start?: number | 'x';
  readonly realm?: string;
}

/** Leaves a lock as a process of this description would. */
async function leaveLock(file: string, note: Note = {}): Promise<string> {
  const { pid = NO_SUCH_PROCESS, start = 1, realm = ownIdentity().realm } = note;
  await mkdir(lockOf(file));
  const path = join(lockOf(file), `${pid}-${start}-${realm}-0123456789abcdef`);
  await writeFile(path, '');
  return path;
}

async function holder(file: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [HOLDING, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  expect(await firstLine(child.stdout)).toBe('held');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function counting(file: string, updates: number): Promise<number | null> {
  const child = spawn(process.execPath, [COUNTING, file, String(updates)], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

class CountingClock extends ManualClock {
  timers = 0;

  override after(ms: number, task: () => void): Disposable {
    this.timers += 1;
    return super.after(ms, task);
  }
}

const UPDATES = times(10, 25);

describe('a lock between processes', () => {
  verifies('CFG-14');

  it('loses no update of eight processes that all write at once', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('count', '0');
    const codes = await Promise.all(Array.from({ length: 8 }, () => counting(file, UPDATES)));
    const sum = String(8 * UPDATES);
    expect([codes, await folder.read('count')]).toEqual([Array(8).fill(0), sum]);
    expect(await readdir(folder.path)).toEqual(['count']);
  });

  it('loses no update, whichever process is killed in the middle', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 4 }),
        async (shares) => {
          await using folder = await tempFolder();
          const file = await folder.write('count', '0');
          const killed = await holder(file);
          const working = Promise.all(shares.map((share) => counting(file, share)));
          // Killed while some wait for it and others are still starting.
          await kill(killed);
          expect(await working).toEqual(shares.map(() => 0));
          const sum = shares.reduce((total, share) => total + share, 0);
          expect(await folder.read('count')).toBe(String(sum));
          expect(await readdir(folder.path)).toEqual(['count']);
        },
      ),
      { numRuns: times(2, 5) },
    );
  });

  it('is given to exactly one of many that find the lock of a killed process', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('count', '0');
    await kill(await holder(file));
    expect(await readdir(lockOf(file))).toHaveLength(1);
    const codes = await Promise.all(Array.from({ length: 6 }, () => counting(file, 1)));
    expect([codes, await folder.read('count')]).toEqual([Array(6).fill(0), '6']);
  });

  it('is never held twice, even if many try at the same moment', async () => {
    await using folder = await tempFolder();
    const lock = join(folder.path, 'lock');
    const { pid, start = 'x', realm } = ownIdentity();
    const contenders = ['0', '1', '2', '3'].map((digit) => digit.repeat(16));
    const held: number[] = [];
    for (let round = 0; round < times(30, 100); round += 1) {
      // All find the folder of a killed process, so that none of them has created it.
      await mkdir(lock);
      const entered = await Promise.all(
        contenders.map((token) => {
          const own = `${pid}-${start}-${realm}-${token}`;
          return enter({ folder: lock, own, clock: systemClock, wasEmpty: true });
        }),
      );
      held.push(entered.filter(({ kind }) => kind === 'held').length);
      await rm(lock, { recursive: true, force: true });
    }
    expect(held.filter((count) => count > 1)).toEqual([]);
  });

  it('waits for a living holder, and names it at the timeout', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('file', '');
    const living = await holder(file);
    const clock = new ManualClock();
    const work = withFileLock(file, { clock, timeoutMs: 5000 }, () => Promise.resolve('done'));
    await expect(overTime(clock, work)).rejects.toMatchObject({
      code: 'file-locked',
      message: `process ${living.pid} has kept ${file} locked for 5000 ms: wait for it to end, or delete ${lockOf(file)} if nothing works on the file`,
      data: { path: file, lock: lockOf(file), holder: living.pid, waitedMs: 5000 },
    });
    expect(clock.pending).toBe(0);
    await kill(living);
    expect(await withFileLock(file, {}, () => Promise.resolve('done'))).toBe('done');
    expect(await readdir(folder.path)).toEqual(['file']);
  });

  it('is waited for as long as it changes hands', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('file', '');
    const { pid, start = 'x' } = ownIdentity();
    let left = await leaveLock(file, { pid, start });
    const clock = new CountingClock();
    let isDone = false;
    const working = withFileLock(file, { clock, timeoutMs: 60_000 }, () => {
      isDone = true;
      return Promise.resolve('done');
    });
    for (let turn = 0; turn < 4; turn += 1) {
      const next = left.replace(/.{16}$/, String(turn).repeat(16));
      await rename(left, next);
      left = next;
      const polls = clock.timers + 2;
      await waitUntil(
        async () => {
          await clock.advance(40);
          return clock.timers >= polls;
        },
        { describe: 'two looks at the lock' },
      );
      await clock.advance(30_000);
    }
    expect([isDone, clock.elapsed() > 100_000]).toEqual([false, true]);
    await rm(left);
    expect(await overTime(clock, working, 40)).toBe('done');
  });

  it('is given up when the caller aborts', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('file', '');
    const living = await holder(file);
    const clock = new ManualClock();
    const leaving = new AbortController();
    const { signal } = leaving;
    const work = withFileLock(file, { clock, signal }, () => Promise.resolve());
    await waitUntil(() => clock.pending > 1, { describe: 'the wait' });
    leaving.abort(new Error('enough'));
    await expect(work).rejects.toThrow('enough');
    expect(clock.pending).toBe(0);
    await kill(living);
  });
});

describe('an abandoned lock', () => {
  it.each([
    ['of a process that is gone', {}],
    ['of a process whose number another one has now', { pid: process.pid, start: 1 }],
  ] satisfies [string, Note][])('is taken: %s', async (_, note) => {
    await using folder = await tempFolder();
    const file = await folder.write('file', '');
    await leaveLock(file, note);
    expect(await withFileLock(file, {}, () => Promise.resolve('done'))).toBe('done');
    expect(await readdir(folder.path)).toEqual(['file']);
  });

  it('is taken if it is an empty folder', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('file', '');
    await mkdir(lockOf(file));
    expect(await withFileLock(file, {}, () => Promise.resolve('done'))).toBe('done');
    expect(await readdir(folder.path)).toEqual(['file']);
  });

  const unknowable: [string, Note][] = [
    ['of another machine', { realm: 'abcdefabcdef' }],
    ['of a running process whose start is not known', { pid: process.pid, start: 'x' }],
  ];

  it.each(unknowable)('is kept at first: %s', async (_, note) => {
    await using folder = await tempFolder();
    const file = await folder.write('file', '');
    const { pid } = note;
    const left = await leaveLock(file, note);
    const clock = new ManualClock();
    await utimes(left, clock.now() / 1000, clock.now() / 1000);
    const working = withFileLock(file, { clock, timeoutMs: 20_000 }, () => Promise.resolve());
    await expect(overTime(clock, working)).rejects.toMatchObject({
      code: 'file-locked',
      data: { holder: pid ?? NO_SUCH_PROCESS },
    });
    expect(await readdir(lockOf(file))).toHaveLength(1);
  });

  it.each(unknowable)('is taken after half a minute: %s', async (_, note) => {
    await using folder = await tempFolder();
    const file = await folder.write('file', '');
    const left = await leaveLock(file, note);
    const aWhileAgo = systemClock.now() / 1000 - 31;
    await utimes(left, aWhileAgo, aWhileAgo);
    expect(await withFileLock(file, {}, () => Promise.resolve('done'))).toBe('done');
    expect(await readdir(folder.path)).toEqual(['file']);
  });
});

describe('callers of a lock in one process', () => {
  it('are served in the order of their requests, by whatever path to the file', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('real/file', '');
    await symlink('real/file', join(folder.path, 'link'));
    await symlink('real', join(folder.path, 'way'));
    const ways = [file, join(folder.path, 'link'), join(folder.path, 'way/file')];
    const said: string[] = [];
    await Promise.all(
      ways.map(async (way, index) =>
        withFileLock(way, {}, async () => {
          said.push(`in ${index}`);
          expect(await readdir(join(folder.path, 'real'))).toEqual(['file', 'file.plugboard-lock']);
          said.push(`out ${index}`);
        }),
      ),
    );
    expect(said).toHaveLength(6);
    expect(said.filter((_, index) => index % 2 === 0).map((text) => text.slice(3))).toEqual(
      said.filter((_, index) => index % 2 === 1).map((text) => text.slice(4)),
    );
    expect(await readdir(join(folder.path, 'real'))).toEqual(['file']);
  });

  it('learn that their own process holds the lock', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('file', '');
    const clock = new ManualClock();
    const nested = withFileLock(file, {}, () =>
      overTime(
        clock,
        withFileLock(file, { clock }, () => Promise.resolve()),
      ),
    );
    await expect(nested).rejects.toMatchObject({ data: { holder: process.pid } });
    expect(await readdir(folder.path)).toEqual(['file']);
  });

  it('leave no lock behind when the work fails', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('file', '');
    const failing = withFileLock(file, {}, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(await readdir(folder.path)).toEqual(['file']);
  });
});

describe('a lock that cannot be made', () => {
  it('fails as writing the file would', async () => {
    await using folder = await tempFolder();
    const path = join(folder.path, 'missing/file');
    const locking = withFileLock(path, {}, () => Promise.resolve());
    await expect(locking).rejects.toMatchObject({
      code: 'write-failed',
      data: { path, code: 'ENOENT' },
    });
  });

  it('leaves no folder if the disk is full', async () => {
    await using folder = await tempFolder();
    const lock = lockOf(join(folder.path, 'file'));
    // Too long for any disk, which fails like a full disk.
    const own = 'n'.repeat(300);
    const entering = enter({ folder: lock, own, clock: systemClock, wasEmpty: false });
    await expect(entering).rejects.toThrow('ENAMETOOLONG');
    expect(await readdir(folder.path)).toEqual([]);
  });

  it('fails as writing would in a folder that is not writable', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('folder/file', '0');
    await chmod(folder.path, 0o755);
    await chmod(join(folder.path, 'folder'), 0o555);
    const isRoot = process.getuid?.() === 0;
    const child = spawn(process.execPath, [COUNTING, file, '1'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      // The administrator may write everywhere.
      ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
    });
    const [stderr, [code]] = await Promise.all([
      child.stderr.toArray().then((chunks) => Buffer.concat(chunks as Buffer[]).toString()),
      once(child, 'exit') as Promise<[number]>,
    ]);
    expect(stderr).toContain(`cannot write ${file}: EACCES`);
    expect([code, await readFile(file, 'utf8')]).toEqual([1, '0']);
    await chmod(join(folder.path, 'folder'), 0o755);
  });
});

describe('a lock folder that an attacker has prepared', () => {
  it('is not followed if it is a link: nothing is removed at its target', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('file', '');
    const left = await leaveLock(await folder.write('victim/other', ''));
    await symlink(lockOf(join(folder.path, 'victim/other')), lockOf(file));
    const clock = new ManualClock();
    const working = withFileLock(file, { clock }, () => Promise.resolve());
    await expect(overTime(clock, working)).rejects.toMatchObject({ code: 'file-locked' });
    expect((await lstat(left)).isFile()).toBe(true);
    expect((await lstat(lockOf(file))).isSymbolicLink()).toBe(true);
  });

  it('loses nothing but lock files', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('file', '');
    await leaveLock(file);
    await folder.write('file.plugboard-lock/notes.txt', 'mine');
    expect(await withFileLock(file, {}, () => Promise.resolve('done'))).toBe('done');
    expect(await readdir(lockOf(file))).toEqual(['notes.txt']);
  });

  it('is an obstacle if it is a file', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('file', '');
    await folder.write('file.plugboard-lock', 'mine');
    const clock = new ManualClock();
    const working = withFileLock(file, { clock }, () => Promise.resolve());
    await expect(overTime(clock, working)).rejects.toMatchObject({
      data: { holder: undefined, lock: lockOf(file) },
    });
    expect(await readFile(lockOf(file), 'utf8')).toBe('mine');
  });
});
