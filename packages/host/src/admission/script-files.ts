// Finds the files of a project that a server's command line runs: the program itself, and scripts among its words. An
// approval is bound to their content. Files that these load in turn are ignored.

import { basename, dirname, relative, resolve } from 'node:path';
import { isObject } from '@plugboard/base';
import { byForm, type ServerEntry, splitCommand, type StdioEntry } from '../config/index.ts';
import { fileDigest, isFileAt, isWithin, readTextFile, realPathOf } from '../platform/index.ts';
import { type CommandLine, type NamedFile, namedFiles, PACKAGE } from './named-files.ts';

export interface ScriptFile {
  readonly path: string;
  /** The path from the top of the project. */
  readonly shown: string;
  readonly digest: string;
}

/** More than a realistic command line names, including all files that an interpreter would try. */
const MAX_PATHS = 256;
const MAX_PACKAGE_BYTES = 1024 * 1024;

/** `root`: the top of the project; files elsewhere are ignored. */
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
  const fallbacks = await filesAt(await otherwiseOf(named, there), root);
  const found = [...first, ...fallbacks.filter(({ path }) => !there.has(path))];
  const mains = await Promise.all(found.map((file) => mainOf(file)));
  const others = mains
    .filter((path) => path !== undefined)
    .filter((path) => !found.some((file) => file.path === path));
  return [...found, ...(await filesAt(others, root))];
}

/** The files to try for paths that do not exist. A file outside of the project also ends the search. */
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

/** The existing files of the project. */
async function filesAt(paths: readonly string[], root: string): Promise<readonly ScriptFile[]> {
  const some = [...new Set(paths)].slice(0, MAX_PATHS);
  const found = await Promise.all(some.map((path) => scriptFile(path, root)));
  return found.filter((file) => file !== undefined);
}

/** The `main` file of a package, which Node runs for its folder. */
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
    // Node cannot run anything from it.
    return undefined;
  }
}

/** Reads the same files again. */
export async function readAgain(before: readonly ScriptFile[]): Promise<readonly ScriptFile[]> {
  const found = await Promise.all(
    before.map(async (file) => ({ ...file, digest: await fileDigest(file.path) })),
  );
  return found.flatMap(({ digest, ...file }) =>
    digest === undefined ? [] : [{ ...file, digest }],
  );
}

async function scriptFile(path: string, root: string): Promise<ScriptFile | undefined> {
  // A file belongs to the project by its path, even if it is a link, and by its real path.
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
  line: CommandLine | undefined,
  { cwd, programFolder }: Pick<StdioEntry, 'cwd' | 'programFolder'>,
): readonly NamedFile[] {
  return line === undefined || cwd === undefined ? [] : namedFiles(line, { cwd, programFolder });
}

function helperLine(helper = ''): CommandLine | undefined {
  const split = splitCommand(helper);
  return split.ok ? split.value : undefined;
}
