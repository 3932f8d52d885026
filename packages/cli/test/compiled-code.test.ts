import { chmod, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { Module } from 'node:module';
import { join } from 'node:path';
import { everything, tempFolder, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { type CompiledCode, compiledCode } from '../src/compiled-code.ts';
import { sandbox } from './sandbox.ts';

const EDITION = 'v1-x';

async function place(chunks: Readonly<Record<string, string>>) {
  const root = await tempFolder();
  await root.mkdir('bundle/chunks');
  for (const [name, source] of Object.entries(chunks))
    await root.write(`bundle/chunks/${name}`, source);
  const code: CompiledCode = {
    chunks: join(root.path, 'bundle/chunks'),
    folder: join(root.path, 'cache/compiled'),
    edition: EDITION,
    user: process.geteuid?.(),
    process: process.pid,
  };
  /** One start of the program: loads a chunk, then ends. */
  const start = (name: string, given: CompiledCode = code): unknown => {
    const { load, store } = compiledCode(given, () => {
      throw new Error('not one of the chunks');
    });
    const file = join(code.chunks, name);
    const module = new Module(file);
    load(module, file);
    store();
    return module.exports;
  };
  const kept = (name: string): string => join(code.folder, EDITION, name);
  return { code, start, kept, [Symbol.asyncDispose]: () => root[Symbol.asyncDispose]() };
}

describe('compiled code of the bundle', () => {
  verifies('CLI-12');

  it('is stored at the first start, readable only by the user, and used at the next', async ({
    expect,
  }) => {
    await using at = await place({
      'a-1.cjs': 'exports.path = [__filename, __dirname, this === exports];',
    });
    const file = join(at.code.chunks, 'a-1.cjs');
    const exported = { path: [file, at.code.chunks, true] };
    expect(at.start('a-1.cjs')).toEqual(exported);
    const { mode, mtimeMs } = await stat(at.kept('a-1.cjs'));
    expect(mode & 0o777).toBe(0o600);
    expect(at.start('a-1.cjs')).toEqual(exported);
    expect((await stat(at.kept('a-1.cjs'))).mtimeMs).toBe(mtimeMs);
  });

  it('is used only if no other user could have written it', async ({ expect }) => {
    // V8 compares only the length of a source.
    await using at = await place({ 'a-1.cjs': 'module.exports = 1;' });
    await using other = await place({ 'a-1.cjs': 'module.exports = 2;' });
    other.start('a-1.cjs');
    await mkdir(join(at.code.folder, EDITION), { recursive: true });
    await writeFile(at.kept('a-1.cjs'), await readFile(other.kept('a-1.cjs')), { mode: 0o600 });
    expect(at.start('a-1.cjs')).toBe(2);
    await chmod(at.kept('a-1.cjs'), 0o620);
    expect(at.start('a-1.cjs')).toBe(1);
    await writeFile(at.kept('a-1.cjs'), await readFile(other.kept('a-1.cjs')), { mode: 0o600 });
    const stranger = { ...at.code, user: (at.code.user ?? 0) + 1 };
    expect(at.start('a-1.cjs', stranger)).toBe(1);
  });

  it('leaves no partial file if it cannot be stored', async ({ expect }) => {
    await using at = await place({ 'a-1.cjs': 'module.exports = 3;' });
    // A file cannot take the place of a folder.
    await mkdir(at.kept('a-1.cjs'), { recursive: true });
    expect(at.start('a-1.cjs')).toBe(3);
    expect(await readdir(join(at.code.folder, EDITION))).toEqual(['a-1.cjs']);
  });

  it('is compiled again if the stored code is damaged', async ({ expect }) => {
    // V8 does not read the cache for code that this process has compiled, so the damaged code is from another place.
    await using at = await place({ 'a-1.cjs': 'module.exports = 1;' });
    await using other = await place({ 'a-1.cjs': 'module.exports = 2;' });
    other.start('a-1.cjs');
    const half = (await readFile(other.kept('a-1.cjs'))).subarray(0, 200);
    await mkdir(join(at.code.folder, EDITION), { recursive: true });
    await writeFile(at.kept('a-1.cjs'), half, { mode: 0o600 });
    expect(at.start('a-1.cjs')).toBe(1);
    expect((await stat(at.kept('a-1.cjs'))).size).toBeGreaterThan(half.length);
  });

  it('is compiled at each start if it cannot be stored', async ({ expect }) => {
    await using at = await place({ 'a-1.cjs': 'module.exports = 1;' });
    const inFile = { ...at.code, folder: join(at.code.chunks, 'a-1.cjs') };
    expect(at.start('a-1.cjs', inFile)).toBe(1);
    expect(at.start('a-1.cjs', inFile)).toBe(1);
  });

  it('is removed with its chunk, or a month after its version of Node was last used', async ({
    expect,
  }) => {
    await using at = await place({ 'a-1.cjs': '', 'b-1.cjs': '' });
    const month = { ...at.code, edition: 'v0-x' };
    const week = { ...at.code, edition: 'v0-y' };
    at.start('a-1.cjs', month);
    at.start('a-1.cjs', week);
    const daysAgo = (days: number): Date => new Date(Date.now() - days * 24 * 60 * 60 * 1000);
    await utimes(join(at.code.folder, 'v0-x'), daysAgo(31), daysAgo(31));
    await utimes(join(at.code.folder, 'v0-y'), daysAgo(7), daysAgo(7));
    at.start('a-1.cjs');
    expect(await readdir(at.code.folder)).toEqual(['v0-y', EDITION].toSorted());
    await rm(join(at.code.chunks, 'a-1.cjs'));
    at.start('b-1.cjs');
    expect(await readdir(join(at.code.folder, EDITION))).toEqual(['b-1.cjs']);
  });

  it('loads other files as before', async ({ expect }) => {
    await using at = await place({ 'a-1.cjs': '' });
    const file = join(at.code.folder, 'elsewhere.cjs');
    const loaded: string[] = [];
    const { load } = compiledCode(at.code, (_, path) => loaded.push(path));
    load(new Module(file), file);
    expect(loaded).toEqual([file]);
  });
});

describe('the command', () => {
  verifies('CLI-12');

  it('prints the same with compiled code as without, and imports packages', async ({ expect }) => {
    await using box = await sandbox({ every: everything() });
    const cache = join(box.home, 'cache-of-its-own');
    const env = { PLUGBOARD_CODEBASE: 'on', XDG_CACHE_HOME: cache };
    const compiled = join(cache, 'plugboard/compiled');
    const without = { ...env, NODE_DISABLE_COMPILE_CACHE: '1' };
    const expected = await box.runProcess(['tools', '--refresh', '--json'], { env: without });
    expect(expected).toMatchObject({ code: 0, stderr: '' });
    await expect(readdir(compiled)).rejects.toThrow('ENOENT');
    for (const _ of ['compiles', 'loads']) {
      const run = await box.runProcess(['tools', '--refresh', '--json'], { env });
      expect(run).toMatchObject({ code: 0, stderr: '' });
      expect(Object.keys(JSON.parse(run.stdout) as object)).toEqual(
        Object.keys(JSON.parse(expected.stdout) as object),
      );
      expect(run.stdout).toContain('search_code');
    }
    expect(await readdir(compiled)).toEqual([`${process.version}-${process.arch}`]);
  });
});
