import { ManualClock, tempFolder } from '@plugboard/testkit';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppendFile } from '../../src/platform/append-file.ts';

function fileAt(path: string, clock: ManualClock, problems: string[] = []): AppendFile {
  return new AppendFile({
    path,
    maxBytes: 100,
    clock,
    onUnwritable: (code) => void problems.push(code),
  });
}

describe('a file that is appended to', () => {
  it('is written in one piece after a moment, readable by the owner only', async () => {
    await using folder = await tempFolder();
    const clock = new ManualClock();
    const path = join(folder.path, 'deep/log');
    const file = fileAt(path, clock);
    file.append({ n: 1 });
    file.append({ n: 2 });
    await expect(stat(path)).rejects.toThrow('ENOENT');
    await clock.advance(250);
    await file.flush();
    expect(await folder.read('deep/log')).toBe('{"n":1}\n{"n":2}\n');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(clock.pending).toBe(0);
  });

  it('continues where an earlier run ended', async () => {
    await using folder = await tempFolder();
    const clock = new ManualClock();
    for (const n of [1, 2]) {
      const file = fileAt(join(folder.path, 'log'), clock);
      file.append({ n });
      await file.flush();
    }
    expect(await folder.read('log')).toBe('{"n":1}\n{"n":2}\n');
  });

  it('continues on a line of its own where another process was cut off', async () => {
    await using folder = await tempFolder();
    const file = fileAt(join(folder.path, 'log'), new ManualClock());
    await folder.write('log', '{"n":1}\n{"n":');
    for (const n of [3, 4]) {
      file.append({ n });
      await file.flush();
    }
    expect(await folder.read('log')).toBe('{"n":1}\n{"n":\n{"n":3}\n{"n":4}\n');
  });

  it('is rotated when full, with two files at most', async () => {
    await using folder = await tempFolder();
    const file = fileAt(join(folder.path, 'log'), new ManualClock());
    for (const text of ['a', 'b', 'c']) {
      file.append({ text: text.repeat(80) });
      await file.flush();
    }
    expect((await readdir(folder.path)).toSorted()).toEqual(['log', 'log.1']);
    expect([await folder.read('log.1'), await folder.read('log')]).toEqual([
      expect.stringContaining('bbb'),
      expect.stringContaining('ccc'),
    ]);
  });

  it('reports once that it cannot be written, and leaves nothing behind', async () => {
    await using folder = await tempFolder();
    await folder.write('taken', 'a file where a folder should be');
    const problems: string[] = [];
    const clock = new ManualClock();
    const file = fileAt(join(folder.path, 'taken/log'), clock, problems);
    for (const n of [1, 2]) {
      file.append({ n });
      await file.flush();
    }
    expect([problems.length, clock.pending]).toEqual([1, 0]);
  });

  it('is tried again after a minute, when its disk may have room again', async () => {
    await using folder = await tempFolder();
    await folder.write('taken', 'a file where a folder should be');
    const problems: string[] = [];
    const clock = new ManualClock();
    const file = fileAt(join(folder.path, 'taken/log'), clock, problems);
    const say = async (n: number): Promise<void> => {
      file.append({ n });
      await file.flush();
    };
    await say(1);
    await clock.advance(60_000);
    await say(2);
    await rm(join(folder.path, 'taken'));
    await clock.advance(59_999);
    await say(3);
    await clock.advance(1);
    await say(4);
    await say(5);
    expect(await folder.read('taken/log')).toBe('{"n":4}\n{"n":5}\n');
    expect([problems.length, clock.pending]).toEqual([1, 0]);
  });
});
