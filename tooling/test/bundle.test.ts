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
  ['packages/cli/bundle', 'scripts/bundle-command.ts'],
  ['packages/codebase/bundle', 'scripts/bundle-codebase.ts'],
  ['packages/host/bundle', 'scripts/bundle-for-tests.ts'],
  ['packages/testkit/bundle', 'scripts/bundle-for-tests.ts'],
])('a rebuild without changes leaves the files of %s in place', async (bundle, script) => {
  const before = await filesOf(bundle);
  expect(runProgram(script, [], repositoryRoot)).toEqual({ code: 0, output: '' });
  expect(await filesOf(bundle)).toEqual(before);
});
