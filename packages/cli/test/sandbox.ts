// A project folder and a home folder of their own, and the command run in them.

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
/** Where commands are found; known, so that messages that name it can be compared whole. */
export const SEARCH_PATH = `${dirname(process.execPath)}:/usr/bin:/bin`;

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
}

export interface RunOptions extends StartOptions {
  /** What is piped in: nothing, unless given. */
  readonly stdin?: string | Uint8Array;
  /** Pipes this in instead, made of all that the command wrote to stderr, once it has written these words there. */
  readonly reply?: readonly [words: string, answer: (said: string) => Promise<string>];
}

export interface Sandbox extends AsyncDisposable {
  /** The project: the folder in which the command runs. */
  readonly project: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** Writes a file; paths are relative to the project. */
  readonly write: (path: string, content: string) => Promise<string>;
  readonly read: (path: string) => Promise<string>;
  /** Writes `.mcp.json`, one server to a line, the first at line 3, and trusts what is in it. */
  servers(entries: Readonly<Record<string, object>>): Promise<void>;
  /** Approves every server that waits for it, as `plugboard trust` would. */
  trust(): Promise<void>;
  /** Runs it in the process of the test. */
  run(args: readonly string[], options?: RunOptions): Promise<Run>;
  /** Runs the built command as a process of its own. */
  runProcess(args: readonly string[], options?: StartOptions): Promise<Run>;
  /** The same, not waited for. */
  start(args: readonly string[], options?: StartOptions): ChildProcessWithoutNullStreams;
}

export async function sandbox(entries?: Readonly<Record<string, object>>): Promise<Sandbox> {
  const folder = await tempFolder();
  const project = await folder.mkdir('project');
  // Stops the way up at the project, whatever lies above the temporary folder.
  await folder.mkdir('project/.git');
  const home = await folder.mkdir('home');
  const env = {
    PATH: SEARCH_PATH,
    HOME: home,
    XDG_CONFIG_HOME: `${home}/.config`,
    XDG_STATE_HOME: `${home}/.state`,
    XDG_CACHE_HOME: `${home}/.cache`,
    // The tests do not touch the keychain of the developer.
    PLUGBOARD_SECRETS: 'file',
    // Tests are about what they configure; those of the built-in server switch it on.
    PLUGBOARD_CODEBASE: 'off',
    // No test registers a service of the developer.
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

/** All that a process said, once it has ended. */
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

/** What a run that must print JSON printed: one document and nothing else. */
export function documentOf(run: Run): unknown {
  if (run.stderr !== '') throw new Error(`said on stderr: ${run.stderr}`);
  return JSON.parse(run.stdout) as unknown;
}
