import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Logger, never, systemClock } from '@plugboard/base';
import { tempFolder, type TempFolder, verifies } from '@plugboard/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRemote, RemoteClone } from '../../src/remote/index.ts';
import { callTool, openCodebase } from '../server/codebase-client.ts';
import { connectHttp } from '../server/cells.ts';
import { startCommand, startHttp } from '../server/server-process.ts';
import { commitFiles, git, type GitServer, gitServer } from './git-server.ts';

const CODE = 'export function retryDelay(n: number) {\n  return 2 ** n;\n}\n';

let place: TempFolder;
let server: GitServer;
let source: string;

beforeAll(async () => {
  place = await tempFolder();
  source = join(place.path, 'served/code');
  await commitFiles(source, { 'src/delay.ts': CODE });
  server = await gitServer(join(place.path, 'served'));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

const told: string[] = [];
const logger: Logger = {
  log: (_level, message, fields) => void told.push(`${message} ${JSON.stringify(fields)}`),
};

function clone(
  url: string,
  base: string,
  bounds: { readonly mostBytes?: number; readonly refreshMs?: number } = {},
) {
  const address = readRemote(url, [server.host, 'file:']);
  if (!address.ok) throw new Error(address.error);
  const ports = { clock: systemClock, logger, signal: never };
  return new RemoteClone(address.value, {
    base: join(place.path, base),
    ...ports,
    ...bounds,
  }).open();
}

describe('a root that is the address of a repository', () => {
  verifies('COD-25');

  it('is refused unless its host is allowed, and no request is sent', async () => {
    const before = server.requests.length;
    const url = `${server.url}/code/.git`;
    await using refused = startCommand(['--root', url, '--cache', join(place.path, 'c0')]);
    expect(await refused.ended).toBe(1);
    expect(refused.stderr()).toContain(`--allow-remote ${server.host}`);
    await expect(openCodebase({ root: url, cacheFolder: place.path })).rejects.toMatchObject({
      code: 'remote-refused',
    });
    expect(server.requests.length).toBe(before);
  });

  it('is served by the command where it is allowed, with what others named left alone', async () => {
    const home = join(place.path, 'home');
    const ran = join(place.path, 'ran');
    await mkdir(join(home, 'hooks'), { recursive: true });
    for (const hook of ['post-checkout', 'reference-transaction', 'post-merge']) {
      await writeFile(join(home, 'hooks', hook), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
    }
    const settings = `[core]\nhooksPath = ${home}/hooks\n[url "${server.url}/other/"]\ninsteadOf = ${server.url}/code/\n`;
    await writeFile(join(home, '.gitconfig'), settings);
    const url = `${server.url}/code/.git`;
    const args = ['--root', url, '--allow-remote', server.host, '--cache', join(place.path, 'c1')];
    await using started = await startHttp(args, { HOME: home });
    const client = await connectHttp('modern', started.url);
    const { data } = await callTool(client, 'search_code', { query: 'retryDelay' });
    expect(data).toMatchObject({ files: [{ path: 'src/delay.ts' }] });
    await client.close();
    expect(started.stderr()).toContain('a repository is fetched');
    expect(existsSync(ran)).toBe(false);
  });

  it('is updated at the next start, and served unchanged if that fails', async () => {
    const options = {
      roots: [{ path: `${server.url}/code/.git`, name: 'far' }, { path: join(place.path, 'home') }],
      cacheFolder: join(place.path, 'c2'),
      allowRemotes: [server.host],
    };
    await mkdir(join(place.path, 'home'), { recursive: true });
    const total = async (query: string): Promise<unknown> => {
      await using codebase = await openCodebase(options);
      return (await codebase.call('search_code', { query })).data['total'];
    };
    expect(await total('retryDelay')).toBe(1);
    await commitFiles(source, { 'src/later.ts': 'export const later = 1;\n' });
    expect(await total('later')).toBe(1);
    server.answerWith((response) => response.writeHead(500).end());
    await using away = await openCodebase(options);
    const { text } = await away.call('index_status', { wait_seconds: 100 });
    expect(text).toContain(`far: ${server.url}/code/.git is as it was fetched before`);
    expect((await away.call('search_code', { query: 'later' })).data['total']).toBe(1);
    server.answerWith(undefined);
  });

  it('does not affect the other roots if it cannot be fetched', async () => {
    await mkdir(join(place.path, 'home'), { recursive: true });
    await using codebase = await openCodebase({
      roots: [{ path: `${server.url}/missing/.git` }, { path: join(place.path, 'home') }],
      cacheFolder: join(place.path, 'c3'),
      allowRemotes: [server.host],
    });
    const { data } = await codebase.call('list_directory', {});
    expect(data).toMatchObject({
      entries: [{ name: 'home' }],
      missing_roots: [{ reason: expect.stringContaining('could not be fetched') }],
    });
  });
});

describe('fetching a repository', () => {
  verifies('COD-25');

  it('fetches the files without the history, also from this machine by file:', async () => {
    const folder = await clone(`file://${source}`, 'c4');
    expect(folder).toMatchObject({ ok: true });
    const path = folder.ok ? folder.value.path : '';
    expect(await readFile(join(path, 'src/delay.ts'), 'utf8')).toBe(CODE);
    expect(await readFile(join(path, '.git/shallow'), 'utf8')).toMatch(/^[0-9a-f]{40}\n$/);
  });

  it('fetches no submodules', async () => {
    const outer = join(place.path, 'served/outer');
    await commitFiles(outer, {
      '.gitmodules': `[submodule "inner"]\npath = inner\nurl = ${server.url}/inner/.git\n`,
    });
    git(outer, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},inner`);
    git(outer, 'commit', '--quiet', '--message', 'Add a submodule');
    expect(await clone(`${server.url}/outer/.git`, 'c5')).toMatchObject({ ok: true });
    expect(server.requests.filter((one) => one.startsWith('/inner'))).toEqual([]);
  });

  it('does not follow a redirect to another host', async () => {
    await using other = await gitServer(join(place.path, 'served'));
    server.answerWith((response) =>
      response
        .writeHead(302, { location: `${other.url}/code/.git/info/refs?service=git-upload-pack` })
        .end(),
    );
    const found = await clone(`${server.url}/code/.git`, 'c6');
    server.answerWith(undefined);
    expect(found.ok).toBe(false);
    expect(other.requests).toEqual([]);
  });

  it('is limited in size, both of the data and of the files, and leaves nothing behind', async () => {
    const large = join(place.path, 'served/large');
    await commitFiles(large, { 'zeros.txt': '0'.repeat(4_000_000) });
    const random = Array.from({ length: 200_000 }, () => Math.random().toString(36)).join('\n');
    await commitFiles(join(place.path, 'served/dense'), { 'random.txt': random });
    for (const [name, mostBytes] of [
      ['large', 3_000_000],
      ['dense', 1_000_000],
    ] as const) {
      const found = await clone(`${server.url}/${name}/.git`, 'c7', { mostBytes });
      expect(found).toMatchObject({
        ok: false,
        error: expect.stringContaining('it has more than'),
      });
    }
    expect(await readdir(join(place.path, 'c7'))).toEqual([]);
    expect(await clone(`${server.url}/large/.git`, 'c7')).toMatchObject({ ok: true });
  });

  it('is limited in time if there is an earlier copy', async () => {
    const url = `${server.url}/code/.git`;
    expect(await clone(url, 'c8')).toMatchObject({ ok: true });
    server.answerWith(() => {});
    const found = await clone(url, 'c8', { refreshMs: 1000 });
    server.answerWith(undefined);
    expect(found).toMatchObject({
      ok: true,
      value: { note: expect.stringContaining('it took longer than 1 seconds') },
    });
  });

  it('reports its progress', async () => {
    told.length = 0;
    await commitFiles(join(place.path, 'served/many'), {
      ...Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`f${at}.txt`, `${at}`])),
    });
    expect(await clone(`${server.url}/many/.git`, 'c9')).toMatchObject({ ok: true });
    expect(told.some((one) => one.includes('receiving objects: 100 %'))).toBe(true);
  });
});
