// The rules that the approval of a call can be kept as, from the narrowest to the broadest: for a command by its words, for
// a file by its folder, for a page by its origin, and finally for the tool with any arguments. Pure.

import { posix } from 'node:path';
import { commandPattern, isUrl, type Json, plainCommand } from '@plugboard/base';
import type { CallSubject } from './subject.ts';

/** A rule in the form of settings. */
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
  /** The top folder of the project, to which folders in rules are relative. */
  readonly root: string;
  /** The folder to which paths in the workspace are relative. */
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

/** For a tool with an address: pages with the same origin. */
function originChoices(tool: string, url: Json | undefined): readonly RuleChoice[] {
  const origin = originOf(url);
  return origin === undefined ? [] : [{ tool, arguments: [{ path: 'url', origin }] }];
}

/** The same in short form, for the tool of the workspace. */
function siteChoices(tool: string, url: Json | undefined): readonly RuleChoice[] {
  const origin = originOf(url);
  return origin === undefined ? [] : [`${tool}(${origin})`];
}

function originOf(url: Json | undefined): string | undefined {
  if (typeof url !== 'string' || !/^https?:/i.test(url) || !isUrl(url)) return undefined;
  return new URL(url).origin;
}

/** The maximum length of a rule that the user can read before accepting it. */
const MAX_CHARACTERS = 200;
const RUN = `${WORKSPACE}/run_command`;

function commandChoices(line: string): readonly RuleChoice[] {
  if (line.length > MAX_CHARACTERS || line !== line.trim()) return [];
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

/** Programs with subcommands. */
const HAS_SUBCOMMANDS = new Set(
  'git npm pnpm yarn bun cargo go docker podman kubectl helm gh glab pip uv poetry gradle mvn dotnet make just composer bundle rails mix swift terraform brew apt systemctl'.split(
    ' ',
  ),
);

/** Subcommands that are followed by another one: `npm run build`. */
const TWO_WORDS = new Set('run run-script compose remote stash worktree pr issue repo'.split(' '));

/** Programs that run any given command: only the exact command is offered. */
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

/** The folder of the file, and the whole project; none for a path that a rule cannot name exactly. */
function folderChoices(path: string, { root, folder }: ChoicePlace): readonly string[] {
  const whole = posix.resolve(folder, path);
  const below = posix.relative(root, posix.dirname(whole));
  const isOdd = path.startsWith('~') || below.startsWith('..') || /[()*\\\p{C}]/u.test(below);
  return isOdd ? [] : [...new Set([below === '' ? '.' : below, '.'])];
}
