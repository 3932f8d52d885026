// Starts a separate process that runs one program of this package. A process and not a thread: when it ends, all its memory
// is returned, and a fault in native code affects nothing else. The caller handles the messages and stops it.

import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface SideStart {
  /** A JavaScript file: Node 20 cannot run TypeScript. */
  readonly program: URL;
  readonly onMessage: (message: unknown) => void;
}

export interface SideProcess {
  readonly pid: number | undefined;
  /** Messages sent before the process is up are queued; messages sent after its end are lost. */
  post(message: unknown): void;
  /** Makes it keep this process alive. A newly started one does not. */
  ref(): void;
  /** Lets this process end before it. */
  unref(): void;
  /** Kills it; resolves when it has ended. */
  stop(): Promise<void>;
  /** Resolves when it has ended, stopped or not. */
  readonly ended: Promise<void>;
}

/** Keeps the code of parsers from being optimized, which makes reading no quicker and takes 40 MB. */
const FLAGS = ['--no-wasm-tier-up'];
/**
 * For glibc: all threads share one arena, since each arena keeps the memory that it once needed (75 MB), and large pieces
 * are always returned (40 MB).
 */
const VARIABLES = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072' };

export function startSideProcess({ program, onMessage }: SideStart): SideProcess {
  const { SystemRoot } = process.env;
  const child = fork(fileURLToPath(program), [], {
    // The flags and variables of this process do not apply to it. Windows needs `SystemRoot`.
    execArgv: FLAGS,
    env: SystemRoot === undefined ? VARIABLES : { ...VARIABLES, SystemRoot },
    serialization: 'advanced',
    // The output of this process may be a protocol.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const { channel } = child;
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  const unref = (): void => {
    child.unref();
    channel?.unref();
  };
  child.on('message', onMessage);
  unref();
  return {
    pid: child.pid,
    post: (message) =>
      void child.send(message as object, () => {
        // The process has ended, which `ended` reports.
      }),
    ref() {
      child.ref();
      channel?.ref();
    },
    unref,
    stop() {
      // Keeps this process alive while the caller waits for the end.
      child.ref();
      child.kill('SIGKILL');
      return ended;
    },
    ended,
  };
}

/** Linux counts in hundredths of a second, whatever the machine. */
const TICK_MS = 10;

/** The processor time that a process has used; `undefined` if the system does not tell. */
export function processorMsOf(pid: number | undefined): number | undefined {
  if (process.platform !== 'linux' || pid === undefined) return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // After the name, which may contain anything, fields 12 and 13 are the user time and the system time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return undefined; // The process has ended.
  }
}
