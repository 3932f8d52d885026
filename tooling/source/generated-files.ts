// Files that follow from something else in the repository: how a script writes them, or tells that one is stale.
// What they should be is the script's business.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryRoot } from './files.ts';

export interface GeneratedFile {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** The present text of a file, empty where there is none. */
export type ReadFile = (path: string) => string;

export interface GenerationOptions {
  readonly files: (read: ReadFile) => readonly GeneratedFile[];
  /** What to say when nothing is to be done. */
  readonly upToDate: string;
  /** What brings them up to date. */
  readonly command: string;
}

/** A whole script: `--write` brings the files up to date, `--check` fails when one is stale. */
export function generateFiles({ files, upToDate, command }: GenerationOptions): void {
  const { values: flags } = parseArgs({
    options: {
      write: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      root: { type: 'string', default: repositoryRoot },
    },
  });
  const read: ReadFile = (path) => {
    const file = join(flags.root, path);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };
  const stale = files(read).filter(({ path, text }) => read(path) !== text);
  for (const { path, text } of stale) {
    if (flags.write) writeFileSync(join(flags.root, path), text);
    console.log(`${path} ${flags.write ? 'is written' : 'is stale'}`);
  }
  if (stale.length === 0) console.log(upToDate);
  if (flags.check && !flags.write && stale.length > 0) {
    console.error(`run \`${command}\``);
    process.exitCode = 1;
  }
}
