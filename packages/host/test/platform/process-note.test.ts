import { readdir, symlink } from 'node:fs/promises';
import { tempFolder } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { noteOwnProcess, readProcessNote } from '../../src/platform/index.ts';

describe('the note of a process', () => {
  it('identifies the process until it is disposed', async () => {
    await using folder = await tempFolder();
    const path = `${folder.path}/note.json`;
    const note = noteOwnProcess(path, { url: 'x' });
    expect(readProcessNote(path)).toMatchObject({
      kind: 'noted',
      pid: process.pid,
      facts: { url: 'x' },
    });
    note[Symbol.dispose]();
    expect(readProcessNote(path)).toEqual({ kind: 'none' });
  });

  it.runIf(process.platform === 'linux')('leaves nothing behind on a full disk', async () => {
    await using folder = await tempFolder();
    const path = `${folder.path}/note.json`;
    await symlink('/dev/full', path);
    expect(() => noteOwnProcess(path)).toThrow('ENOSPC');
    expect(await readdir(folder.path)).toEqual([]);
  });
});
