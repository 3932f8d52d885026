import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../source/files.ts';
import { runProgram } from './run-program.ts';

const BUNDLE = join(repositoryRoot, 'packages/cli/bundle');

/** Each file with what tells it from another of the same name. */
async function files(): Promise<readonly string[]> {
  const entries = await readdir(BUNDLE, { recursive: true, withFileTypes: true });
  const told = entries
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      const { ino, mtimeMs } = await stat(path);
      return `${path} ${ino} ${mtimeMs}`;
    });
  return (await Promise.all(told)).toSorted();
}

it('a rebuild without changes leaves the files of a running command in place', async () => {
  const before = await files();
  expect(runProgram('scripts/bundle-command.ts', [], repositoryRoot)).toEqual({
    code: 0,
    output: '',
  });
  expect(await files()).toEqual(before);
});
