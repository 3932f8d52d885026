// Finds words of a new server's command that are paths in the current folder. The user's own servers start in another folder,
// where these paths do not exist, so this suggests an entry that works.

import { resolve } from 'node:path';
import {
  type EditableScope,
  type HostEnvironment,
  hostEnvironment,
  IN_PROJECT,
  packageRunnerOf,
  programPath,
  PROJECT_VARIABLE,
  wordsOnlyIn,
} from '@plugboard/host/configuration';
import type { PathsHere } from '../print/add-words.ts';
import type { NewServer } from './new-entry.ts';

type Entry = PathsHere['entry'];

export interface NewEntry {
  readonly entry: Entry;
  readonly scope: EditableScope;
  readonly environment: HostEnvironment;
}

/** `undefined` if the entry has no such paths, has a `cwd`, or belongs to the project. */
export async function pathsHere({
  entry,
  scope,
  environment,
}: NewEntry): Promise<PathsHere | undefined> {
  const {
    command,
    args = [],
    cwd,
  } = entry as {
    readonly command?: string;
    readonly args?: readonly string[];
    readonly cwd?: string;
  };
  if (command === undefined || cwd !== undefined || scope === 'project') return undefined;
  const words = await wordsOnlyIn(args, {
    folder: environment.cwd,
    startsIn: environment.paths.state,
  });
  if (words.length === 0) return undefined;
  if (mayStartHere(command, args, scope)) {
    return { words, by: 'cwd', entry: { ...entry, cwd: IN_PROJECT } };
  }
  const written = args.map((word) =>
    words.includes(word) ? absolutePath(word, environment) : word,
  );
  return { words, by: 'paths', entry: { ...entry, args: written } };
}

/**
 * Whether starting in the folder is safe: files of the folder must not decide what runs. npm ignores the folder's settings
 * here, but other package runners read them, and a script can be another file in every project.
 */
function mayStartHere(command: string, args: readonly string[], scope: EditableScope): boolean {
  const runner = packageRunnerOf(command, args);
  return runner === undefined ? scope === 'local' : isNpm(runner);
}

function isNpm(runner: string | undefined): boolean {
  return runner === 'npx' || runner === 'npm';
}

/** `.` becomes the folder of the current project, whichever that is. Any other path becomes absolute. */
function absolutePath(word: string, { cwd }: Pick<HostEnvironment, 'cwd'>): string {
  const start = word.startsWith('-') ? word.indexOf('=') + 1 : 0;
  const path = word.slice(start);
  const whole = /^\.[/\\]?$/.test(path) ? `\${${PROJECT_VARIABLE}}` : resolve(cwd, path);
  return `${word.slice(0, start)}${whole}`;
}

/** Makes a relative path of the program absolute. */
export function withAbsoluteProgram({ entry, scope, environment }: NewEntry): Entry {
  const { command, cwd } = entry;
  if (typeof command !== 'string' || cwd !== undefined || scope === 'project') return entry;
  return { ...entry, command: programPath(command, environment.cwd) };
}

/**
 * The command starts in the current folder, as in a shell. A package runner other than npm would use the settings and
 * packages of that folder, so it starts elsewhere, and relative paths become absolute.
 */
export function startedHere(target: readonly string[]): Pick<NewServer, 'target' | 'cwd'> {
  const [command = '', ...args] = target;
  const runner = packageRunnerOf(command, args);
  if (runner === undefined || isNpm(runner)) return { target, cwd: IN_PROJECT };
  const here = hostEnvironment();
  return {
    target: [
      command,
      ...args.map((word) => (RELATIVE.test(word) ? absolutePath(word, here) : word)),
    ],
  };
}

const RELATIVE = /^(?:-[^=]*=)?\.{1,2}(?:[/\\]|$)/;
