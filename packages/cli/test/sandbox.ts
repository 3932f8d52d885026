// A temporary project folder and home folder, and the command run in them.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { approve, type HostEnvironment, readConfiguration } from '@plugboard/host/configuration';
import { tempFolder } from '@plugboard/testkit';
import { KeptOutput, type Run, runInProcess, type ProcessSetup } from './command-in-process.ts';
import { shareCompiledCode } from './shared-compiled-code.ts';
import manifest from '../package.json' with { type: 'json' };

export type { Run } from './command-in-process.ts';
export const PLUGBOARD = fileURLToPath(new URL('../bin/plugboard.js', import.meta.url));
export const { version: VERSION } = manifest;
/** A fixed PATH, so that whole messages can be compared. */
export const SEARCH_PATH = `${dirname(process.execPath)}:/usr/bin:/bin`;

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
}

export interface RunOptions extends StartOptions {
  /** The piped input. Empty by default. */
  readonly stdin?: string | Uint8Array;
  /** Creates the piped input from stderr, once stderr contains the given words. */
  readonly reply?: readonly [words: string, answer: (said: string) => Promise<string>];
}

export interface Sandbox extends AsyncDisposable {
  /** The project folder, in which the command runs. */
  readonly project: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** Writes a file; paths are relative to the project. */
  readonly write: (path: string, content: string) => Promise<string>;
  readonly read: (path: string) => Promise<string>;
  /** Writes `.mcp.json` with one server per line, the first at line 3, and trusts the servers. */
  servers(entries: Readonly<Record<string, object>>): Promise<void>;
  /** Approves all untrusted servers, like `plugboard trust`. */
  trust(): Promise<void>;
  /** Runs the command in the process of the test. */
  run(args: readonly string[], options?: RunOptions): Promise<Run>;
  /** Runs the built command as a separate process. */
  runProcess(args: readonly string[], options?: StartOptions): Promise<Run>;
  /** Starts the built command without waiting for its end. */
  start(args: readonly string[], options?: StartOptions): ChildProcessWithoutNullStreams;
}

export async function sandbox(entries?: Readonly<Record<string, object>>): Promise<Sandbox> {
  const folder = await tempFolder();
  const project = await folder.mkdir('project');
  // Ends the search for a project above the temporary folder.
  await folder.mkdir('project/.git');
  const home = await folder.mkdir('home');
  const env = {
    PATH: SEARCH_PATH,
    HOME: home,
    XDG_CONFIG_HOME: `${home}/.config`,
    XDG_STATE_HOME: `${home}/.state`,
    XDG_CACHE_HOME: `${home}/.cache`,
    // Tests must not use the developer's keychain.
    PLUGBOARD_SECRETS: 'file',
    // The built-in server is off by default. Its own tests enable it.
    PLUGBOARD_CODEBASE: 'off',
    // Tests must not register a service of the developer.
    PLUGBOARD_BACKGROUND: 'process',
  };
  const start: Sandbox['start'] = (args, options = {}) => {
    shareCompiledCode(env.XDG_CACHE_HOME);
    return spawn(process.execPath, [PLUGBOARD, ...args], {
      cwd: project,
      env: { ...env, ...options.env },
    });
  };
  const trust = (): Promise<void> => trustAll({ env, cwd: project, home });
  const servers: Sandbox['servers'] = async (given) => {
    const lines = Object.entries(given).map(
      ([name, entry]) => `    ${JSON.stringify(name)}: ${JSON.stringify(entry)}`,
    );
    await folder.write('project/.mcp.json', `{\n  "mcpServers": {\n${lines.join(',\n')}\n  }\n}\n`);
    await trust();
  };
  if (entries !== undefined) await servers(entries);
  return {
    project,
    home,
    env,
    servers,
    trust,
    start,
    write: (path, content) => folder.write(`project/${path}`, content),
    read: (path) => folder.read(`project/${path}`),
    run: (args, options = {}) =>
      runHere(args, { ...options, cwd: project, env: { ...env, ...options.env } }),
    runProcess: (args, options) => finished(start(args, options)),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

async function runHere(
  args: readonly string[],
  { cwd, env, stdin = '', reply }: RunOptions & Pick<ProcessSetup, 'cwd' | 'env'>,
): Promise<Run> {
  const [stdout, stderr] = [new KeptOutput(), new KeptOutput()];
  const given = new PassThrough();
  if (reply === undefined) given.end(stdin);
  else
    void stderr
      .says(reply[0])
      .then(reply[1])
      .then((answer) => given.end(answer));
  const streams = { stdin: given, stdout, stderr };
  const code = await runInProcess(args, { cwd, env, version: VERSION, ...streams });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

async function trustAll(places: Pick<HostEnvironment, 'env' | 'cwd' | 'home'>): Promise<void> {
  const { home } = places;
  const environment: HostEnvironment = {
    ...places,
    platform: process.platform,
    paths: {
      home,
      config: `${home}/.config/plugboard`,
      state: `${home}/.state/plugboard`,
      cache: `${home}/.cache/plugboard`,
    },
  };
  const { servers } = await readConfiguration({ environment });
  for (const { name, admission } of servers) {
    if (admission.kind !== 'untrusted') continue;
    const approved = await approve(environment, admission.subject);
    if (!approved.ok) throw new Error(`${name} cannot be trusted: ${approved.error.kind}`);
  }
}

/** The complete output of a process that has ended. */
export async function finished(child: ChildProcessWithoutNullStreams): Promise<Run> {
  child.stdin.end();
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      text[name] += chunk;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, ...text };
}

/** Parses stdout, which must be one JSON document and nothing else. */
export function documentOf(run: Run): unknown {
  if (run.stderr !== '') throw new Error(`said on stderr: ${run.stderr}`);
  return JSON.parse(run.stdout) as unknown;
}
