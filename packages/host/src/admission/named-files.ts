// Which files a command line names as what is to be run: the program, scripts among its words, and the files from which a
// runner such as `npm run` or `make` takes the command. Pure: whether a file is there is the caller's to find out.

import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programPath } from '../config/index.ts';
import { programName } from './program-name.ts';

export interface Line {
  readonly command: string;
  readonly args: readonly string[];
}

export interface LinePlace {
  readonly cwd: string;
  /** That of the file in which the line stands. */
  readonly programFolder: string | undefined;
}

export interface NamedFile {
  readonly path: string;
  /** Where an interpreter looks if there is no such file: `serve` can be `serve.js`, or a folder with an `index.js`. */
  readonly otherwise: readonly string[];
}

/** In the order of the line. Not all of them need to be there. */
export function namedFiles(
  { command, args }: Line,
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
    // No address of a file on this machine: no program can read it either.
    return word;
  }
}

/** Words of a line inside a word, such as the last of `bash -c 'exec node s.js'`. */
function partsOf(word: string): readonly string[] {
  return word.slice(0, MAX_INLINE).split(/[\s;&|()<>"'`=]+/);
}

/** What an interpreter runs: its first word, or what stands after its flags. */
function firstWords(args: readonly string[], words: readonly string[]): readonly string[] {
  const plain = words.find((word, index) => word !== '' && args[index]?.startsWith('-') !== true);
  const any = words.find((word) => word !== '');
  return [...new Set([any, plain])].filter((word) => word !== undefined);
}

/** As Node and Python look for what they are to run. */
function resolutions(word: string): readonly string[] {
  const endings = ['.js', '.json', '.cjs', '.mjs', '.ts'].map((ending) => `${word}${ending}`);
  const inFolder = [PACKAGE, 'index.js', 'index.ts', '__main__.py'].map((file) => join(word, file));
  return [...endings, ...inFolder];
}

/** What stands after a flag, or after its `=`. */
function valuesOf(flag: RegExp, args: readonly string[]): readonly string[] {
  return args.flatMap((word, index) => {
    if (flag.test(word)) return args[index + 1] ?? [];
    return flag.test(word.split('=')[0] ?? '') ? [flagValue(word)] : [];
  });
}

/** No secret, which is a mark so far, and nothing that would be read elsewhere. */
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

/** Folders that a program goes to first. */
const FOLDER_FLAG = /^(?:-C|--(?:directory|cwd|prefix|dir|project))$/;
const FILE_FLAG = /^(?:-f|--(?:file|makefile|justfile|taskfile))$/;

/** Programs that run what a file in the folder says. A flag can name another (`make -f mk`). */
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
