import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../source/files.ts';
import { runProgram } from './run-program.ts';

/** Each file, with a text that distinguishes it from another one of the same name. */
async function filesOf(bundle: string): Promise<readonly string[]> {
  const entries = await readdir(join(repositoryRoot, bundle), {
    recursive: true,
    withFileTypes: true,
  });
  const told = entries
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      const { ino, mtimeMs } = await stat(path);
      return `${path} ${ino} ${mtimeMs}`;
    });
  return (await Promise.all(told)).toSorted();
}

it.each([
  ['scripts/bundle-command.ts', ['packages/cli/bundle']],
  ['scripts/bundle-codebase.ts', ['packages/codebase/bundle']],
  ['scripts/bundle-for-tests.ts', ['packages/host/bundle', 'packages/testkit/bundle']],
])('a rebuild by %s without changes leaves all files in place', async (script, bundles) => {
  const all = (): Promise<readonly (readonly string[])[]> => Promise.all(bundles.map(filesOf));
  const before = await all();
  expect(runProgram(script, [], repositoryRoot)).toEqual({ code: 0, output: '' });
  expect(await all()).toEqual(before);
});
