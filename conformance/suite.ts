// Runs the official suite as a process and reads its results from a folder. The suite and the Node that it needs are
// installed on first use; the client under test runs with the Node of this process.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installNewerNode, nodeWithSqlite } from '../packages/testkit/src/newer-node.ts';
import { type Check, DONE, type ScenarioRun } from './judge.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SUITE = join(FOLDER, 'node_modules/@modelcontextprotocol/conformance');
/** Much longer than a client needs, since a busy machine is not a failure. */
const CLIENT_TIMEOUT_MS = 90_000;

export function installSuite(): void {
  installNewerNode();
  if (existsSync(join(SUITE, 'package.json')) && suiteVersion() === lockedVersion()) return;
  console.error('conformance: installing the suite (about 50 MB, once) ...');
  // The suite requires a newer Node, with which it runs later.
  const options = ['--no-audit', '--no-fund', '--loglevel=error', '--engine-strict=false'];
  const run = spawnSync('npm', ['ci', ...options], {
    cwd: FOLDER,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (run.status !== 0) throw new Error('npm ci in conformance/ failed');
}

export function suiteVersion(): string {
  return (read(join(SUITE, 'package.json')) as { readonly version: string }).version;
}

function lockedVersion(): string | undefined {
  const { packages } = read(join(FOLDER, 'package-lock.json')) as {
    readonly packages: Readonly<Record<string, { readonly version: string } | undefined>>;
  };
  return packages['node_modules/@modelcontextprotocol/conformance']?.version;
}

/** Runs the selected scenarios against the client: a set in parallel, or a single one. */
export function runSuite(words: readonly string[]): Promise<readonly ScenarioRun[]> {
  const client = ['client', '--command', clientCommand(), '--timeout', String(CLIENT_TIMEOUT_MS)];
  return resultsOf([...client, ...words]);
}

/** Runs the selected scenarios against a listening server, one after the other. */
export async function runServerSuite(
  url: string,
  words: readonly string[],
): Promise<readonly ScenarioRun[]> {
  const runs = await resultsOf(['server', '--url', url, ...words]);
  // The suite adds this prefix to its folders, and a server prints nothing at its end.
  return runs.map((run) => ({
    ...run,
    scenario: run.scenario.replace(/^server-/, ''),
    lastWords: DONE,
  }));
}

async function resultsOf(words: readonly string[]): Promise<readonly ScenarioRun[]> {
  const results = mkdtempSync(join(tmpdir(), 'plugboard-conformance-'));
  try {
    const said = await suite([...words, '--output-dir', results]);
    const runs = readResults(results);
    const announced = Number(/\((\d+) scenarios\)/.exec(said)?.[1] ?? 1);
    // A suite that stops early must not look like one with few scenarios.
    if (runs.length !== announced) {
      throw new Error(`${runs.length} of ${announced} scenarios left a result:\n${said}`);
    }
    return runs;
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}

/** Quoted for a shell, since the path of Node may contain spaces. */
function clientCommand(): string {
  return `"${process.execPath}" conformance/client.mjs`;
}

/** Returns the output. Ignores the exit code, since the suite fails if any scenario does. */
function suite(words: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(nodeWithSqlite(), [join(SUITE, 'dist/index.js'), ...words], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => said.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
    child.on('error', reject);
    child.on('close', () => resolve(Buffer.concat(said).toString('utf8')));
  });
}

/** A folder for each scenario, with the time in its name; names of scenarios may be paths. */
function readResults(folder: string): readonly ScenarioRun[] {
  const runFolder = /^(.+)-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/;
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    const scenario = runFolder.exec(relative(folder, path))?.[1];
    if (!entry.isDirectory() || scenario === undefined) return [];
    return [{ scenario, checks: checksIn(path), lastWords: lastWordsIn(path) }];
  });
}

/** A scenario that stopped early has no file, and so no checks. */
function checksIn(folder: string): readonly Check[] {
  const file = join(folder, 'checks.json');
  return existsSync(file) ? (read(file) as readonly Check[]) : [];
}

function lastWordsIn(folder: string): string {
  const file = join(folder, 'stdout.txt');
  return existsSync(file) ? (readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? '') : '';
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
