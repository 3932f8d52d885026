// The current process, as programs need it: its arguments, its folder, its output, its exit code and signals.

import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

export interface OwnProcess {
  readonly args: readonly string[];
  readonly folder: string;
  writeError(text: string): void;
  writeOutput(text: string): void;
  /** The process ends with this code once nothing is left to do. */
  setExitCode(code: number): void;
  /** Calls `listener` once, on the first signal to end; the second signal ends the process at once. */
  onStop(listener: () => void): void;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function ownProcess(): OwnProcess {
  return {
    args: process.argv.slice(2),
    folder: process.cwd(),
    writeError: (text) => void process.stderr.write(text),
    writeOutput: (text) => void process.stdout.write(text),
    setExitCode: (code) => {
      process.exitCode = code;
    },
    onStop: (listener) => {
      // `once` leaves the second signal to the default handler, which ends the process.
      for (const signal of SIGNALS) process.once(signal, listener);
    },
  };
}

/** An empty variable counts as not set. */
export function environmentVariable(name: string): string | undefined {
  const value = process.env[name];
  return value === '' ? undefined : value;
}

/** The version in the manifest of this package. */
export function ownVersion(): string {
  // `src` and `dist` are siblings, so the path is the same from both.
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

/** How many threads this process can run at once. */
export function processorCount(): number {
  return availableParallelism();
}

/** How many threads leave one core for other programs. */
export function spareCores(): number {
  return Math.max(1, processorCount() - 1);
}

/** The processor time that all threads of this process have used. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The resident memory of this process. */
export function residentBytes(): number {
  return process.memoryUsage.rss();
}
