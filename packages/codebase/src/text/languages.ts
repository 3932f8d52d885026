// Finds the globs of a language in the list of types of ripgrep, so that no list has to be maintained here. A language can be
// named by its type, by another common name, or by a file extension.

import { err, never, ok, type Result } from '@plugboard/base';
import { ripgrepProgram, runProgram } from '../platform/index.ts';
import { editDistance } from './edit-distance.ts';

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

/** The error names an unknown language and the most similar known one. */
export function globsOf(
  names: readonly string[],
  languages: Languages,
): Result<readonly string[], string> {
  const globs = new Set<string>();
  for (const name of names) {
    const found = globsOfOne(name.trim().toLowerCase().replace(/^\./, ''), languages);
    if (found.length === 0) return err(unknownLanguage(name, languages));
    for (const glob of found) globs.add(glob);
  }
  return ok([...globs]);
}

function globsOfOne(name: string, languages: Languages): readonly string[] {
  const known = languages.get(OTHER_NAMES[name] ?? name);
  if (known !== undefined) return known;
  // The smallest type with such files, since larger types combine several languages.
  const byEnding = [...languages.values()].filter((globs) => globs.includes(`*.${name}`));
  return byEnding.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

const MOST_COMPARED = 40;

function unknownLanguage(name: string, languages: Languages): string {
  const given = Array.from(name.trim().toLowerCase().slice(0, MOST_COMPARED));
  const names = [...languages.keys(), ...Object.keys(OTHER_NAMES)];
  const near = names
    .map((other) => ({ other, distance: editDistance(given, other) }))
    .toSorted((a, b) => a.distance - b.distance)[0]?.other;
  const shown = JSON.stringify(name.slice(0, 50));
  return `the language ${shown} is not known; the nearest name is ${JSON.stringify(near ?? '')}; or use globs`;
}
