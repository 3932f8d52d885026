import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { descendants, tempFolder, type TempFolder, verifies, waitUntil } from '@plugboard/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CELLS, connect, type ConnectedClient, ONE_CELL } from './cells.ts';
import { callTool as call } from './codebase-client.ts';

const NAMES = [
  'search_code',
  'search_by_embedding',
  'find_symbol',
  'outline',
  'list_directory',
  'read_file',
  'chunk_file',
  'chunk_files',
  'history',
  'search_structure',
  'index_status',
];

/** Ripgrep takes more than ten seconds for this pattern with its counted repetition. */
const SLOW_PATTERN = 'a[ab]{150}[cd]';

function slowText(): string {
  const bytes = Buffer.alloc(16_000_000);
  let state = 1;
  for (let index = 0; index < bytes.length; index += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[index] = index % 400 === 399 ? 0x0a : 0x61 + (state & 1);
  }
  return bytes.toString('latin1');
}

let place: TempFolder;

beforeAll(async () => {
  place = await tempFolder();
  await place.write('outside.txt', 'secret needle');
  await place.write('tree/.gitignore', 'build/\n');
  await place.write('tree/build/out.js', 'needle');
  await place.write(
    'tree/src/a.ts',
    'export function alpha(): number {\n  return 1; // needle\n}\n',
  );
  await place.write('tree/src/b.py', 'def beta():\n    return "Needle"\n');
  await place.write('tree/crlf.txt', 'one\r\ntwo\r\n');
  await writeFile(join(place.path, 'tree/binary.bin'), Buffer.from([0x6e, 0, 0x65, 0x65]));
  await writeFile(join(place.path, 'tree/latin.txt'), Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]));
  const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index + 1} of many hay`);
  await place.write('tree/large.txt', `${lines.join('\n')}\n`);
  await place.write('tree/one-line.txt', `start${'x'.repeat(50_000_000)}needle-at-the-end`);
  await place.write('tree/slow.txt', slowText());
  await mkdir(join(place.path, 'tree/huge'));
  await writeFile(join(place.path, 'tree/huge/two-gigabytes.txt'), 'begin\n'.repeat(2000));
  await truncate(join(place.path, 'tree/huge/two-gigabytes.txt'), 2 ** 31);
  await symlink(join(place.path, 'outside.txt'), join(place.path, 'tree/link-out.txt'));
  await symlink('/proc', join(place.path, 'tree/proc'));
});

afterAll(() => place[Symbol.asyncDispose]());

describe.each(CELLS)('the tools, $era over $transport', (cell) => {
  verifies('COD-01');
  let connected: ConnectedClient;
  let client: Client;

  beforeAll(async () => {
    connected = await connect(cell, {
      root: join(place.path, 'tree'),
      cache: join(place.path, `cache-${cell.era}-${cell.transport}`),
    });
    ({ client } = connected);
  });
  afterAll(() => connected[Symbol.asyncDispose]());

  it('speak the era that the client requests', () => {
    const version = cell.era === 'modern' ? '2026-07-28' : '2025-11-25';
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getServerVersion()).toMatchObject({ name: 'plugboard-codebase' });
  });

  it('are listed as read-only, and answer in one form', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(NAMES);
    for (const { annotations, title, description } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false });
      expect(title).toBeTruthy();
      expect(description?.length).toBeLessThan(300);
    }
    const read = await client.callTool({ name: 'list_directory', arguments: {} });
    // Hosts pass structured content to a model too, or instead of the text.
    expect(read.structuredContent).toBeUndefined();
    expect(read.content).toHaveLength(1);
  });

  it('search text with all options, and leave out ignored files', async () => {
    const found = await call(client, 'search_code', { query: 'needle', globs: ['src/**'] });
    expect(found.data).toEqual({
      files: [
        {
          path: 'src/a.ts',
          count: 1,
          matches: [{ line: 2, text: '  return 1; // needle', column: 16 }],
        },
        {
          path: 'src/b.py',
          count: 1,
          matches: [{ line: 2, text: '    return "Needle"', column: 13 }],
        },
      ],
      total: 2,
      is_complete: true,
    });
    const narrow = await call(client, 'search_code', {
      query: 'ret\\w+ \\d',
      regex: true,
      case: 'sensitive',
      languages: ['ts'],
      context_lines: 1,
    });
    expect(narrow.data).toMatchObject({
      files: [
        { path: 'src/a.ts', matches: [{ line: 2, before: [{ line: 1 }], after: [{ line: 3 }] }] },
      ],
    });
    expect(narrow.text).toContain('1- export function alpha');
    const whole = await call(client, 'search_code', {
      query: 'alph',
      word: true,
      globs: ['src/**'],
    });
    expect(whole).toMatchObject({ isError: false, text: 'No matches.' });
  });

  it('are refused with an error code if unknown, as are unknown methods', async () => {
    await expect(call(client, 'nothing', {})).rejects.toMatchObject({ code: -32_602 });
    if (cell.era === 'legacy') await client.ping();
  });

  it('end ripgrep when a call is aborted', async () => {
    const controller = new AbortController();
    const slow = client.callTool(
      { name: 'search_code', arguments: { query: SLOW_PATTERN, regex: true } },
      { signal: controller.signal },
    );
    const searching = (): boolean =>
      descendants(connected.pid).some(({ command }) => command.includes(SLOW_PATTERN));
    await waitUntil(searching, { describe: 'ripgrep to start' });
    controller.abort();
    await expect(slow).rejects.toBeDefined();
    await waitUntil(() => !searching(), { describe: 'ripgrep to end' });
  });

  it('report progress to a client that requests it', async () => {
    const told: number[] = [];
    await client.callTool(
      { name: 'chunk_files', arguments: { paths: ['src/a.ts', 'src/b.py'] } },
      { onprogress: ({ progress }) => told.push(progress) },
    );
    // The last notification may arrive with the result, and is then ignored.
    expect(told.length).toBeGreaterThan(0);
    expect(told).toEqual([0, 1, 2].slice(0, told.length));
  });
});

describe.each(ONE_CELL)(
  'the tools, whose work depends on no client, $era over $transport',
  (cell) => {
    verifies('COD-01');
    let connected: ConnectedClient;
    let client: Client;

    beforeAll(async () => {
      connected = await connect(cell, {
        root: join(place.path, 'tree'),
        cache: join(place.path, `cache-once-${cell.era}-${cell.transport}`),
      });
      ({ client } = connected);
    });
    afterAll(() => connected[Symbol.asyncDispose]());

    it('page through many matches without losing or repeating one', async () => {
      verifies('COD-07');
      const seen: number[] = [];
      let cursor: string | undefined;
      for (let pages = 0; pages < 200; pages += 1) {
        const { data } = await call(client, 'search_code', {
          query: 'of many hay',
          // Reading the other files, too, may take a busy machine longer than a search lasts.
          globs: ['large.txt'],
          max_results: 100_000,
          ...(cursor === undefined ? {} : { cursor }),
        });
        const page = data as {
          files: { matches: { line: number }[] }[];
          next_cursor?: string;
          is_complete: boolean;
        };
        const lines = page.files.flatMap(({ matches }) => matches.map(({ line }) => line));
        expect(lines.length).toBeLessThanOrEqual(1000);
        seen.push(...lines);
        cursor = page.next_cursor;
        if (cursor === undefined) break;
      }
      expect(cursor).toBeUndefined();
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.length).toBeGreaterThanOrEqual(1000);
    });

    it('read a large file in consecutive pages', async () => {
      verifies('COD-07');
      let text = '';
      let cursor: string | undefined;
      do {
        const { data } = await call(client, 'read_file', {
          path: 'large.txt',
          ...(cursor === undefined ? {} : { cursor }),
        });
        const page = data as { text: string; next_cursor?: string };
        text += page.text;
        cursor = page.next_cursor;
      } while (cursor !== undefined);
      expect(text).toBe(await place.read('tree/large.txt'));
      const some = await call(client, 'read_file', {
        path: 'large.txt',
        start_line: 3,
        end_line: 4,
      });
      expect(some.text).toBe('3: line 3 of many hay\n4: line 4 of many hay');
    });

    it('show the beginning of a line of 50 MB, and find text in it', async () => {
      verifies('COD-07');
      const read = await call(client, 'read_file', { path: 'one-line.txt' });
      expect(read.data).toMatchObject({ is_end: true, cut_lines: [1], start_line: 1, end_line: 1 });
      expect(read.text.length).toBeLessThan(100_000);
      const found = await call(client, 'search_code', { query: 'needle-at-the-end' });
      expect(found.isError).toBe(false);
      expect(found.text.length).toBeLessThan(10_000);
      const cut = await call(client, 'chunk_file', { path: 'one-line.txt' });
      expect(cut).toMatchObject({ isError: true });
      expect(cut.text).toContain('use read_file');
    });

    it('list a folder, and mark the entries that a search leaves out', async () => {
      const { data } = await call(client, 'list_directory', { path: '.' });
      expect(data).toMatchObject({ path: '.', total: 12 });
      const { entries } = data as { entries: { name: string }[] };
      expect(entries.find(({ name }) => name === 'build')).toEqual({
        name: 'build',
        path: 'build',
        kind: 'folder',
        is_ignored: true,
      });
      expect(await call(client, 'list_directory', {})).toEqual(
        await call(client, 'list_directory', { path: '' }),
      );
    });

    it('cut files into chunks by their syntax, and report file by file', async () => {
      const one = await call(client, 'chunk_file', { path: 'src/a.ts' });
      expect(one.data).toMatchObject({
        language: 'typescript',
        how: 'syntax',
        total: 1,
        chunks: [
          { start_line: 1, end_line: 3, kind: 'function', symbol: 'alpha', names: ['alpha'] },
        ],
      });
      const several = await call(client, 'chunk_files', {
        paths: ['src/b.py', 'nowhere.ts', 'binary.bin', '../outside.txt'],
      });
      expect(several).toMatchObject({
        isError: false,
        data: {
          ok: 1,
          failed: 3,
          files: [
            { path: 'src/b.py', status: 'ok', count: 1, chunks: [{ symbol: 'beta' }] },
            { path: 'nowhere.ts', status: 'failed' },
            { path: 'binary.bin', status: 'failed' },
            { path: '../outside.txt', status: 'failed' },
          ],
        },
      });
    });

    it('find code by the meaning of a question, from the first question on', async () => {
      const outcome = await call(client, 'search_by_embedding', {
        query: 'where is beta',
        max_results: 1,
        globs: ['*.py'],
        wait_seconds: 60,
      });
      expect(outcome).toMatchObject({
        isError: false,
        data: { results: [{ path: 'src/b.py', symbol: 'beta', kind: 'function' }] },
      });
    });

    it.each([
      ['../outside.txt', 'out of the root'],
      ['src/../../outside.txt', 'out of the root'],
      ['/etc/passwd', 'relative to the root'],
      ['link-out.txt', 'out of the root'],
      ['proc/self/environ', 'out of the root'],
      ['src/a.ts\0.txt', 'NUL'],
      ['binary.bin', 'binary'],
      ['src', 'list_directory'],
      ['nowhere', 'no such file'],
      ['', 'empty'],
    ])('refuse to read %j, and tell the reason', async (path, words) => {
      const outcome = await call(client, 'read_file', { path });
      expect(outcome.isError).toBe(true);
      expect(outcome.text).toContain(words);
      expect(outcome.text).not.toContain('secret');
      const cut = await call(client, 'chunk_file', { path });
      expect(cut.isError).toBe(true);
    });

    it('refuse folders outside of the root', async () => {
      for (const path of ['..', 'proc', '/', 'src/../..']) {
        expect((await call(client, 'list_directory', { path })).isError).toBe(true);
      }
    });

    it('read the beginning of a file of 2 GB, and decode Latin-1', async () => {
      verifies('COD-07');
      const huge = await call(client, 'read_file', { path: 'huge/two-gigabytes.txt' });
      expect(huge.data).toMatchObject({ size: 2 ** 31, start_line: 1, cut_lines: [2001] });
      expect(huge.text.length).toBeLessThan(200_000);
      const cut = await call(client, 'chunk_file', { path: 'huge/two-gigabytes.txt' });
      expect(cut).toMatchObject({ isError: true });
      const latin = await call(client, 'read_file', { path: 'latin.txt' });
      expect(latin.data).toMatchObject({ text: 'café\n', has_invalid_text: true });
      const crlf = await call(client, 'read_file', { path: 'crlf.txt' });
      expect(crlf.data).toMatchObject({ text: 'one\r\ntwo\r\n', end_line: 2 });
    });

    it.each([
      [{ query: '(', regex: true }, 'pattern is not valid'],
      [{ query: '' }, 'empty'],
      [{ query: 'a\0b' }, 'NUL'],
      [{ query: 'a\nb' }, 'line'],
      [{ query: 'a'.repeat(5000) }, '4096'],
      [{ query: 'a', globs: ['['] }, 'glob'],
      [{ query: 'a', languages: ['klingon'] }, 'klingon'],
      [{ query: 'a', cursor: 'nonsense' }, 'cursor'],
      [{ query: 'a', max_results: 0 }, 'max_results'],
      [{ query: 'a', maxResults: 5 }, 'maxResults'],
      [{}, 'query'],
    ])('answer a search for %j with the reason why it is invalid', async (args, words) => {
      const outcome = await call(client, 'search_code', args);
      expect(outcome.isError).toBe(true);
      expect(outcome.text).toContain(words);
    });

    it('accept every file and folder as path, and several as paths', async () => {
      verifies('COD-01');
      const { tools } = await client.listTools();
      const taken = tools.map(({ name, inputSchema }) => [
        name,
        Object.keys(inputSchema.properties ?? {}).filter((key) => /path|file|dir|folder/.test(key)),
      ]);
      expect(Object.fromEntries(taken)).toMatchObject({
        search_code: [],
        search_by_embedding: [],
        list_directory: ['path'],
        read_file: ['path'],
        chunk_file: ['path'],
        chunk_files: ['paths'],
      });
    });

    it.each([
      ['read_file', { file_path: 'src/a.ts' }, 'the arguments are: path, '],
      ['chunk_files', { file_paths: ['src/a.ts'] }, 'the arguments are: paths'],
      ['search_code', { query: 'a', maxResults: 5 }, 'the arguments are: query, max_results, '],
    ])('answer %s with %j by naming the valid arguments', async (tool, args, words) => {
      const outcome = await call(client, tool, args);
      expect(outcome.isError).toBe(true);
      expect(outcome.text).toContain(words);
    });

    it('answer a pattern that is catastrophic in other regex engines', async () => {
      const outcome = await call(client, 'search_code', { query: '(x+x+)+y', regex: true });
      expect(outcome.isError).toBe(false);
    });
  },
);
