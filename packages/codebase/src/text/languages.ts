// The globs behind the name of a language, as ripgrep knows its types, so that no list of our own grows old.

import { err, never, ok, type Result } from '@plugboard/base';
import { ripgrepProgram, runProgram } from '../platform/index.ts';

const OTHER_NAMES: Readonly<Record<string, string>> = {
  javascript: 'js',
  golang: 'go',
  'c++': 'cpp',
  'c#': 'csharp',
  'f#': 'fsharp',
  bash: 'sh',
  shell: 'sh',
  tsx: 'typescript',
  jsx: 'js',
};

export type Languages = ReadonlyMap<string, readonly string[]>;

export async function readLanguages(cwd: string): Promise<Languages> {
  const run = runProgram({
    program: await ripgrepProgram(),
    args: ['--no-config', '--type-list'],
    cwd,
    signal: never,
  });
  const pieces: Buffer[] = [];
  for await (const piece of run.output) pieces.push(piece);
  const lines = Buffer.concat(pieces).toString('utf8').split('\n');
  return new Map(
    lines.flatMap((line): readonly [string, readonly string[]][] => {
      const [name, globs] = line.split(': ', 2);
      return name === undefined || globs === undefined ? [] : [[name, globs.split(', ')]];
    }),
  );
}

/** The message names a language that is not known, and some that are. */
export function globsOf(
  names: readonly string[],
  languages: Languages,
): Result<readonly string[], string> {
  const globs: string[] = [];
  for (const name of names) {
    const plain = name.toLowerCase();
    const found = languages.get(OTHER_NAMES[plain] ?? plain);
    if (found === undefined) return err(unknown(name, languages));
    globs.push(...found);
  }
  return ok(globs);
}

const MOST_NAMED = 8;

function unknown(name: string, languages: Languages): string {
  const start = name.slice(0, 1).toLowerCase();
  const near = [...languages.keys()].filter((other) => other.startsWith(start));
  const some = near.slice(0, MOST_NAMED).join(', ');
  const hint = some === '' ? 'use globs instead' : `some that are: ${some}; or use globs`;
  return `the language ${JSON.stringify(name.slice(0, 50))} is not known; ${hint}`;
}
