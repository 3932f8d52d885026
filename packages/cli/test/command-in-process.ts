// Runs a command line inside the process of the test, as if that process had been started with the given folder,
// environment and streams, because starting Node takes most of the time of a short command. Tests of signals, start-up, real
// terminals or the bundle start a process.

import { AsyncLocalStorage } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { type Readable, Writable } from 'node:stream';
import { type Streams, type Terminal, terminalOn } from '../src/terminal.ts';

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The apparent start of the process. */
export interface ProcessSetup {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Ends the command like a signal. */
  readonly interrupt?: AbortController;
}

/** Tests run several commands at the same time, each in its own folders. */
const running = new AsyncLocalStorage<ProcessSetup>();

const { env: ownEnvironment } = process;
const ownFolder = process.cwd.bind(process);
const ownHome = os.homedir.bind(os);
Object.defineProperty(process, 'env', { get: () => running.getStore()?.env ?? ownEnvironment });
for (const name of ['stdin', 'stdout'] as const) {
  const own = Object.getOwnPropertyDescriptor(process, name);
  const get = (): unknown => running.getStore()?.[name] ?? own?.get?.call(process);
  Object.defineProperty(process, name, { configurable: true, get });
}
const folder = (): string => running.getStore()?.cwd ?? ownFolder();
const home = (): string => running.getStore()?.env['HOME'] ?? ownHome();

/** Runs before each command, since libraries of other tests replace these functions too. */
function standIn(): void {
  if (process.cwd === folder && os.homedir === home) return;
  process.cwd = folder;
  os.homedir = home;
  syncBuiltinESMExports();
}

/** Resolves with the exit code. */
export async function runInProcess(
  args: readonly string[],
  started: ProcessSetup & { readonly version: string },
): Promise<number> {
  const { runProgram } = await import('../src/program.ts');
  const { version } = started;
  return asProcess(started, (terminal) => runProgram(args, { version, terminal }));
}

/** Runs code of a test like a command. */
export function asProcess(
  started: ProcessSetup,
  run: (terminal: Terminal) => Promise<number>,
): Promise<number> {
  standIn();
  const { cwd, env, stdin, stdout, stderr, interrupt } = started;
  // Without a terminal, only properties of all streams are used.
  const streams = { stdin, stdout, stderr, env } as unknown as Streams;
  const terminal = terminalOn(streams, interrupt ?? new AbortController());
  return within(started, () => {
    // Otherwise the command would read and write in the repository.
    if (process.cwd() !== cwd) throw new Error('the process has another folder than the sandbox');
    return run(terminal);
  });
}

/** Runs code as part of a command. Listeners run as part of what emits their event, so a key is typed this way. */
export function within<T>(started: ProcessSetup, act: () => T): T {
  return running.run(started, act);
}

/** Collects all output, like a pipe that is read to its end. */
export class KeptOutput extends Writable {
  readonly #chunks: Buffer[] = [];
  #look: () => void = () => {};

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    this.#look();
    done();
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }

  /** Resolves with the output once it contains these words. */
  says(words: string): Promise<string> {
    return new Promise((resolve) => {
      this.#look = () => {
        if (this.text.includes(words)) resolve(this.text);
      };
      this.#look();
    });
  }
}
