import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import {
  approveNotes,
  declineNotes,
  type FolderNotes,
  readFolderNotes,
  revokeNotes,
} from '../../src/admission/folder-notes.ts';
import { testEnvironment } from '../config/test-environment.ts';

async function place(folder: TempFolder, name = 'project') {
  const environment = testEnvironment(folder.path);
  const root = await folder.mkdir(name);
  const read = async (...files: readonly string[]) => {
    const paths = files.map((file) => join(root, file));
    const notes = await readFolderNotes(environment, { root, paths });
    return notes.flatMap((one) => (one.ok ? [one.value] : []));
  };
  const write = async (text: string, file = 'AGENTS.md'): Promise<FolderNotes> => {
    await mkdir(join(root, file, '..'), { recursive: true });
    await writeFile(join(root, file), text);
    const [notes] = await read(file);
    if (notes === undefined) throw new Error('it cannot be read');
    return notes;
  };
  return { environment, root, read, write };
}

describe('the instructions of a folder', () => {
  verifies('POL-14');

  it('apply once approved, as long as their content is the same', async () => {
    await using folder = await tempFolder();
    const { environment, root, write } = await place(folder);
    const notes = await write('a\nb\nc\n');
    expect(notes).toEqual({
      name: 'AGENTS.md',
      root,
      text: 'a\nb\nc\n',
      standing: { kind: 'unknown' },
    });
    await approveNotes(environment, notes);
    expect((await write('a\nb\nc\n')).standing).toEqual({ kind: 'approved' });
    expect((await write('a\nnew\nc\nmore\n')).standing).toMatchObject({
      kind: 'changed',
      newLines: new Set([1, 3]),
      gone: 1,
    });
    // One more space is another text.
    expect((await write('a\nb\nc\n ')).standing.kind).toBe('changed');
    expect((await write('a\nb\nc\n')).standing.kind).toBe('approved');
    await revokeNotes(environment, notes);
    expect((await write('a\nb\nc\n')).standing.kind).toBe('unknown');
  });

  it('list the new lines only if there were not too many to keep', async () => {
    await using folder = await tempFolder();
    const { environment, write } = await place(folder);
    const long = Array.from({ length: 2000 }, (_, index) => `line ${index}`).join('\n');
    await approveNotes(environment, await write(long));
    expect((await write(long)).standing).toEqual({ kind: 'approved' });
    const { standing } = await write(`${long}\nnew`);
    expect(standing).toMatchObject({ kind: 'changed', gone: 0 });
    expect(standing).not.toHaveProperty('newLines');
  });

  it('are approved by name and by folder, and one by one', async () => {
    await using folder = await tempFolder();
    const here = await place(folder, 'here');
    const there = await place(folder, 'there');
    await approveNotes(here.environment, await here.write('same'));
    await here.write('same', 'web/AGENTS.md');
    const notes = await here.read('AGENTS.md', 'missing.md', 'web/AGENTS.md');
    expect(notes.map(({ name, standing }) => [name, standing.kind])).toEqual([
      ['AGENTS.md', 'approved'],
      ['web/AGENTS.md', 'unknown'],
    ]);
    expect((await there.write('same')).standing.kind).toBe('unknown');
  });

  it('are not asked about again after a denial until they change, and apply after a later approval', async () => {
    await using folder = await tempFolder();
    const { environment, write } = await place(folder);
    await declineNotes(environment, await write('one'));
    expect((await write('one')).standing).toEqual({ kind: 'declined' });
    expect((await write('two')).standing).toEqual({ kind: 'unknown' });
    await approveNotes(environment, await write('one'));
    expect((await write('one')).standing).toEqual({ kind: 'approved' });
  });

  it('cannot contain their own approval', async () => {
    await using folder = await tempFolder();
    const { environment, root } = await place(folder);
    const inside = { ...environment, paths: { ...environment.paths, state: join(root, '.state') } };
    const notes = { name: 'AGENTS.md', root, text: 'x' };
    expect(await approveNotes(inside, notes)).toMatchObject({
      error: { kind: 'store-in-project' },
    });
  });
});
