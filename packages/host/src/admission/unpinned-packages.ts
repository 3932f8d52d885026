// Finds packages that a command line downloads without an exact version: the same line can run other code
// tomorrow. Treats every word as a possible start of a program, as in `cmd /c npx …`. Only a hint: downloads
// of a script are not found.

import { programName } from './program-name.ts';

export interface UnpinnedPackage {
  readonly runner: string;
  readonly package: string;
}

export function findUnpinned(argv: readonly string[]): readonly UnpinnedPackage[] {
  for (const [index, word] of argv.entries()) {
    const found = readRunner(programName(word), argv.slice(index + 1));
    if (found !== undefined) {
      const { runner, packages, isPinned } = found;
      return packages
        .filter((spec) => !isLocal(spec) && !isPinned(spec))
        .map((spec) => ({ runner, package: spec }));
    }
  }
  return [];
}

/** The package or image that a command line runs, as written; `undefined` if it runs none. */
export function packageIn(argv: readonly string[]): string | undefined {
  const [program = '', ...rest] = argv;
  return readRunner(programName(program), rest)?.packages[0];
}

interface RunnerCall {
  readonly runner: string;
  readonly packages: readonly string[];
  readonly isPinned: (spec: string) => boolean;
}

interface Runner {
  readonly names: RegExp;
  /** The words that make the program a runner; without any, it always is one. */
  readonly verbs?: readonly string[];
  /** The flags that are followed by a value. */
  readonly valued: RegExp;
  /** The flags whose value is a package; then the first word is a program of that package. */
  readonly packageFlag?: RegExp;
  /** The flags whose value is a package in addition to the first word. */
  readonly extraFlag?: RegExp;
  readonly isPinned: (spec: string) => boolean;
}

const COMMIT = /[#@][0-9a-f]{40}$/i;

/** `server@1.2.3`, `@scope/server@1.2.3-rc.1`, but not a range or a tag. */
const isExactNpm = (spec: string): boolean =>
  /^(?:npm:|jsr:)?(?:@[^@/]+\/)?[^@/:]+@v?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?(?:\/.*)?$/.test(spec) ||
  COMMIT.test(spec);

/** `server==1.2.3`, `server[extra]@1.2.3`. */
const isExactPython = (spec: string): boolean =>
  /^[\w.-]+(?:\[[^\]]*\])?(?:===?|@)v?\d[\w.+!-]*$/.test(spec) || COMMIT.test(spec);

/** With a digest, or with any tag except `latest`. */
const isExactImage = (spec: string): boolean => {
  if (/@sha256:[0-9a-f]{64}$/.test(spec)) return true;
  const tag = /:([^:/]+)$/.exec(spec)?.[1];
  return tag !== undefined && tag !== 'latest' && !tag.includes('$');
};

/** The flags of Docker that have no value; hundreds of others have one. */
const DOCKER_SWITCH =
  /^(?:-[ditPq]+|--(?:detach|init|interactive|tty|privileged|publish-all|quiet|read-only|rm|sig-proxy|no-healthcheck|oom-kill-disable|disable-content-trust|replace|tls-verify))$/;

const RUNNERS: readonly Runner[] = [
  {
    names: /^(?:npx|pnpx|bunx)$/,
    valued: /^--(?:registry|cache|prefix|userconfig|workspace|loglevel|node-options)$|^-w$/,
    packageFlag: /^(?:-p|--package)$/,
    isPinned: isExactNpm,
  },
  {
    names: /^(?:npm|pnpm|yarn|bun)$/,
    verbs: ['exec', 'x', 'dlx'],
    valued: /^--(?:registry|cache|prefix|userconfig|workspace|loglevel|dir|filter)$|^-[wC]$/,
    packageFlag: /^(?:-p|--package)$/,
    isPinned: isExactNpm,
  },
  {
    names: /^(?:uvx|pipx|uv)$/,
    verbs: ['run', 'tool run'],
    valued:
      /^--(?:python|index|default-index|index-url|extra-index-url|find-links|directory|project|env-file|with-editable|pip-args|cache-dir|config-file|constraints|exclude-newer|refresh-package)$|^-[pifc]$/,
    packageFlag: /^--(?:from|spec)$/,
    extraFlag: /^--with$/,
    isPinned: isExactPython,
  },
  {
    names: /^(?:docker|podman|nerdctl)$/,
    verbs: ['run'],
    valued: /^$/,
    isPinned: isExactImage,
  },
  {
    names: /^deno$/,
    verbs: ['run', 'x'],
    valued: /^(?:-c|--(?:config|import-map|env-file|seed|location|cert|lock))$/,
    isPinned: (spec) => !/^(?:npm|jsr|https?):/.test(spec) || isExactNpm(spec),
  },
];

function readRunner(name: string, words: readonly string[]): RunnerCall | undefined {
  const runner = RUNNERS.find(({ names }) => names.test(name));
  if (runner === undefined) return undefined;
  const verb = verbOf(name, runner, words);
  if (verb === undefined) return undefined;
  const rest = words.slice(verb.end);
  const called = [name, ...verb.words].join(' ');
  return { runner: called, packages: packagesIn(rest, runner), isPinned: runner.isPinned };
}

/** A few words may precede the verb: `docker --context x container run`. */
const FURTHEST_VERB = 4;

/** `npx` needs no verb, and `uvx` is `uv tool run`. */
function verbOf(
  name: string,
  { verbs }: Runner,
  words: readonly string[],
): { readonly words: readonly string[]; readonly end: number } | undefined {
  if (verbs === undefined || name === 'uvx') return { words: [], end: 0 };
  for (const verb of verbs) {
    const parts = verb.split(' ');
    // `uv run` uses the packages of the project; only `uv tool run` downloads.
    if (name === 'uv' && verb === 'run') continue;
    const start = words
      .slice(0, FURTHEST_VERB)
      .findIndex((_, at) => parts.every((part, index) => words[at + index] === part));
    if (start >= 0) return { words: parts, end: start + parts.length };
  }
  return undefined;
}

function packagesIn(words: readonly string[], runner: Runner): readonly string[] {
  const named: string[] = [];
  const extra: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const [, flag = word, joined] = /^(--?[\w-]+)=(.*)$/s.exec(word) ?? [];
    const value = joined ?? words[index + 1] ?? '';
    if (!word.startsWith('-') || word === '-') {
      return [...(named.length > 0 ? named : [word]), ...extra];
    }
    if (runner.packageFlag?.test(flag) === true) named.push(value);
    if (runner.extraFlag?.test(flag) === true) extra.push(...value.split(','));
    if (joined === undefined && takesValue(flag, runner)) index += 1;
  }
  return [...named, ...extra];
}

function takesValue(flag: string, { names, valued, packageFlag, extraFlag }: Runner): boolean {
  if (names.test('docker')) return !DOCKER_SWITCH.test(flag) && !/^-\w./.test(flag);
  return [valued, packageFlag, extraFlag].some((flags) => flags?.test(flag) === true);
}

/** A local path is not downloaded. */
function isLocal(spec: string): boolean {
  return /^(?:\.{0,2}[/\\]|\.{1,2}$|~|file:|[A-Za-z]:[/\\])/.test(spec);
}
