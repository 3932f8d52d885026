// What a program needs of the process that it is: its arguments, its folder, how it reports and how it is told to end.

import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

export interface OwnProcess {
  readonly args: readonly string[];
  readonly folder: string;
  writeError(text: string): void;
  writeOutput(text: string): void;
  /** It ends by itself with this code when nothing is left to do. */
  setExitCode(code: number): void;
  /** Called once, when the system or a person wants it to end; a second time ends it at once. */
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
      // `once` leaves the second signal to the system, which ends the process.
      for (const signal of SIGNALS) process.once(signal, listener);
    },
  };
}

/** One that is empty counts as not set. */
export function environmentVariable(name: string): string | undefined {
  const value = process.env[name];
  return value === '' ? undefined : value;
}

/** Of this package, as its manifest has it. */
export function ownVersion(): string {
  // `src` and `dist` lie side by side, so the way is the same from both.
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

/** How many threads can run at once on this machine, as far as this process may use it. */
export function processorCount(): number {
  return availableParallelism();
}

/** How many threads leave one core to others. */
export function spareCores(): number {
  return Math.max(1, processorCount() - 1);
}

/** The time of processors that this process has used, all of its threads together. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** What this process takes of the memory. */
export function residentBytes(): number {
  return process.memoryUsage.rss();
}
