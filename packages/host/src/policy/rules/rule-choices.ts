// The rules that a yes to one call can be kept as, from the narrowest to the widest: for a command by its words, for a
// file by its folder, for a page by its origin, and at last for the tool with any arguments. Pure.

import { posix } from 'node:path';
import { commandPattern, isUrl, type Json, plainCommand } from '@plugboard/base';
import type { CallSubject } from './subject.ts';

/** As settings have it. */
export type RuleChoice =
  | string
  | {
      readonly tool: string;
      readonly arguments: ({ readonly path: string } & (
        | { readonly equals: string }
        | { readonly origin: string }
      ))[];
    };

const WORKSPACE = 'workspace';

export interface ChoicePlace {
  /** The top of the project, from which folders in rules are named. */
  readonly root: string;
  /** The folder from which the workspace names files. */
  readonly folder: string;
}

export function ruleChoices(
  { server, tool, arguments: given }: CallSubject,
  place: ChoicePlace,
): readonly RuleChoice[] {
  const whole = `${server}/${tool}`;
  const { command, path, url } = given;
  if (server !== WORKSPACE) return [...originChoices(whole, url), whole];
  if (tool === 'run_command' && typeof command === 'string') {
    return [...commandChoices(command), whole];
  }
  if (tool === 'web_fetch') {
    return [...siteChoices(whole, url), whole];
  }
  if ((tool === 'write_file' || tool === 'edit_file') && typeof path === 'string') {
    return folderChoices(path, place).map((folder) => `${WORKSPACE}/*_file(${folder})`);
  }
  return [whole];
}

/** For a tool that is given an address: pages of the same site. */
function originChoices(tool: string, url: Json | undefined): readonly RuleChoice[] {
  const origin = originOf(url);
  return origin === undefined ? [] : [{ tool, arguments: [{ path: 'url', origin }] }];
}

/** The same in short, for the tool of the workspace. */
function siteChoices(tool: string, url: Json | undefined): readonly RuleChoice[] {
  const origin = originOf(url);
  return origin === undefined ? [] : [`${tool}(${origin})`];
}

function originOf(url: Json | undefined): string | undefined {
  if (typeof url !== 'string' || !/^https?:/i.test(url) || !isUrl(url)) return undefined;
  return new URL(url).origin;
}

/** A rule is read before it is written. */
const MOST_CHARACTERS = 200;
const RUN = `${WORKSPACE}/run_command`;

function commandChoices(line: string): readonly RuleChoice[] {
  if (line.length > MOST_CHARACTERS || line !== line.trim()) return [];
  const words = plainCommand(line);
  if (words === undefined) {
    const isOneLine = !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(line);
    return isOneLine ? [{ tool: RUN, arguments: [{ path: 'command', equals: line }] }] : [];
  }
  const isExact = commandPattern(line) !== undefined && !/(?:^|[ \t])\*$/.test(line);
  const leading = leadingWords(words.map(({ text }) => text));
  return [
    ...(isExact ? [`${RUN}(${line})`] : []),
    ...(leading === undefined ? [] : [`${RUN}(${leading} *)`]),
  ];
}

/** Programs whose next words say what they do. */
const HAS_SUBCOMMANDS = new Set(
  'git npm pnpm yarn bun cargo go docker podman kubectl helm gh glab pip uv poetry gradle mvn dotnet make just composer bundle rails mix swift terraform brew apt systemctl'.split(
    ' ',
  ),
);

/** After these the next word is what is done as well: `npm run build`. */
const TWO_WORDS = new Set('run run-script compose remote stash worktree pr issue repo'.split(' '));

/** Programs that run whatever they are given: only the very same words are ever offered. */
const RUNS_OTHERS = new Set(
  'sudo doas su env xargs nohup nice timeout time setsid exec eval command builtin source . bash sh zsh dash fish ksh busybox node deno python python2 python3 ruby perl php lua awk gawk sed find fd npx bunx pnpx uvx ssh watch parallel entr rm dd chmod chown mkfs curl wget'.split(
    ' ',
  ),
);

const SUBCOMMAND = /^[a-z][a-z0-9:_-]*$/;

function leadingWords(words: readonly string[]): string | undefined {
  const [program = '', second = '', third = ''] = words;
  if (!/^[\w.+-]+$/.test(program) || program.startsWith('.') || RUNS_OTHERS.has(program)) {
    return undefined;
  }
  if (!HAS_SUBCOMMANDS.has(program)) return program;
  if (!SUBCOMMAND.test(second) || second === 'exec' || second === 'x') return undefined;
  if (!TWO_WORDS.has(second)) return `${program} ${second}`;
  return SUBCOMMAND.test(third) ? `${program} ${second} ${third}` : undefined;
}

/** The folder of the file, and the whole project; none for a place that a rule cannot name for sure. */
function folderChoices(path: string, { root, folder }: ChoicePlace): readonly string[] {
  const whole = posix.resolve(folder, path);
  const below = posix.relative(root, posix.dirname(whole));
  const isOdd = path.startsWith('~') || below.startsWith('..') || /[()*\\\p{C}]/u.test(below);
  return isOdd ? [] : [...new Set([below === '' ? '.' : below, '.'])];
}
