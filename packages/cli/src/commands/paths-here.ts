// Words of a new server's command that are paths in the current folder. A user's own server starts elsewhere, where
// they would mean something else. Suggests an entry that means what was typed.

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

/** `undefined` if the entry means the same wherever it starts, says where, or is the project's. */
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
  const written = args.map((word) => (words.includes(word) ? wholePath(word, environment) : word));
  return { words, by: 'paths', entry: { ...entry, args: written } };
}

/**
 * Whether only the words decide what runs there. npm is kept from the folder's settings; other package runners take
 * them, and in every project there may be another file of a name.
 */
function mayStartHere(command: string, args: readonly string[], scope: EditableScope): boolean {
  const runner = packageRunnerOf(command, args);
  return runner === undefined ? scope === 'local' : isNpm(runner);
}

function isNpm(runner: string | undefined): boolean {
  return runner === 'npx' || runner === 'npm';
}

/** The folder itself is whichever one works in; a file in it is this one, and no other folder's of that name. */
function wholePath(word: string, { cwd }: Pick<HostEnvironment, 'cwd'>): string {
  const start = word.startsWith('-') ? word.indexOf('=') + 1 : 0;
  const path = word.slice(start);
  const whole = /^\.[/\\]?$/.test(path) ? `\${${PROJECT_VARIABLE}}` : resolve(cwd, path);
  return `${word.slice(0, start)}${whole}`;
}

/** A program that is typed as a relative path is relative to the current folder. */
export function withWholeProgram({ entry, scope, environment }: NewEntry): Entry {
  const { command, cwd } = entry;
  if (typeof command !== 'string' || cwd !== undefined || scope === 'project') return entry;
  return { ...entry, command: programPath(command, environment.cwd) };
}

/**
 * As in a shell, it starts in the folder that one is in. A package runner other than npm would take that folder's
 * settings and packages: it starts elsewhere, and what is named by a relative path stays what it is here.
 */
export function startedHere(target: readonly string[]): Pick<NewServer, 'target' | 'cwd'> {
  const [command = '', ...args] = target;
  const runner = packageRunnerOf(command, args);
  if (runner === undefined || isNpm(runner)) return { target, cwd: IN_PROJECT };
  const here = hostEnvironment();
  return {
    target: [command, ...args.map((word) => (RELATIVE.test(word) ? wholePath(word, here) : word))],
  };
}

const RELATIVE = /^(?:-[^=]*=)?\.{1,2}(?:[/\\]|$)/;
