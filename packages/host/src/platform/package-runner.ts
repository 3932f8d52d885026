// Recognizes programs that fetch a package before they start it, such as npx and uvx, and whether one is still fetching:
// then its process group contains only the runner itself.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { hasProcFolder } from '@plugboard/base/platform';
import { processTable } from './process-table.ts';

/** By their names, with the first argument that makes them fetch a package. */
const RUNNERS: ReadonlyMap<string, RegExp> = new Map([
  ['npx', /(?:)/],
  ['npm', /^(?:exec|x)$/],
  ['pnpm', /^(?:dlx|exec)$/],
  ['pnpx', /(?:)/],
  ['yarn', /^dlx$/],
  ['bunx', /(?:)/],
  ['bun', /^x$/],
  ['uvx', /(?:)/],
  ['uv', /^(?:tool|x|run)$/],
  ['pipx', /^run$/],
]);

/** The runner's name; `undefined` if the command starts its program at once. */
export function packageRunnerOf(command: string, args: readonly string[]): string | undefined {
  const name = basename(command).replace(/\.(?:cmd|exe|ps1)$/i, '');
  return RUNNERS.get(name)?.test(args[0] ?? '') === true ? name : undefined;
}

/**
 * Makes npm take its settings and packages from `prefix`, in addition to those of the user, and not from the folder that
 * it starts in. The arguments of other programs are unchanged.
 */
export function withNpmPrefix(
  command: string,
  args: readonly string[],
  prefix: string,
): readonly string[] {
  const [first = '', ...rest] = args;
  switch (packageRunnerOf(command, args)) {
    case 'npx':
      return [`--prefix=${prefix}`, ...args];
    case 'npm':
      return [first, `--prefix=${prefix}`, ...rest];
    default:
      return args;
  }
}

/** False if the system does not report it. */
export async function isOnlyRunner(group: number): Promise<boolean> {
  const commands = await (hasProcFolder ? commandsFromProc(group) : commandsFromPs(group));
  return commands.length > 0 && commands.every(isRunner);
}

/** `npm` renames its process to `npm exec PACKAGE`. Of a script, the name is the second word, after its interpreter. */
function isRunner(words: readonly string[]): boolean {
  const [first = '', second = ''] = words
    .flatMap((word) => word.split(' '))
    .map((word) => basename(word));
  return RUNNER_NAMES.test(first) || (SCRIPT_HOSTS.test(first) && RUNNER_NAMES.test(second));
}

const RUNNER_NAMES =
  /^(?:npx|npm|pnpm|pnpx|yarn|bunx?|uvx?|pipx|volta-shim|asdf|mise)(?:-cli)?(?:\.[cm]?js|\.exe)?$/;
const SCRIPT_HOSTS = /^(?:node|python\d*(?:\.\d+)?|env|sh|bash)(?:\.exe)?$/;

async function commandsFromProc(group: number): Promise<readonly (readonly string[])[]> {
  // No signs are needed, so none are read.
  const table = await processTable(Number.POSITIVE_INFINITY);
  return table
    .group(group)
    .flatMap(({ pid }) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return [words.filter((word) => word !== '')];
      } catch {
        // The process has ended meanwhile.
        return [];
      }
    })
    .filter((words) => words.length > 0);
}

const PS_MS = 2000;

function commandsFromPs(group: number): Promise<readonly (readonly string[])[]> {
  if (process.platform === 'win32') return Promise.resolve([]);
  return new Promise((resolve) => {
    const args = ['-A', '-o', 'pgid=,command='];
    execFile('ps', args, { timeout: PS_MS, maxBuffer: 4 * 1024 * 1024 }, (_failed, text) => {
      const lines = text.split('\n').map((line) => line.trim().split(/\s+/));
      resolve(lines.filter(([id]) => Number(id) === group).map(([, ...words]) => words));
    });
  });
}
