// Several roots in one server: every tool over all roots and within one, and the behaviour if one is gone.

import { execFileSync } from 'node:child_process';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { tempFolder, type TempFolder, verifies, waitUntil } from '@plugboard/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCodebase } from '../../src/index.ts';
import { CELLS, connect } from './cells.ts';
import {
  callTool,
  type CodebaseClient,
  openCodebase,
  type ToolAnswer,
  untilIndexed,
} from './codebase-client.ts';

const DELAY = [
  '/** Waits longer after each failure. */',
  'export function retryDelay(n: number) {',
  '  return wait(2 ** n);',
  '}',
  '',
].join('\n');
const PAGE = [
  "import { retryDelay } from 'api';",
  '/** Draws the page of a user in colours. */',
  'export function drawPage() {',
  '  return wait(retryDelay(1));',
  '}',
  '',
].join('\n');

function git(folder: string, ...args: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=a@example.org', ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder },
  });
}

async function writeRoots(place: TempFolder): Promise<readonly [string, string]> {
  await place.write('api/src/delay.ts', DELAY);
  await place.write('api/.env', 'KEY=1\n');
  await place.write('api/.gitignore', 'out/\n');
  await place.write('api/out/built.ts', DELAY);
  await place.write('web/src/page.ts', PAGE);
  await place.write('web/notes.md', '# Notes\n\nColours of pages.\n');
  const roots = [join(place.path, 'api'), join(place.path, 'web')] as const;
  for (const [root, subject] of [
    [roots[0], 'Wait longer'],
    [roots[1], 'Draw pages'],
  ] as const) {
    git(root, 'init', '--quiet');
    git(root, 'add', '--all');
    git(root, 'commit', '--quiet', '--message', subject);
  }
  return roots;
}

describe('several roots in one server', () => {
  verifies('COD-24');

  let place: TempFolder;
  let served: CodebaseClient;

  beforeAll(async () => {
    place = await tempFolder();
    const roots = await writeRoots(place);
    served = await openCodebase({
      roots: roots.map((path) => ({ path })),
      cacheFolder: join(place.path, 'cache'),
    });
    await untilIndexed(served.client);
  });
  afterAll(async () => {
    await served[Symbol.asyncDispose]();
    await place[Symbol.asyncDispose]();
  });

  function call(name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
    return callTool(served.client, name, args);
  }

  it('are named in the instructions and listed as folders of the tree', async () => {
    expect(served.client.getInstructions()).toContain('several codebases: api, web.');
    expect((await call('list_directory')).data).toEqual({
      path: '.',
      entries: [
        { name: 'api', path: 'api', kind: 'folder' },
        { name: 'web', path: 'web', kind: 'folder' },
      ],
      total: 2,
    });
    const inner = await call('list_directory', { path: 'web/src' });
    expect(inner.data).toMatchObject({ path: 'web/src', entries: [{ path: 'web/src/page.ts' }] });
    expect((await call('list_directory', { find: 'page.ts' })).data['found']).toEqual([
      'web/src/page.ts',
    ]);
  });

  it('are searched by text together, in one order and over pages', async () => {
    const { data } = await call('search_code', { query: 'retryDelay' });
    expect(data).toMatchObject({
      files: [{ path: 'api/src/delay.ts' }, { path: 'web/src/page.ts', count: 2 }],
      total: 3,
      is_complete: true,
    });
    const first = await call('search_code', { query: 'retryDelay', max_results: 2 });
    const cursor = first.data['next_cursor'];
    const next = await call('search_code', { query: 'retryDelay', max_results: 2, cursor });
    expect([first, next].map((page) => page.data['files'])).toMatchObject([
      [{ path: 'api/src/delay.ts' }, { path: 'web/src/page.ts', matches: [{ line: 1 }] }],
      [{ path: 'web/src/page.ts', matches: [{ line: 4 }] }],
    ]);
  });

  it.each([
    [['web'], ['web/src/page.ts']],
    [['web/**/*.ts'], ['web/src/page.ts']],
    [['src'], ['api/src/delay.ts', 'web/src/page.ts']],
    [['!web'], ['api/src/delay.ts']],
    [['./api/src'], ['api/src/delay.ts']],
  ])('are chosen by globs %j, which begin with the name of a root', async (globs, paths) => {
    const byText = await call('search_code', { query: 'wait', globs });
    const found = byText.data['files'] as readonly { readonly path: string }[];
    expect(found.map(({ path }) => path)).toEqual(paths);
    const byMeaning = await call('search_by_embedding', {
      query: 'wait',
      languages: ['ts'],
      globs,
    });
    const hits = byMeaning.data['results'] as readonly { readonly path: string }[];
    expect(new Set(hits.map(({ path }) => path))).toEqual(new Set(paths));
  });

  it('are ranked together: the best place comes first, whatever its root', async () => {
    const delay = await call('search_by_embedding', {
      query: 'wait longer after each failure',
      max_results: 1,
    });
    expect(delay.data).toMatchObject({ mode: 'hybrid', results: [{ path: 'api/src/delay.ts' }] });
    const page = await call('search_by_embedding', {
      query: 'draw the page of a user',
      max_results: 1,
    });
    expect(page.data['results']).toMatchObject([{ path: 'web/src/page.ts' }]);
    const like = await call('search_by_embedding', { like: 'api/src/delay.ts:2' });
    expect(like.text).not.toContain('api/src/delay.ts');
  });

  it('find uses of a symbol of another root', async () => {
    const { data } = await call('find_symbol', { name: 'retryDelay', references: 'callers' });
    expect(data).toMatchObject({
      definitions: [{ path: 'api/src/delay.ts', line: 2 }],
      references: [{ path: 'web/src/page.ts', line: 4, in: 'drawPage' }],
    });
    const within = await call('find_symbol', { name: 'api/retryDelay', path: 'api' });
    expect(within.data).toMatchObject({ total: 1 });
    expect((await call('find_symbol', { name: 'retryDelay', path: 'web' })).data).toMatchObject({
      definitions: [],
      others: [{ path: 'api/src/delay.ts' }],
    });
  });

  it('have a map of all and a map of each', async () => {
    const all = await call('outline');
    const symbols = all.data['symbols'] as readonly { readonly path: string }[];
    expect(new Set(symbols.map(({ path }) => path))).toEqual(
      new Set(['api/src/delay.ts', 'web/src/page.ts']),
    );
    expect(symbols[0]).toMatchObject({ symbol: 'retryDelay', used_by: 1 });
    expect((await call('outline', { path: 'web' })).text).not.toContain('api/');
    expect((await call('outline', { path: 'web/src/page.ts' })).text).toContain('drawPage');
  });

  it('have their files read, cut and searched by shape under their names', async () => {
    const read = await call('read_file', { path: 'api/src/delay.ts', start_line: 2, end_line: 2 });
    expect(read.data).toMatchObject({ path: 'api/src/delay.ts', start_line: 2 });
    const full = join(place.path, 'web/src/page.ts');
    expect((await call('read_file', { path: full })).data['path']).toBe('web/src/page.ts');
    const cut = await call('chunk_files', { paths: ['api/src/delay.ts', 'web/src/page.ts'] });
    expect(cut.data).toMatchObject({ ok: 2, failed: 0 });
    expect((await call('chunk_file', { path: 'web/src/page.ts' })).data['how']).toBe('syntax');
    const shape = { language: 'ts', pattern: 'wait($N)', rewrite: 'sleep($N)' };
    expect((await call('search_structure', shape)).data).toMatchObject({
      matches: [
        { path: 'api/src/delay.ts', edit: { path: join(place.path, 'api/src/delay.ts') } },
        { path: 'web/src/page.ts' },
      ],
      total: 2,
      is_complete: true,
    });
    const one = await call('search_structure', { ...shape, path: 'web' });
    expect(one.data).toMatchObject({ total: 1, matches: [{ path: 'web/src/page.ts' }] });
    const few = await call('search_structure', { ...shape, max_results: 1 });
    expect(few.data).toMatchObject({ total: 1, is_complete: false });
  });

  it('have one history, in which commits name their root', async () => {
    const all = await call('history');
    const commits = all.data['commits'] as readonly Record<string, unknown>[];
    expect(
      new Set(commits.map(({ root, subject }) => `${String(root)}: ${String(subject)}`)),
    ).toEqual(new Set(['api: Wait longer', 'web: Draw pages']));
    const one = await call('history', { path: 'web/src/page.ts' });
    expect(one.text).toMatch(/^[0-9a-f]{10} .* Ada: Draw pages$/);
    const blamed = await call('history', { path: 'api/src/delay.ts', blame: true });
    expect(blamed.text).toContain('Ada: Wait longer');
  });

  it('have one state, with the state of each', async () => {
    const { text, data } = await call('index_status');
    expect(data).toMatchObject({
      phase: 'ready',
      files: 4,
      read_share: 1,
      roots: [
        { name: 'api', root: join(place.path, 'api'), files: 2, phase: 'ready' },
        { name: 'web', root: join(place.path, 'web'), files: 2, phase: 'ready' },
      ],
    });
    expect(text).toContain(`Root api: ${join(place.path, 'api')}; 2 files; complete`);
  });

  it('have one listing and one search as resources', async () => {
    const read = async (uri: string): Promise<Record<string, unknown>> => {
      const { contents } = await served.client.readResource({ uri });
      const [first] = contents;
      return JSON.parse(first !== undefined && 'text' in first ? first.text : '{}') as Record<
        string,
        unknown
      >;
    };
    const { files } = await read('codebase://files');
    const paths = (files as readonly { readonly path: string }[]).map(({ path }) => path);
    expect(paths).toEqual([
      'api/.gitignore',
      'api/src/delay.ts',
      'web/notes.md',
      'web/src/page.ts',
    ]);
    const found = await read('codebase://search/wait%20longer');
    expect(found).toMatchObject({ results: expect.arrayContaining([expect.anything()]) });
    expect((found['results'] as readonly unknown[])[0]).toMatchObject({ path: 'api/src/delay.ts' });
  });

  it.each([
    ['../api/src/delay.ts', 'it leads out of the root'],
    ['api/../../secret.txt', 'it leads out of the root'],
    ['/etc/passwd', 'it is not inside the root'],
    ['src/delay.ts', 'it does not begin with the name of a root'],
    ['api', 'it is a folder'],
    ['.', 'it is a folder'],
    ['api/.env', 'it looks like a secret'],
    ['api/out/built.ts', 'an ignore file leaves it out'],
    ['api/gone.ts', 'there is no such file'],
  ])('do not give %s', async (path, reason) => {
    const { isError, text } = await call('read_file', { path });
    expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining(reason) });
    expect(text).toContain(JSON.stringify(path));
  });

  it('share their indexes with servers of one of them', async () => {
    await using alone = await openCodebase({
      root: join(place.path, 'api'),
      cacheFolder: join(place.path, 'cache'),
    });
    await untilIndexed(alone.client);
    const { data } = await callTool(alone.client, 'index_status', {});
    expect(data).toMatchObject({ phase: 'following', files: 2 });
    const { text } = await callTool(alone.client, 'search_code', { query: 'retryDelay' });
    expect(text).toMatch(/^src\/delay\.ts/);
  });
});

describe('a root that is gone', () => {
  verifies('COD-24');

  it('does not affect the others, and is named in every answer about all roots', async () => {
    await using place = await tempFolder();
    const [api, web] = await writeRoots(place);
    const gone = join(place.path, 'gone');
    await using served = await openCodebase({
      roots: [{ path: api }, { path: web }, { name: 'never', path: gone }],
      cacheFolder: join(place.path, 'cache'),
    });
    const { client } = served;
    const status = await callTool(client, 'index_status', { wait_seconds: 100 });
    expect(status.data['missing_roots']).toMatchObject([{ name: 'never' }]);
    expect(status.text).toContain(`The root never is left out: there is no folder ${gone}`);

    await rename(web, `${web}-moved`);
    const found = await callTool(client, 'search_code', { query: 'retryDelay' });
    expect(found.data).toMatchObject({
      files: [{ path: 'api/src/delay.ts' }],
      missing_roots: [{ name: 'never' }, { name: 'web', reason: 'the folder no longer exists' }],
    });
    expect(found.text).toContain('The root web is left out: the folder no longer exists.');
    for (const [name, args] of [
      ['search_by_embedding', { query: 'draw the page of a user' }],
      ['find_symbol', { name: 'retryDelay', references: 'all' }],
      ['outline', {}],
      ['list_directory', {}],
      ['history', {}],
      ['search_structure', { language: 'ts', pattern: 'wait($N)' }],
    ] as const) {
      const { isError, text, data } = await callTool(client, name, args);
      expect({ name, isError, data }).toMatchObject({
        name,
        isError: false,
        data: { missing_roots: [{ name: 'never' }, { name: 'web' }] },
      });
      expect(text).not.toContain('web/src');
    }
    expect((await callTool(client, 'read_file', { path: 'web/src/page.ts' })).text).toContain(
      'no longer exists',
    );
    const inner = await callTool(client, 'read_file', { path: 'api/src/delay.ts' });
    expect(inner.data).not.toHaveProperty('missing_roots');

    await rename(`${web}-moved`, web);
    await waitUntil(
      async () =>
        (await callTool(client, 'search_code', { query: 'drawPage' })).data['total'] === 1,
      { describe: () => 'the root that came back to be searched' },
    );
  });

  it('fails the server only if there is no other', async () => {
    await using place = await tempFolder();
    const codebase = createCodebase({
      roots: [{ path: join(place.path, 'a') }, { path: join(place.path, 'b') }],
    });
    const [, theirs] = InMemoryTransport.createLinkedPair();
    await expect(codebase.server().connect(theirs)).rejects.toMatchObject({ code: 'root-gone' });
    await codebase.close();
  });
});

describe('a root inside another', () => {
  verifies('COD-24');

  it('is refused, also through links', async () => {
    await using place = await tempFolder();
    await place.write('tree/inner/a.ts', '');
    const [tree, inner] = [join(place.path, 'tree'), join(place.path, 'tree/inner')];
    for (const roots of [
      [tree, inner],
      [inner, tree],
      [tree, `${inner}/..`],
    ]) {
      const codebase = createCodebase({ roots: roots.map((path) => ({ path })) });
      const [, theirs] = InMemoryTransport.createLinkedPair();
      await expect(codebase.server().connect(theirs)).rejects.toMatchObject({
        code: 'roots-invalid',
      });
      await codebase.close();
    }
  });
});

describe('the command with several roots', () => {
  verifies('COD-24');

  it.each(CELLS)('serves them to clients of the $era era over $transport', async (cell) => {
    await using place = await tempFolder();
    const [api, web] = await writeRoots(place);
    const roots = { root: `server=${api}`, more: [web] };
    await using connected = await connect(cell, { ...roots, cache: join(place.path, 'cache') });
    const { client } = connected;
    await untilIndexed(client);
    expect((await callTool(client, 'list_directory', {})).text).toBe('server/\nweb/');
    expect((await callTool(client, 'search_code', { query: 'retryDelay' })).data).toMatchObject({
      files: [{ path: 'server/src/delay.ts' }, { path: 'web/src/page.ts' }],
    });
    const found = await callTool(client, 'search_by_embedding', {
      query: 'draw the page',
      max_results: 1,
    });
    expect(found.data['results']).toMatchObject([{ path: 'web/src/page.ts' }]);
    const read = await callTool(client, 'read_file', { path: 'server/src/delay.ts' });
    expect(read.text).toContain('2: export function retryDelay');
  });
});
