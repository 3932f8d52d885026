// The files of a project that a server's command line names as what is to be run: the program itself, and scripts among
// its words. An approval is bound to what they hold. What those load in turn is not looked at.

import { relative, resolve } from 'node:path';
import {
  byForm,
  programPath,
  type ServerEntry,
  splitCommand,
  type StdioEntry,
} from '../config/index.ts';
import { fileDigest, isWithin, realPathOf } from '../platform/index.ts';
import { programName } from './program-name.ts';

export interface ScriptFile {
  readonly path: string;
  /** From the top of the project. */
  readonly shown: string;
  readonly digest: string;
}

/** More of them than a command line of a person names. */
const MAX_SCRIPTS = 16;

/** `root` is the top of the project: files elsewhere are not of it. */
export async function scriptFiles(
  entry: ServerEntry,
  root: string,
): Promise<readonly ScriptFile[]> {
  const paths = [...new Set(scriptPaths(entry))].slice(0, MAX_SCRIPTS);
  const found = await Promise.all(paths.map((path) => scriptFile(path, root)));
  return found.filter((file) => file !== undefined);
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

function scriptPaths(entry: ServerEntry): readonly string[] {
  return byForm(entry, {
    stdio: (local) => scriptsOf(local, local),
    remote: (remote) => scriptsOf(helperLine(remote.headersHelper), remote),
    sdk: () => [],
  });
}

function scriptsOf(
  line: Line | undefined,
  { cwd, programFolder }: Pick<StdioEntry, 'cwd' | 'programFolder'>,
): readonly string[] {
  if (line === undefined || cwd === undefined) return [];
  const { command, args } = line;
  const program = /[/\\]/.test(command) ? [resolve(cwd, programPath(command, programFolder))] : [];
  const words = args.map((word) => (word.startsWith('-') ? flagValue(word) : word));
  const first = INTERPRETER.test(programName(command)) ? words.find((word) => word !== '') : '';
  const scripts = words.filter((word) => word === first || SCRIPT.test(word));
  return [...program, ...scripts.filter(isPath).map((word) => resolve(cwd, word))];
}

function helperLine(helper = ''): Line | undefined {
  const split = splitCommand(helper);
  return split.ok ? split.value : undefined;
}

interface Line {
  readonly command: string;
  readonly args: readonly string[];
}

/** `./hook.cjs` of `--require=./hook.cjs`. */
function flagValue(flag: string): string {
  const at = flag.indexOf('=');
  return at < 0 ? '' : flag.slice(at + 1);
}

/** No secret, which is a mark so far, and nothing that would be read elsewhere. */
function isPath(word: string): boolean {
  return word !== '' && word.length <= MAX_PATH && !word.includes('\0') && !word.includes('://');
}

const MAX_PATH = 1024;
const SCRIPT =
  /\.(?:[cm]?[jt]sx?|pyw?|pyz|rb|sh|bash|zsh|fish|pl|php|lua|jar|wasm|exe|ps1|bat|cmd|exs?|jl|r)$/i;
const INTERPRETER =
  /^(?:(?:ba|da|z|k|fi)?sh|node|nodejs|bun|deno|tsx|ts-node|(?:python|pypy)[\d.]*w?|py|perl|ruby|php|lua|java)$/;
