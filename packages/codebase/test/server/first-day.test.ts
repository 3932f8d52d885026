import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CodebaseClient,
  openCodebase,
  type ToolAnswer,
  untilIndexed,
} from './codebase-client.ts';

let place: TempFolder;
let codebase: CodebaseClient;

const CLASS = `@register
class Model:
    """Something that is kept."""

    def first_of_all(self):
        return 1

    def persist_changes(self):
        return self.first_of_all()
`;

beforeAll(async () => {
  place = await tempFolder();
  const tree = join(place.path, 'tree');
  // The words of the question are everywhere outside of `lib`.
  for (let number = 0; number < 120; number += 1) {
    await place.write(
      `tree/app/page${number}.ts`,
      `export function retryDelay${number}() {\n  return retryDelay(${number});\n}\n`,
    );
  }
  for (let number = 0; number < 12; number += 1) {
    await place.write(
      `tree/lib/part${number}.py`,
      `def part_${number}():\n    return "the delay before we retry, and much else that has nothing to do with it"\n`,
    );
  }
  await place.write('tree/lib/model.py', CLASS);
  await place.write('tree/.github/workflows/release.yml', 'name: release\non: deploymentDay\n');
  await place.write('tree/.private/notes.md', 'deploymentDay\n');
  await place.write('tree/.env', 'SECRET=deploymentDay\n');
  writeFileSync(
    join(tree, 'wide.ts'),
    Buffer.from('\uFEFFexport const wideGreeting = 1;\n', 'utf16le'),
  );
  writeFileSync(
    join(tree, 'latin.ts'),
    Buffer.from('export const Größenmaß = "café";\n', 'latin1'),
  );
  const git = (...args: string[]): Buffer => execFileSync('git', args, { cwd: tree });
  git('init', '-q');
  git('add', '.github', 'lib');
  git('add', '-f', '.env');
  codebase = await openCodebase({ root: tree, cacheFolder: join(place.path, 'cache') });
  await untilIndexed(codebase.client);
});
afterAll(async () => {
  await codebase[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

const call = (...asked: Parameters<CodebaseClient['call']>): Promise<ToolAnswer> =>
  codebase.call(...asked);

async function ranked(
  query: string,
  more: Record<string, unknown> = {},
): Promise<readonly string[]> {
  const { data } = await call('search_by_embedding', { query, ...more });
  return (data['results'] as readonly { readonly path: string }[]).map(({ path }) => path);
}

async function lines(
  query: string,
  more: Record<string, unknown> = {},
): Promise<readonly string[]> {
  const { data } = await call('search_code', { query, ...more });
  return (data['files'] as readonly { readonly path: string }[]).map(({ path }) => path).toSorted();
}

describe('a question about a part of the tree', () => {
  verifies('COD-13');

  it.each(['lib', 'lib/', './lib', './lib/**', 'lib/**/*.py'])(
    'finds as many results within %s as requested, whatever is elsewhere',
    async (glob) => {
      const paths = await ranked('retry delay', { globs: [glob] });
      expect(paths).toHaveLength(10);
      expect(paths.filter((path) => !path.startsWith('lib/'))).toEqual([]);
      expect(await lines('retry', { globs: [glob] })).toHaveLength(12);
    },
  );

  it.each(['py', 'Python', '.py'])(
    'may name the language as %s, in both searches',
    async (name) => {
      const paths = await ranked('retry delay', { languages: [name] });
      expect(paths).toHaveLength(10);
      expect(await lines('retry', { languages: [name] })).toHaveLength(12);
    },
  );

  it('is refused with the nearest name if the language is unknown', async () => {
    for (const tool of ['search_by_embedding', 'search_code']) {
      const { isError, text } = await call(tool, { query: 'retry', languages: ['pyton'] });
      expect([isError, text]).toEqual([true, expect.stringContaining('"python"')]);
    }
  });
});

describe('a file that every tool finds and reads', () => {
  verifies('COD-03', 'COD-07');

  it('may be hidden if git tracks it and it does not look like a secret', async () => {
    const path = '.github/workflows/release.yml';
    expect(await lines('deploymentDay')).toEqual([path]);
    expect(await ranked('deploymentDay')).toContain(path);
    expect(await ranked('SECRET')).not.toContain('.env');
  });

  it('may be encoded in UTF-16', async () => {
    expect(await lines('wideGreeting')).toEqual(['wide.ts']);
    expect((await ranked('wideGreeting'))[0]).toBe('wide.ts');
    expect((await call('read_file', { path: 'wide.ts' })).data).toMatchObject({
      text: 'export const wideGreeting = 1;\n',
    });
  });

  it('may be encoded in Latin-1', async () => {
    expect(await lines('Größenmaß')).toEqual(['latin.ts']);
    expect(await lines('größenmaß', { case: 'insensitive' })).toEqual(['latin.ts']);
    expect((await ranked('Größenmaß'))[0]).toBe('latin.ts');
    const { data, text } = await call('read_file', { path: 'latin.ts' });
    expect(data).toMatchObject({ text: 'export const Größenmaß = "café";\n' });
    expect(text).toContain('Latin-1');
  });

  it('may be named by an absolute path inside the root', async () => {
    const { data } = await call('read_file', { path: join(place.path, 'tree/lib/model.py') });
    expect(data).toMatchObject({ path: 'lib/model.py' });
    const outside = await call('read_file', { path: join(place.path, 'cache') });
    expect([outside.isError, outside.text]).toEqual([
      true,
      expect.stringContaining('not inside the root'),
    ]);
  });
});

describe('an answer', () => {
  verifies('COD-01');

  it('has line numbers', async () => {
    const read = await call('read_file', { path: 'lib/model.py', start_line: 2, end_line: 3 });
    expect(read.text).toBe('2: class Model:\n3:     """Something that is kept."""');
    const found = await call('search_by_embedding', { query: 'persist_changes' });
    expect(found.text).toContain('\n8:     def persist_changes(self):\n');
  });

  it('names the requested symbol, and not only the first of its chunk', async () => {
    const { data, text } = await call('search_by_embedding', { query: 'persist_changes' });
    expect((data['results'] as readonly unknown[])[0]).toMatchObject({
      path: 'lib/model.py',
      symbol: 'Model',
      name: 'persist_changes',
    });
    expect(text).toContain('(class Model, with persist_changes');
  });

  it('with the chunks of a large file has pages of some thousand tokens', async () => {
    await place.write('tree/large.ts', 'export const value = readValue();\n'.repeat(3000));
    const { text } = await call('chunk_file', { path: 'large.ts' });
    expect(text.length).toBeLessThan(24_000);
    expect(text).toContain('The next page');
  });

  it('reports that the root is gone', async () => {
    const tree = join(place.path, 'tree');
    await rename(tree, `${tree}-away`);
    for (const tool of ['search_by_embedding', 'search_code']) {
      const { isError, text } = await call(tool, { query: 'retry' });
      expect([isError, text]).toEqual([true, expect.stringContaining('no longer exists')]);
    }
    await rename(`${tree}-away`, tree);
  });
});
