import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Scope } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { ERAS, givenWorkspace } from './given-workspace.ts';

describe.each(ERAS)('edit_file, %s', (era) => {
  verifies('AGT-08');

  it('replaces the single occurrence of the text', async () => {
    await using scope = new Scope();
    const { folder, root, call } = await givenWorkspace(scope, { era });
    await folder.write('tree/a.ts', 'one\ntwo\nthree\n');
    const edit = { path: 'a.ts', old_text: 'two\n', new_text: 'zwei $& $1\n2\n' };
    expect(await call('edit_file', edit)).toEqual({
      isError: false,
      text: 'Edited a.ts at line 2: 2 lines added, 1 removed.',
      data: {
        path: 'a.ts',
        replacements: 1,
        lines: [2],
        lines_added: 2,
        lines_removed: 1,
        diff: '@@ -1,3 +1,4 @@\n one\n-two\n+zwei $& $1\n+2\n three\n',
      },
    });
    expect(await folder.read('tree/a.ts')).toBe('one\nzwei $& $1\n2\nthree\n');
    expect(await readdir(root)).toEqual(['a.ts']);
  });

  it('reports the number of occurrences, and replaces all if requested', async () => {
    await using scope = new Scope();
    const { folder, call } = await givenWorkspace(scope, { era });
    await folder.write('tree/a.ts', 'x = 1\ny = 1\nz = 1\n');
    const edit = { path: 'a.ts', old_text: '= 1', new_text: '= 2' };
    expect(await call('edit_file', edit)).toMatchObject({
      isError: true,
      text:
        '"a.ts": old_text is there 3 times (at lines 1, 2, 3); give more of the lines around the one you mean, or set ' +
        'replace_all',
    });
    expect(await call('edit_file', { ...edit, replace_all: true })).toMatchObject({
      isError: false,
      text: 'Edited a.ts in 3 places: 3 lines added, 3 removed.',
      data: { replacements: 3, lines: [1, 2, 3] },
    });
    expect(await folder.read('tree/a.ts')).toBe('x = 2\ny = 2\nz = 2\n');
  });

  it('shows the place that was probably meant', async () => {
    await using scope = new Scope();
    const { folder, call } = await givenWorkspace(scope, { era });
    await folder.write('tree/a.ts', 'function a() {\n\treturn 1;\n}\n');
    const edit = { path: 'a.ts', old_text: 'function a() {\n  return 1;\n}', new_text: 'x' };
    expect((await call('edit_file', edit)).text).toBe(
      '"a.ts": old_text is not in the file; but lines 1 to 3 differ from it only in spaces or tabs:\n' +
        'function a() {\n\treturn 1;\n}',
    );
  });
});

describe('edit_file', () => {
  verifies('AGT-08');

  it('keeps the line endings and the byte order mark of a file', async () => {
    await using scope = new Scope();
    const { folder, call } = await givenWorkspace(scope);
    await folder.write('tree/dos.txt', '\uFEFFone\r\ntwo\r\nthree\r\n');
    const edit = { path: 'dos.txt', old_text: 'one\ntwo\n', new_text: 'eins\nzwei\n' };
    expect((await call('edit_file', edit)).isError).toBe(false);
    expect(await folder.read('tree/dos.txt')).toBe('\uFEFFeins\r\nzwei\r\nthree\r\n');
  });

  it.each([
    ['a NUL', Buffer.from([0x61, 0, 0x62])],
    ['bytes that are no UTF-8', Buffer.from([0x61, 0xff, 0x62])],
    ['UTF-16', Buffer.from('\uFEFFab', 'utf16le')],
  ])('does not change a file with %s', async (_, bytes) => {
    await using scope = new Scope();
    const { root, call } = await givenWorkspace(scope);
    await writeFile(join(root, 'a.bin'), bytes);
    const answer = await call('edit_file', { path: 'a.bin', old_text: 'a', new_text: 'c' });
    expect(answer).toMatchObject({
      isError: true,
      text: '"a.bin": it is not text in UTF-8; use run_command or write_file',
    });
    expect(await readFile(join(root, 'a.bin'))).toEqual(bytes);
  });

  it.each([
    [
      { path: 'none.txt', old_text: 'a', new_text: 'b' },
      'there is no such file; write_file creates one',
    ],
    [{ path: 'no/such/folder', old_text: 'a', new_text: 'b' }, 'there is no such file'],
    [{ path: 'a.txt', old_text: '', new_text: 'b' }, 'old_text is empty'],
    [{ path: 'a.txt', old_text: 'a', new_text: 'a' }, 'old_text and new_text are the same'],
    [{ path: 'a.txt', old_text: 'zebra', new_text: 'a' }, 'read the file and copy it exactly'],
    [{ path: '../a.txt', old_text: 'a', new_text: 'b' }, 'it leads out of the working directory'],
    [{ path: '.git/config', old_text: 'a', new_text: 'b' }, 'what git keeps in .git'],
  ])('refuses %j', async (edit, words) => {
    await using scope = new Scope();
    const { folder, root, call } = await givenWorkspace(scope);
    await folder.write('tree/a.txt', 'a');
    const answer = await call('edit_file', edit);
    expect(answer).toMatchObject({
      isError: true,
      text: expect.stringContaining(words) as unknown,
    });
    expect(await readdir(root)).toEqual(['a.txt']);
    expect(await folder.read('tree/a.txt')).toBe('a');
  });

  it('does not overwrite what another program writes at the same moment', async () => {
    await using scope = new Scope();
    let meddle = async (): Promise<void> => {};
    const seams = { beforeRename: () => meddle() };
    const { folder, root, call } = await givenWorkspace(scope, { seams });
    await folder.write('tree/a.txt', 'mine');
    meddle = async () => void (await folder.write('tree/a.txt', 'mine, and theirs'));
    const answer = await call('edit_file', { path: 'a.txt', old_text: 'mine', new_text: 'new' });
    expect(answer).toMatchObject({
      isError: true,
      text: expect.stringContaining('another program changed it at this moment') as unknown,
    });
    expect(await folder.read('tree/a.txt')).toBe('mine, and theirs');
    expect(await readdir(root)).toEqual(['a.txt']);
  });

  it('reads the file again for each edit, so that concurrent edits of one file all apply', async () => {
    await using scope = new Scope();
    const { folder, call } = await givenWorkspace(scope);
    const names = Array.from({ length: 20 }, (_, index) => `<${index}>`);
    await folder.write('tree/a.txt', names.join('\n'));
    const answers = await Promise.all(
      names.map((name) =>
        call('edit_file', { path: 'a.txt', old_text: name, new_text: `${name}!` }),
      ),
    );
    expect(answers.filter(({ isError }) => isError)).toEqual([]);
    expect(await folder.read('tree/a.txt')).toBe(names.map((name) => `${name}!`).join('\n'));
  });
});
