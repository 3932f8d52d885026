// The files of a project that a server's command line names as what is to be run: the program itself, and scripts among
// its words. An approval is bound to what they hold. What those load in turn is not looked at.

import { basename, dirname, relative, resolve } from 'node:path';
import { isObject } from '@plugboard/base';
import { byForm, type ServerEntry, splitCommand, type StdioEntry } from '../config/index.ts';
import { fileDigest, isFileAt, isWithin, readTextFile, realPathOf } from '../platform/index.ts';
import { type Line, type NamedFile, namedFiles, PACKAGE } from './named-files.ts';

export interface ScriptFile {
  readonly path: string;
  /** From the top of the project. */
  readonly shown: string;
  readonly digest: string;
}

/** More of them than a command line of a person names, with every way in which an interpreter would look for them. */
const MAX_PATHS = 256;
const MAX_PACKAGE_BYTES = 1024 * 1024;

/** `root` is the top of the project: files elsewhere are not of it. */
export async function scriptFiles(
  entry: ServerEntry,
  root: string,
): Promise<readonly ScriptFile[]> {
  const named = namedBy(entry);
  const first = await filesAt(
    named.map(({ path }) => path),
    root,
  );
  const there = new Set(first.map(({ path }) => path));
  const looked = await filesAt(await otherwiseOf(named, there), root);
  const found = [...first, ...looked.filter(({ path }) => !there.has(path))];
  const mains = await Promise.all(found.map((file) => mainOf(file)));
  const others = mains.filter(isThere).filter((path) => !found.some((file) => file.path === path));
  return [...found, ...(await filesAt(others, root))];
}

/** Where else is looked for what is no file. One of another place than the project is what runs, too. */
async function otherwiseOf(
  named: readonly NamedFile[],
  there: ReadonlySet<string>,
): Promise<readonly string[]> {
  const others = await Promise.all(
    named.map(async ({ path, otherwise }) =>
      otherwise.length === 0 || there.has(path) || (await isFileAt(path)) ? [] : otherwise,
    ),
  );
  return others.flat();
}

/** Those of the project that are there. */
async function filesAt(paths: readonly string[], root: string): Promise<readonly ScriptFile[]> {
  const some = [...new Set(paths)].slice(0, MAX_PATHS);
  return (await Promise.all(some.map((path) => scriptFile(path, root)))).filter(isThere);
}

function isThere<T>(found: T | undefined): found is T {
  return found !== undefined;
}

/** What Node runs for a folder, as its package says. */
async function mainOf({ path }: ScriptFile): Promise<string | undefined> {
  if (basename(path) !== PACKAGE) return undefined;
  const read = await readTextFile(path, { maxBytes: MAX_PACKAGE_BYTES });
  const parsed = read.ok ? parseJson(read.value) : undefined;
  const main = isObject(parsed) ? parsed['main'] : undefined;
  return typeof main === 'string' && !main.includes('\0')
    ? resolve(dirname(path), main)
    : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Nothing can be run by it then.
    return undefined;
  }
}

/** The same files as they are now. */
export async function readAgain(before: readonly ScriptFile[]): Promise<readonly ScriptFile[]> {
  const found = await Promise.all(
    before.map(async (file) => ({ ...file, digest: await fileDigest(file.path) })),
  );
  return found.flatMap(({ digest, ...file }) =>
    digest === undefined ? [] : [{ ...file, digest }],
  );
}

async function scriptFile(path: string, root: string): Promise<ScriptFile | undefined> {
  // A link in the project is its word on what runs, and so is a way into it by a link from elsewhere.
  const isInside = isWithin(root, path) || isWithin(await realPathOf(root), await realPathOf(path));
  const digest = isInside ? await fileDigest(path) : undefined;
  return digest === undefined ? undefined : { path, shown: relative(root, path), digest };
}

function namedBy(entry: ServerEntry): readonly NamedFile[] {
  return byForm(entry, {
    stdio: (local) => scriptsOf(local, local),
    remote: (remote) => scriptsOf(helperLine(remote.headersHelper), remote),
    sdk: () => [],
  });
}

function scriptsOf(
  line: Line | undefined,
  { cwd, programFolder }: Pick<StdioEntry, 'cwd' | 'programFolder'>,
): readonly NamedFile[] {
  return line === undefined || cwd === undefined ? [] : namedFiles(line, { cwd, programFolder });
}

function helperLine(helper = ''): Line | undefined {
  const split = splitCommand(helper);
  return split.ok ? split.value : undefined;
}
