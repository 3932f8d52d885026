// Every edit of a file: no content is lost, whatever else happens at the same time.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  symlink,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { err } from '@plugboard/base';
import { ManualClock, tempFolder, verifies, waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { applyEdit, edited } from '../../../src/config/edit/apply-edit.ts';
import { setField } from '../../../src/config/edit/edit-field.ts';
import { addServer, removeServer, withServer } from '../../../src/config/edit/edit-file.ts';
import { withFileLock } from '../../../src/platform/index.ts';

const fixture = (name: string): string =>
  fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));
const NOBODY = 65_534;
const PATH = process.env['PATH'];

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
}

async function run(
  command: string,
  args: readonly string[],
  options: { readonly uid?: number; readonly gid?: number } = {},
): Promise<Ran> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH },
    ...options,
  });
  const [chunks, [code]] = await Promise.all([
    child.stdout.toArray() as Promise<Buffer[]>,
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, stdout: Buffer.concat(chunks).toString() };
}

function namesIn(text: string): string[] {
  const { mcpServers } = JSON.parse(text) as { mcpServers: Record<string, unknown> };
  return Object.keys(mcpServers);
}

describe('two processes that edit one file at once', () => {
  verifies('CFG-14');

  it.each(['.mcp.json', 'new/folder/settings.json'])(
    'keep the servers of each other: %s',
    async (path) => {
      await using folder = await tempFolder();
      const file = join(folder.path, path);
      const adding = (prefix: string): Promise<Ran> =>
        run(process.execPath, [fixture('adding.mjs'), file, prefix, '40']);
      const runs = await Promise.all([adding('a'), adding('b')]);
      expect(runs.map(({ code }) => code)).toEqual([0, 0]);
      const expected = ['a', 'b'].flatMap((prefix) =>
        Array.from({ length: 40 }, (_, index) => `${prefix}-${index}`),
      );
      expect(new Set(namesIn(await folder.read(path)))).toEqual(new Set(expected));
      expect(await readdir(join(file, '..'))).toEqual([path.split('/').at(-1)]);
    },
  );
});

describe('concurrent edits in one process', () => {
  verifies('CFG-14');

  it('keep the changes of each other: added, changed and removed', async () => {
    await using folder = await tempFolder();
    const file = await folder.write(
      '.mcp.json',
      JSON.stringify({ mcpServers: { old: { command: 'x' }, kept: { command: 'x' } } }),
    );
    await Promise.all([
      ...Array.from({ length: 20 }, (_, index) =>
        addServer({ file, name: `s${index}`, entry: { command: 'x' }, replace: 'refuse' }),
      ),
      removeServer({ file, name: 'old' }),
      setField({ file, name: 'kept', path: ['disabled'], value: true }),
    ]);
    const text = await folder.read('.mcp.json');
    expect(namesIn(text).toSorted()).toEqual(
      ['kept', ...Array.from({ length: 20 }, (_, index) => `s${index}`)].toSorted(),
    );
    expect(text).toContain('"kept":{"command":"x", "disabled": true}');
    expect(await readdir(folder.path)).toEqual(['.mcp.json']);
  });

  it('see the file as it is when their turn comes', async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, '.mcp.json');
    const add = () => addServer({ file, name: 'a', entry: { command: 'x' }, replace: 'refuse' });
    const results = await Promise.all([add(), add(), add()]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    const refusal = { ok: false, error: { kind: 'exists' } };
    expect(results.filter(({ ok }) => !ok)).toEqual([refusal, refusal]);
  });

  it('give up when another process holds the file', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('.mcp.json', '{}');
    const clock = new ManualClock();
    const result = await withFileLock(file, {}, async () => {
      const editing = applyEdit(file, (opened) => edited(`${opened.text} `, 'done'), { clock });
      await waitUntil(() => clock.pending > 0, { describe: 'the wait for the lock' });
      await clock.advance(10_000);
      return editing;
    });
    expect(result).toEqual({
      ok: false,
      error: { kind: 'locked', file, lock: `${file}.plugboard-lock`, holder: process.pid },
    });
    expect(await folder.read('.mcp.json')).toBe('{}');
  });

  it('write nothing if they change nothing', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('.mcp.json', '{}');
    const { ino } = await lstat(file);
    expect(await applyEdit(file, ({ text }) => edited(text, 'same'))).toEqual({
      ok: true,
      value: { kind: 'same' },
    });
    expect((await lstat(file)).ino).toBe(ino);
  });

  it('that are refused create neither a folder nor a lock', async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, 'missing/settings.json');
    expect(await applyEdit(file, () => err({ kind: 'exists' }))).toEqual({
      ok: false,
      error: { kind: 'exists' },
    });
    expect(await readdir(folder.path)).toEqual([]);
  });
});

describe('an edit', () => {
  verifies('CFG-14');
  const NEW = { name: 'b', entry: { command: 'x' } };

  async function edit(text: string): Promise<string> {
    await using folder = await tempFolder();
    const file = await folder.write('settings.json', text);
    const result = await applyEdit(file, (opened) => edited(withServer(opened, NEW), 'added'));
    expect(result).toEqual({ ok: true, value: { kind: 'added' } });
    return await readFile(file, 'utf8');
  }

  it.each([
    [
      'a byte order mark, Windows line ends and tabs',
      '\uFEFF{\r\n\t"mcpServers": {\r\n\t\t"a": {}\r\n\t}\r\n}\r\n',
      '\uFEFF{\r\n\t"mcpServers": {\r\n\t\t"a": {},\r\n\t\t"b": {\r\n\t\t\t"command": "x"\r\n\t\t}\r\n\t}\r\n}\r\n',
    ],
    [
      'a file without a last line end',
      '{\n "mcpServers": {\n  "a": {}\n }\n}',
      '{\n "mcpServers": {\n  "a": {},\n  "b": {\n   "command": "x"\n  }\n }\n}',
    ],
    [
      'the line ends of a file of comments',
      '\uFEFF// mine\r\n',
      '\uFEFF// mine\r\n{\r\n  "mcpServers": {\r\n    "b": {\r\n      "command": "x"\r\n    }\r\n  }\r\n}\r\n',
    ],
    [
      'a byte order mark that is all there is',
      '\uFEFF',
      '\uFEFF{\n  "mcpServers": {\n    "b": {\n      "command": "x"\n    }\n  }\n}\n',
    ],
  ])('keeps %s', async (_, before, after) => {
    expect(await edit(before)).toBe(after);
  });

  it('keeps a link: its target is edited, and locked', async () => {
    await using folder = await tempFolder();
    await folder.write('dotfiles/mcp.json', '{ "mcpServers": {} }');
    const file = join(await folder.mkdir('project'), 'settings.json');
    await symlink('../dotfiles/mcp.json', file);
    let seen: string[] = [];
    await withFileLock(file, {}, async () => {
      seen = await readdir(join(folder.path, 'dotfiles'));
    });
    expect(seen).toEqual(['mcp.json', 'mcp.json.plugboard-lock']);
    await addServer({ file, ...NEW, replace: 'refuse' });
    expect(await readlink(file)).toBe('../dotfiles/mcp.json');
    expect(namesIn(await folder.read('dotfiles/mcp.json'))).toEqual(['b']);
    expect(await readdir(join(folder.path, 'project'))).toEqual(['settings.json']);
    expect(await readdir(join(folder.path, 'dotfiles'))).toEqual(['mcp.json']);
  });
});

describe('an edit of a file of a project that is a link', () => {
  verifies('CFG-14');

  const OWN = '{ "mcpServers": {} }';
  const NEW = { name: 'b', entry: { command: 'x' } };

  /** A project with one link, and the user's own settings beside it. */
  async function linked(from: string, to: string) {
    const folder = await tempFolder();
    await folder.mkdir('project/.git');
    await folder.write('own/settings.json', OWN);
    const link = join(folder.path, 'project', from);
    await mkdir(dirname(link), { recursive: true });
    await symlink(to, link);
    return folder;
  }

  it.each([
    ['.mcp.json', '.mcp.json', '../own/settings.json'],
    ['.plugboard/settings.local.json', '.plugboard/settings.local.json', '../../own/settings.json'],
    ['.plugboard', '.plugboard/settings.json', '../own'],
    ['.mcp.json', '.mcp.json', '../own/new.json'],
    ['.mcp.json', '.mcp.json', 'inner'],
  ])('refuses the link %s of %s to %s', async (link, path, to) => {
    await using folder = await linked(link, to);
    await symlink('../own/settings.json', join(folder.path, 'project/inner'));
    const file = join(folder.path, 'project', path);
    const result = await addServer({ file, ...NEW, replace: 'refuse' });
    const place = to === '../own/new.json' ? 'own/new.json' : 'own/settings.json';
    const target = join(await realpath(folder.path), place);
    expect(result).toEqual({ ok: false, error: { kind: 'leads-out', file, target } });
    expect(await folder.read('own/settings.json')).toBe(OWN);
    expect(await readdir(join(folder.path, 'own'))).toEqual(['settings.json']);
  });

  it('follows a link that stays in the project', async () => {
    await using folder = await linked('sub/.mcp.json', '../shared.json');
    const file = join(folder.path, 'project/sub/.mcp.json');
    expect(await addServer({ file, ...NEW, replace: 'refuse' })).toMatchObject({ ok: true });
    expect(namesIn(await folder.read('project/shared.json'))).toEqual(['b']);
  });

  it('writes no ignore file through a link that leads nowhere yet', async () => {
    await using folder = await linked('.plugboard/.gitignore', '../../own/new');
    const file = join(folder.path, 'project/.plugboard/settings.local.json');
    expect(await addServer({ file, ...NEW, replace: 'refuse' })).toMatchObject({ ok: true });
    expect(await readdir(join(folder.path, 'own'))).toEqual(['settings.json']);
  });
});

describe('an edit that cannot be written', () => {
  verifies('CFG-14');

  it('leaves the old file intact if the disk is full', async () => {
    await using folder = await tempFolder();
    const text = `{ "mcpServers": {} } // ${'x'.repeat(4096)}\n`;
    const file = await folder.write('.mcp.json', text);
    // Limiting files of this process to one block has the same effect as a full disk.
    const limited = 'ulimit -f 1; exec "$@"';
    const ran = await run('sh', [
      ...['-c', limited, 'sh', process.execPath],
      ...[fixture('adding-one.mjs'), file],
    ]);
    expect(JSON.parse(ran.stdout)).toEqual({
      ok: false,
      error: { kind: 'unwritable', file, code: 'EFBIG' },
    });
    expect(await folder.read('.mcp.json')).toBe(text);
    expect(await readdir(folder.path)).toEqual(['.mcp.json']);
  });

  it('leaves the old file intact if the folder is not writable', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('folder/.mcp.json', '{}');
    await chmod(folder.path, 0o755);
    await chmod(join(folder.path, 'folder'), 0o555);
    // Root may write everywhere.
    const isRoot = process.getuid?.() === 0;
    const as = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
    const ran = await run(process.execPath, [fixture('adding-one.mjs'), file], as);
    await chmod(join(folder.path, 'folder'), 0o755);
    expect(JSON.parse(ran.stdout)).toEqual({
      ok: false,
      error: { kind: 'unwritable', file, code: 'EACCES' },
    });
    expect(await folder.read('folder/.mcp.json')).toBe('{}');
  });
});
