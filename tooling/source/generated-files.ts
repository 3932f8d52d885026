// Writes generated files, or reports stale ones. The script decides about their content.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryRoot } from './files.ts';

export interface GeneratedFile {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** The current text of a file; empty if there is none. */
export type ReadFile = (path: string) => string;

export interface GenerationOptions {
  readonly files: (read: ReadFile) => readonly GeneratedFile[];
  /** The message if no file is stale. */
  readonly upToDate: string;
  /** The command that updates the files. */
  readonly command: string;
}

/** The whole script: `--write` updates the files, `--check` fails if one is stale. */
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
