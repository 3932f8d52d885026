// `npm run house`: measures the simplicity of the code: its size, and how much of it runs for one call from the shell.
// It is a report, not a check. With `--install` it also packs and installs the packages, which takes a minute. With
// `--functions` it prints only the functions that ran for that call, by file, with their counts. `npm run bench --
// call` measures the time of a call.

import { execFileSync, spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sandbox } from '../bench/measure/sandbox.ts';
import { trustServers } from '../bench/measure/trust.ts';
import { filesUnder, foldersIn, repositoryRoot } from '../tooling/source/files.ts';

interface Row {
  readonly what: string;
  readonly value: string;
  readonly wanted: string;
}

const SMALL_FILE = 12;
const everything = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';

const sources = foldersIn('packages')
  .filter((name) => name !== 'testkit')
  .flatMap((name) => ['.ts', '.tsx'].flatMap((end) => filesUnder(`packages/${name}/src`, end)))
  .map((path) => ({ path, text: readFileSync(join(repositoryRoot, path), 'utf8') }));

const wantsInstall = process.argv.includes('--install');
if (process.argv.includes('--functions')) printFunctions(runOneCall());
else print([...sizes(), ...glossary(), ...oneCall(), ...(wantsInstall ? installed() : [])]);

function sizes(): readonly Row[] {
  const lines = overSources(({ text }) => text.trimEnd().split('\n').length);
  const small = sources.filter(({ text }) => codeLines(text) <= SMALL_FILE);
  const interfaces = overSources(({ text }) => count(text, /^(?:export )?interface /gm));
  const ports = overSources(({ text }) => portsIn(text));
  const perThousand = (found: number): string => ((1000 * found) / lines).toFixed(1);
  return [
    { what: 'source files', value: number(sources.length), wanted: '' },
    { what: 'source lines, without testkit', value: number(lines), wanted: '80,000' },
    {
      what: `files of at most ${SMALL_FILE} lines of code`,
      value: number(small.length),
      wanted: '20',
    },
    {
      what: '  without those that only export what others define',
      value: number(small.filter(({ text }) => !isDoor(text)).length),
      wanted: '',
    },
    { what: 'interfaces per 1,000 lines', value: perThousand(interfaces), wanted: '7' },
    { what: '  with a function, so not only data', value: perThousand(ports), wanted: '' },
  ];
}

function overSources(amount: (source: (typeof sources)[number]) => number): number {
  return sources.reduce((total, source) => total + amount(source), 0);
}

/** The interfaces that have a method or a member that is a function. */
function portsIn(text: string): number {
  const bodies = text.match(/^(?:export )?interface [^;]*?\{\n(?: .*\n|\n)*\}/gm) ?? [];
  return bodies.filter((body) => /^ {2}(?:readonly )?\w+\??(?:<[^\n]*>)?\(|=>/m.test(body)).length;
}

function isDoor(text: string): boolean {
  const statements = text.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '').trim();
  return /^(?:export (?:type )?(?:\*|\{[^}]*\}) from '[^']+';\s*)+$/.test(statements);
}

function glossary(): readonly Row[] {
  const text = readFileSync(join(repositoryRoot, 'CONTEXT.md'), 'utf8');
  // Each table has two header rows.
  const rows = count(text, /^\|/gm) - 2 * count(text, /^\|---/gm);
  return [{ what: 'words in the glossary', value: number(rows), wanted: '90' }];
}

function oneCall(): readonly Row[] {
  const ran = runOneCall();
  const files = new Set(ran.map(({ file }) => file));
  return [
    { what: 'files that run for one call', value: number(files.size), wanted: '130' },
    { what: 'functions that run for one call', value: number(ran.length), wanted: '650' },
  ];
}

/** Runs the compiled modules, since the bundle joins them. */
function runOneCall(): readonly FunctionRun[] {
  const server = { command: process.execPath, args: [join(repositoryRoot, everything)] };
  using box = sandbox({ everything: server });
  trustServers(['everything'], box);
  const main = join(repositoryRoot, 'packages/cli/dist/main.js');
  const args = [main, 'call', 'everything', 'echo', 'message=hi'];
  const call = (env: NodeJS.ProcessEnv): void => {
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: box.folder, env });
    if (status !== 0) throw new Error(`the call failed: ${String(stderr)}`);
  };
  // The first call stores what later ones use.
  call(box.env);
  const folder = join(box.folder, 'coverage');
  mkdirSync(folder);
  call({ ...box.env, NODE_V8_COVERAGE: folder });
  return readdirSync(folder).flatMap((name) => functionsRun(join(folder, name)));
}

/** The installed size of the command alone and of all packages, in bytes of files, not of disk blocks. */
function installed(): readonly Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'plugboard-install-'));
  try {
    const npm = (cwd: string, args: readonly string[]): string =>
      execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const packed = new Map(
      publishedPackages().map(({ path, name }) => {
        const args = ['pack', '--ignore-scripts', '--pack-destination', folder];
        return [name, join(folder, npm(path, args).trim())] as const;
      }),
    );
    const megabytes = (app: string, names: readonly string[]): string => {
      const cwd = join(folder, app);
      mkdirSync(cwd);
      npm(cwd, ['init', '-y']);
      const archives = names.map((name) => packed.get(name) ?? name);
      npm(cwd, ['install', '--no-audit', ...archives]);
      return number(bytesUnder(join(cwd, 'node_modules')) / 1e6);
    };
    return [
      {
        what: 'MB that the command installs',
        value: megabytes('command', neededBy('plugboard')),
        wanted: '',
      },
      {
        what: 'MB that all packages install',
        value: megabytes('all', [...packed.keys()]),
        wanted: '120',
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Published {
  readonly path: string;
  readonly name: string;
  readonly dependencies: readonly string[];
}

function publishedPackages(): readonly Published[] {
  return foldersIn('packages').flatMap((folder) => {
    const path = join(repositoryRoot, 'packages', folder);
    const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as {
      readonly name: string;
      readonly private?: boolean;
      readonly dependencies?: Readonly<Record<string, string>>;
    };
    if (manifest.private === true) return [];
    const dependencies = Object.keys(manifest.dependencies ?? {});
    return [{ path, name: manifest.name, dependencies }];
  });
}

/** A package and those of ours that it depends on, which the registry does not have. */
function neededBy(name: string): readonly string[] {
  const found = publishedPackages().find((one) => one.name === name);
  if (found === undefined) return [];
  return [...new Set([name, ...found.dependencies.flatMap((one) => neededBy(one))])];
}

function bytesUnder(path: string): number {
  const entry = lstatSync(path);
  if (!entry.isDirectory()) return entry.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesUnder(join(path, name)), 0);
}

interface Script {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly count: number }[];
  }[];
}

interface FunctionRun {
  readonly file: string;
  readonly name: string;
  readonly times: number;
}

/** The functions of this repository that ran at least once, without the top level of modules. */
function functionsRun(coverage: string): readonly FunctionRun[] {
  const { result } = JSON.parse(readFileSync(coverage, 'utf8')) as {
    readonly result: readonly Script[];
  };
  return result.flatMap(({ url, functions }) => {
    const file = /\/packages\/([^/]+\/dist\/.*)$/.exec(url)?.[1];
    if (file === undefined) return [];
    return functions.slice(1).flatMap(({ functionName, ranges }) => {
      const times = ranges[0]?.count ?? 0;
      return times > 0 ? [{ file, name: functionName || '(no name)', times }] : [];
    });
  });
}

function printFunctions(ran: readonly FunctionRun[]): void {
  for (const file of [...new Set(ran.map((each) => each.file))].toSorted()) {
    const here = ran.filter((each) => each.file === file);
    console.log(`${file}  ${here.length}`);
    console.log(`    ${here.map(({ name, times }) => `${name} ×${times}`).join(', ')}`);
  }
}

function codeLines(text: string): number {
  return text.split('\n').filter((line) => !/^\s*(?:\/\/.*|\/?\*.*)?$/.test(line)).length;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function number(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function print(rows: readonly Row[]): void {
  const width = Math.max(...rows.map(({ what }) => what.length));
  for (const { what, value, wanted } of rows) {
    const aim = wanted === '' ? '' : `   at most ${wanted} wanted`;
    console.log(`${what.padEnd(width)}  ${value.padStart(7)}${aim}`);
  }
}
