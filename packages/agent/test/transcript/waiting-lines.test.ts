import { appendFile, mkdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Scope } from '@plugboard/base';
import { tempFolder } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { WaitingLines } from '../../src/transcript/waiting-lines.ts';

/** A file that has one line, and the codes of failures to write it. */
async function givenLines(scope: Scope) {
  const folder = scope.use(await tempFolder());
  const path = join(folder.path, 'lines');
  const aside = join(folder.path, 'aside');
  const problems: string[] = [];
  const lines = new WaitingLines({
    folder: folder.path,
    path,
    state: 'new',
    onUnwritable: (where, code) => void problems.push(where === path ? code : where),
  });
  lines.add('one\n');
  await lines.settled();
  return {
    lines,
    problems,
    path,
    read: () => folder.read('lines'),
    /** A folder in the place of the file makes writing fail, like a full disk. */
    fill: async () => {
      await rename(path, aside);
      await mkdir(path);
    },
    free: async () => {
      await rmdir(path);
      await rename(aside, path);
    },
  };
}

describe('lines that wait to be written', () => {
  it('are all written once there is room, after the part that fitted on the full disk', async () => {
    await using scope = new Scope();
    const { lines, problems, path, read, fill, free } = await givenLines(scope);
    await fill();
    lines.add('two\n');
    await lines.settled();
    await free();
    await appendFile(path, 'tw');
    lines.add('three\n');
    await lines.settled();
    expect(await read()).toBe('one\ntw\ntwo\nthree\n');
    expect(problems).toEqual(['EISDIR']);
  });

  it('are reported again when it happens again', async () => {
    await using scope = new Scope();
    const { lines, problems, read, fill, free } = await givenLines(scope);
    for (const line of ['two\n', 'three\n']) {
      await fill();
      lines.add(line);
      await lines.settled();
      await free();
      await lines.settled();
    }
    expect(await read()).toBe('one\n\ntwo\n\nthree\n');
    expect(problems).toEqual(['EISDIR', 'EISDIR']);
  });
});
