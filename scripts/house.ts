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
  .map((path) => readFileSync(join(repositoryRoot, path), 'utf8'));

const wantsInstall = process.argv.includes('--install');
if (process.argv.includes('--functions')) printFunctions(runOneCall());
else print([...sizes(), ...glossary(), ...oneCall(), ...(wantsInstall ? installed() : [])]);

function sizes(): readonly Row[] {
  const lines = sources.reduce((sum, text) => sum + text.trimEnd().split('\n').length, 0);
  const small = sources.filter((text) => codeLines(text) <= SMALL_FILE).length;
  const interfaces = sources.reduce(
    (sum, text) => sum + count(text, /^(?:export )?interface /gm),
    0,
  );
  return [
    { what: 'source files', value: number(sources.length), wanted: '' },
    { what: 'source lines, without testkit', value: number(lines), wanted: '80,000' },
    { what: `files of at most ${SMALL_FILE} lines of code`, value: number(small), wanted: '20' },
    {
      what: 'interfaces per 1,000 lines',
      value: ((1000 * interfaces) / lines).toFixed(1),
      wanted: '7',
    },
  ];
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

/** The installed size of `npm i plugboard` and its library packages, in bytes of files, not of disk blocks. */
function installed(): readonly Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'plugboard-install-'));
  try {
    const app = join(folder, 'app');
    mkdirSync(app);
    const npm = (cwd: string, args: readonly string[]): void => {
      execFileSync('npm', args, { cwd, stdio: 'ignore' });
    };
    for (const path of publishedPackages())
      npm(path, ['pack', '--ignore-scripts', '--pack-destination', folder]);
    const packed = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
    npm(app, ['init', '-y']);
    npm(app, ['install', '--no-audit', ...packed.map((name) => join(folder, name))]);
    const bytes = bytesUnder(join(app, 'node_modules'));
    return [{ what: 'MB that the packages install', value: number(bytes / 1e6), wanted: '120' }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function publishedPackages(): readonly string[] {
  return foldersIn('packages')
    .map((name) => join(repositoryRoot, 'packages', name))
    .filter((path) => {
      const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as {
        readonly private?: boolean;
      };
      return manifest.private !== true;
    });
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
