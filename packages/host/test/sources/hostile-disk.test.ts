// Objects in place of files, files that disappear while they are read or may not be read, and disks that cannot be
// written.

import { execFile } from 'node:child_process';
import {
  chmod,
  chown,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { scriptedServer, type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { readConfigFile } from '../../src/config/files/read-file.ts';
import { expectSound, hostilePlace, loadHostile, placeIn, PLACES } from './hostile-place.ts';

const run = promisify(execFile);
const USING = fileURLToPath(new URL('fixtures/using-here.mjs', import.meta.url));

type Spoil = (path: string) => Promise<unknown>;

const SPOILT: readonly (readonly [string, Spoil])[] = [
  ['a folder', (path) => mkdir(path)],
  ['a folder full of folders', (path) => mkdir(join(path, 'a/b/c'), { recursive: true })],
  ['a pipe without a writer', (path) => run('mkfifo', [path])],
  ['a device without an end', (path) => symlink('/dev/zero', path)],
  ['a device that blocks', (path) => symlink('/dev/tty', path)],
  ['a link to itself', (path) => symlink(path, path)],
  ['a link to the folder it is in', (path) => symlink('.', path)],
  ['a link to nothing', (path) => symlink('/no/such/file', path)],
  ['a file without an end', (path) => symlink('/proc/self/mem', path)],
  ['a file with holes, of 100 GB', (path) => sparse(path)],
];

async function sparse(path: string): Promise<void> {
  const file = await open(path, 'w');
  await file.truncate(100 * 1024 ** 3);
  await file.close();
}

describe('a hostile object in place of any configuration file', () => {
  verifies('CFG-06');

  it.each(SPOILT)(
    'such as %s is reported if it matters, and hides no other server',
    async (_, spoil) => {
      await using folder = await tempFolder();
      await hostilePlace(folder);
      for (const place of PLACES) {
        const path = join(folder.path, placeIn(folder, place));
        await mkdir(dirname(path), { recursive: true });
        await spoil(path);
        expectSound(await loadHostile(folder));
        await rm(path, { recursive: true, force: true });
      }
    },
  );

  it.each([
    ['project/.plugboard', 'project/.plugboard'],
    ['project/.claude', '..'],
    ['project/.plugboard/plugins', '.'],
    ['home/.config/plugboard/plugins/x', '..'],
    ['home/.config/plugboard/plugins/x', 'x'],
    ['home/.cache', 'home/.cache'],
    ['home/.local', '/dev/null'],
  ])('such as a link %s to %s is not followed without end', async (place, target) => {
    await using folder = await tempFolder();
    await hostilePlace(folder);
    const path = join(folder.path, place);
    await mkdir(dirname(path), { recursive: true });
    await symlink(target.includes('/') && !target.startsWith('/') ? path : target, path);
    expectSound(await loadHostile(folder));
  });
});

describe('a file that is created, removed and replaced while it is read', () => {
  verifies('CFG-06');

  it('is either read completely or missing, each time', async () => {
    await using folder = await tempFolder();
    const path = join(folder.path, '.mcp.json');
    const text = JSON.stringify({ mcpServers: { s: { command: 's' } } });
    const changes: readonly (() => Promise<unknown>)[] = [
      () => writeFile(`${path}.new`, text).then(() => rename(`${path}.new`, path)),
      () => unlink(path),
      () => mkdir(path),
      () => rm(path, { recursive: true }),
      () => symlink('/dev/zero', path),
      () => unlink(path),
    ];
    const over = new AbortController();
    const changing = (async () => {
      for (let turn = 0; !over.signal.aborted; turn += 1) await changes[turn % changes.length]?.();
    })();
    const file = { path, scope: 'project', format: 'mcp-json', folder: folder.path } as const;
    const seen = new Set<string>();
    const possible = [
      'The file cannot be read (NOT_A_FILE).',
      'This is a folder, not a file.',
      'missing',
      'read',
    ];
    const isSeen = (): boolean => possible.every((what) => seen.has(what));
    for (let reading = 0; reading < 500 || !isSeen(); reading += 1) {
      const read = await readConfigFile(file);
      const what = read.state === 'invalid' ? read.cause.message : read.state;
      seen.add(what);
    }
    over.abort();
    await changing;
    expect([...seen.keys()].toSorted()).toEqual(possible);
  });

  it('affects no other server when the whole project disappears', async () => {
    await using folder = await tempFolder();
    await hostilePlace(folder);
    const text = JSON.stringify({ mcpServers: { s: { command: 's', envFile: '.env' } } });
    const plugin = 'project/.plugboard/plugins/p';
    const over = new AbortController();
    const changing = (async () => {
      while (!over.signal.aborted) {
        await folder.write('project/.mcp.json', text);
        await folder.write('project/.env', 'A=1');
        await folder.write(`${plugin}/plugin.json`, '{ "name": "p" }');
        await folder.write(`${plugin}/.mcp.json`, text);
        await rm(join(folder.path, 'project'), { recursive: true, force: true });
      }
    })();
    for (let reading = 0; reading < 60; reading += 1) expectSound(await loadHostile(folder));
    over.abort();
    await changing;
  });
});

/** A user who may not read files of root. Without root, the files lose their permissions instead. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

async function use(folder: TempFolder, server?: string): Promise<unknown> {
  const { stdout } = await run(
    process.execPath,
    [USING, ...(server === undefined ? [] : [server])],
    {
      cwd: join(folder.path, 'project'),
      env: { PATH: process.env['PATH'], HOME: join(folder.path, 'home') },
      ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
    },
  );
  return JSON.parse(stdout);
}

/** Readable by all, writable by root only; a closed file is readable by none. */
async function closeFolder(path: string): Promise<void> {
  const items = await readdir(path, { withFileTypes: true });
  for (const item of items) {
    const inner = join(path, item.name);
    if (item.isDirectory()) await closeFolder(inner);
    else await chmod(inner, 0o444);
  }
  await chmod(path, 0o555);
}

async function openFolder(path: string): Promise<void> {
  await chmod(path, 0o755);
  for (const item of await readdir(path, { withFileTypes: true })) {
    if (item.isDirectory()) await openFolder(join(path, item.name));
  }
}

describe('files of another user', () => {
  verifies('CFG-06');

  it('that are not readable are reported, and other files count', async () => {
    await using folder = await tempFolder();
    const mcpServers = { good: scriptedServer() };
    await folder.mkdir('project/.git');
    await folder.write('home/.claude/settings.json', JSON.stringify({ mcpServers }));
    const closed = await folder.write('project/.mcp.json', '{}');
    await chmod(closed, 0o000);
    const hidden = await folder.mkdir('project/.plugboard');
    await folder.write('project/.plugboard/settings.json', '{}');
    await chmod(hidden, 0o000);
    await chmod(folder.path, 0o755);
    const found = await use(folder);
    await chmod(hidden, 0o755);
    const message = 'The file cannot be read (EACCES).';
    expect(found).toEqual({
      servers: ['good'],
      diagnostics: [join(hidden, 'settings.local.json'), closed, join(hidden, 'settings.json')].map(
        (file) => ({ code: 'file-unreadable', file, message }),
      ),
    });
  });
});

describe('a disk that is not writable', () => {
  it('prevents no server from being used', async () => {
    await using folder = await tempFolder();
    await folder.mkdir('project/.git');
    const mcpServers = { good: scriptedServer({ builtIns: ['echo'] }) };
    await folder.write('home/.claude/settings.json', JSON.stringify({ mcpServers }));
    await closeFolder(folder.path);
    const found = await use(folder, 'good');
    await openFolder(folder.path);
    expect(found).toEqual({ servers: ['good'], diagnostics: [], outcome: 'result' });
  });

  it('ignores approvals of another user', async () => {
    verifies('CFG-11');
    await using folder = await tempFolder();
    await folder.mkdir('project/.git');
    await folder.write(
      'project/.mcp.json',
      JSON.stringify({ mcpServers: { s: { command: 's' } } }),
    );
    const store = await folder.write('home/.local/state/plugboard/trust.json', '{}');
    if (isRoot) await chown(store, 0, 0);
    else await chmod(store, 0o666);
    await closeFolder(folder.path);
    if (!isRoot) await chmod(store, 0o666);
    const found = await use(folder);
    await openFolder(folder.path);
    expect(found).toMatchObject({
      servers: ['s'],
      diagnostics: [{ code: 'file-untrusted', file: store }],
    });
  });
});
