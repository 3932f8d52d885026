// Finds the files that a command line would run: the program, scripts among its words, and the files from
// which a runner such as `npm run` or `make` takes its command. Pure: whether a file exists is left to the
// caller.

import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programPath } from '../config/index.ts';
import { programName } from './program-name.ts';

export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

export interface LinePlace {
  readonly cwd: string;
  /** The folder of the configuration file with the command line. */
  readonly programFolder: string | undefined;
}

export interface NamedFile {
  readonly path: string;
  /** The files that an interpreter tries next: `serve` can be `serve.js`, or a folder with an `index.js`. */
  readonly otherwise: readonly string[];
}

/** In the order of the words. Not all of the files need to exist. */
export function namedFiles(
  { command, args }: CommandLine,
  { cwd, programFolder }: LinePlace,
): readonly NamedFile[] {
  const program = /[/\\]/.test(command) ? [resolve(cwd, programPath(command, programFolder))] : [];
  const words = args.map((word) => (word.startsWith('-') ? flagValue(word) : word)).map(asPath);
  const folders = [cwd, ...valuesOf(FOLDER_FLAG, args).map((folder) => resolve(cwd, folder))];
  const scripts = words
    .flatMap((word) => (/\s/.test(word) ? partsOf(word) : [word]))
    .filter((word) => SCRIPT.test(word));
  const name = programName(command);
  const first = INTERPRETER.test(name) ? firstWords(args, words) : [];
  const own = RUNNERS.filter(({ program: runner }) => runner.test(name)).flatMap(({ files }) => [
    ...valuesOf(FILE_FLAG, args),
    ...files,
  ]);
  const paths = [...new Set([...first, ...scripts, ...own])].filter(isPath);
  const isFirst = new Set(first);
  return [
    ...program.map((path) => ({ path, otherwise: [] })),
    ...folders.flatMap((folder) =>
      paths.map((path) => ({
        path: resolve(folder, path),
        otherwise: isFirst.has(path)
          ? resolutions(path).map((other) => resolve(folder, other))
          : [],
      })),
    ),
  ];
}

/** `./hook.cjs` of `--require=./hook.cjs`. */
function flagValue(flag: string): string {
  const at = flag.indexOf('=');
  return at < 0 ? '' : flag.slice(at + 1);
}

function asPath(word: string): string {
  if (!word.startsWith('file:///')) return word;
  try {
    return fileURLToPath(word);
  } catch {
    // Not the address of a file on this machine, so no program can read it either.
    return word;
  }
}

/** Words of a line inside a word, such as the last of `bash -c 'exec node s.js'`. */
function partsOf(word: string): readonly string[] {
  return word.slice(0, MAX_INLINE).split(/[\s;&|()<>"'`=]+/);
}

/** The script of an interpreter: its first word, or the first one after its flags. */
function firstWords(args: readonly string[], words: readonly string[]): readonly string[] {
  const plain = words.find((word, index) => word !== '' && args[index]?.startsWith('-') !== true);
  const any = words.find((word) => word !== '');
  return [...new Set([any, plain])].filter((word) => word !== undefined);
}

/** The files that Node and Python try for a script. */
function resolutions(word: string): readonly string[] {
  const endings = ['.js', '.json', '.cjs', '.mjs', '.ts'].map((ending) => `${word}${ending}`);
  const inFolder = [PACKAGE, 'index.js', 'index.ts', '__main__.py'].map((file) => join(word, file));
  return [...endings, ...inFolder];
}

/** The values of a flag, in the next word or after `=`. */
function valuesOf(flag: RegExp, args: readonly string[]): readonly string[] {
  return args.flatMap((word, index) => {
    if (flag.test(word)) return args[index + 1] ?? [];
    return flag.test(word.split('=')[0] ?? '') ? [flagValue(word)] : [];
  });
}

/** Excludes secrets, which are marks here, and URLs. */
function isPath(word: string): boolean {
  return word !== '' && word.length <= MAX_PATH && !word.includes('\0') && !word.includes('://');
}

export const PACKAGE = 'package.json';
const MAX_PATH = 1024;
const MAX_INLINE = 16_384;
const SCRIPT =
  /\.(?:[cm]?[jt]sx?|pyw?|pyz|rb|sh|bash|zsh|fish|pl|php|lua|jar|wasm|exe|ps1|bat|cmd|exs?|jl|r|go)$/i;
const INTERPRETER =
  /^(?:(?:ba|da|z|k|fi)?sh|node|nodejs|bun|deno|tsx|ts-node|(?:python|pypy)[\d.]*w?|py|perl|ruby|php|lua|java)$/;

/** Flags for the working folder of a program. */
const FOLDER_FLAG = /^(?:-C|--(?:directory|cwd|prefix|dir|project))$/;
const FILE_FLAG = /^(?:-f|--(?:file|makefile|justfile|taskfile))$/;

/** Programs that take their commands from a file in the folder. A flag can name another file (`make -f mk`). */
const RUNNERS: readonly { readonly program: RegExp; readonly files: readonly string[] }[] = [
  { program: /^(?:npm|pnpm|yarn|bun)$/, files: [PACKAGE] },
  { program: /^deno$/, files: ['deno.json', 'deno.jsonc', PACKAGE] },
  { program: /^g?make$/, files: ['GNUmakefile', 'makefile', 'Makefile'] },
  { program: /^just$/, files: ['justfile', 'Justfile', '.justfile'] },
  { program: /^task$/, files: ['Taskfile.yml', 'Taskfile.yaml'] },
  {
    program: /^(?:docker|podman)(?:-compose)?$/,
    files: ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml'],
  },
];
