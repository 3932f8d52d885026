import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { tempFolder, type TempFolder, verifies, waitUntil } from '@plugboard/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CodebaseClient,
  openCodebase,
  type ToolAnswer,
  untilIndexed,
} from './codebase-client.ts';

let place: TempFolder;
let codebase: CodebaseClient;

beforeAll(async () => {
  place = await tempFolder();
  const tree = join(place.path, 'tree');
  await place.write(
    'tree/src/retry/delay.ts',
    '/** Waits longer after each failure. */\nexport function retryDelay(n: number) {\n  return wait(2 ** n, "retry");\n}\n',
  );
  await place.write(
    'tree/src/again.ts',
    '/** Waits after a failure, longer each time. */\nexport function failureDelay(n: number) {\n  return wait(n * 3);\n}\n',
  );
  await place.write('tree/src/other.ts', 'export const colours = ["red", "green"];\n');
  await place.write('tree/.env', 'KEY=1\n');
  await place.write('tree/picture.png', '\0\0\0');
  const git = (...args: readonly string[]): void => {
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=a@example.org', ...args], {
      cwd: tree,
      env: { PATH: process.env['PATH'], HOME: place.path },
    });
  };
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Wait before trying again');
  codebase = await openCodebase({ root: tree, cacheFolder: join(place.path, 'cache') }, 'legacy');
  await untilIndexed(codebase.client);
});
afterAll(async () => {
  await codebase[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

const call = (...asked: Parameters<CodebaseClient['call']>): Promise<ToolAnswer> =>
  codebase.call(...asked);

describe('tools for questions about code', () => {
  verifies('COD-17');

  it('are fewer than twelve, and each has an example or names its arguments', async () => {
    const { tools } = await codebase.client.listTools();
    expect(tools.length).toBeLessThan(12);
    expect(tools.filter(({ description }) => (description ?? '').length < 60)).toEqual([]);
  });

  it('find files by parts of their path, without ignored files and secrets', async () => {
    expect((await call('list_directory', { find: 'rtrydly' })).text).toBe('src/retry/delay.ts');
    expect((await call('list_directory', { find: 'env' })).text).not.toContain('.env');
    expect((await call('list_directory', { find: 'delay', path: '..' })).isError).toBe(true);
  });

  it('find code similar to that at a place, without the place itself', async () => {
    const { text } = await call('search_by_embedding', {
      like: 'src/retry/delay.ts:2',
      max_results: 1,
    });
    expect(text).toContain('src/again.ts');
    expect(text).not.toContain('src/retry/delay.ts');
    expect((await call('search_by_embedding', { like: 'src/retry/delay.ts:99' })).text).toContain(
      'has no line 99',
    );
    expect((await call('search_by_embedding', {})).isError).toBe(true);
  });

  it('find code by its shape, and preview a rewrite as edits', async () => {
    const found = await call('search_structure', {
      language: 'ts',
      pattern: 'wait($N, $$$REST)',
      rewrite: 'sleep($N)',
    });
    expect(found.text).toBe(
      [
        '2 matches; 2 files were parsed.',
        'src/again.ts:3',
        '  3| wait(n * 3)',
        '  + sleep(n * 3)',
        'src/retry/delay.ts:3',
        '  3| wait(2 ** n, "retry")',
        '  + sleep(2 ** n)',
      ].join('\n'),
    );
    expect(found.data).toMatchObject({
      matches: [
        { edit: { path: 'src/again.ts', old_text: 'wait(n * 3)', new_text: 'sleep(n * 3)' } },
        { bound: { N: '2 ** n', REST: '"retry"' } },
      ],
    });
    expect((await call('search_structure', { language: 'klingon', pattern: 'x' })).isError).toBe(
      true,
    );
    const outside = await call('search_structure', { language: 'ts', pattern: 'x', path: '../..' });
    expect(outside.isError).toBe(true);
  });

  it('show the history of a place, but not of a withheld file', async () => {
    const { text } = await call('history', {
      path: 'src/retry/delay.ts',
      start_line: 2,
      end_line: 3,
    });
    expect(text).toMatch(/^[0-9a-f]{10} \d{4}-\d\d-\d\d Ada: Wait before trying again$/);
    const blamed = await call('history', { path: 'src/other.ts', blame: true });
    expect(blamed.text).toMatch(/^1\| export const colours = .*Ada: Wait before trying again$/);
    expect((await call('history', { path: '.env' })).text).toContain('looks like a secret');
    expect((await call('history', { path: '../..' })).isError).toBe(true);
    expect((await call('history', { blame: true })).isError).toBe(true);
  });
});

describe('index_status', () => {
  verifies('COD-18');

  it('waits for the index with progress, and reports what is in it and what was left out', async () => {
    const { text, data } = await call(
      'index_status',
      { wait_seconds: 100 },
      { onprogress: () => undefined },
    );
    expect(data).toMatchObject({
      phase: 'ready',
      files: 4,
      symbol_files: 4,
      left_out: {
        too_large: { count: 0, examples: [] },
        binary: { count: 1, examples: ['picture.png'] },
      },
    });
    expect(data['memory_bytes']).toBeGreaterThan(1_000_000);
    expect(text).toContain('Index: complete, and kept up to date');
    expect(text).toContain('1 binary, such as picture.png');
  });

  it('names the files that were left out in the order of their paths', async () => {
    await place.write('tree/a.png', '\0\0\0');
    const examples = await waitUntil(
      async () => {
        const { data } = await call('index_status', {});
        const { binary } = data['left_out'] as Record<string, { readonly examples: string[] }>;
        return binary?.examples.length === 2 ? binary.examples : undefined;
      },
      { describe: 'the new file to be noticed' },
    );
    expect(examples).toEqual(['a.png', 'picture.png']);
  });
});
