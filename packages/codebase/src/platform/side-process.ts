// Starts a separate process that runs one program of this package, and reports how it ended. A process and not a
// thread: when it ends, all its memory is returned, and a fault in native code ends nothing else. The caller handles
// the messages and stops it.

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
  /** What is posted before it is up waits for it; what is posted after its end is lost. */
  post(message: unknown): void;
  /** Keeps our process alive from now on. One that was just started does not. */
  hold(): void;
  /** No longer keeps our process alive. */
  rest(): void;
  /** Ends it wherever it is; resolves when it is gone. */
  stop(): Promise<void>;
  /** Resolves when it is gone, stopped or not. */
  readonly ended: Promise<void>;
}

/** Code of parsers is compiled once and not a second time for speed: reading is no quicker by it, and it takes 40 MB. */
const FLAGS = ['--no-wasm-tier-up'];
/**
 * For glibc: all threads share one place for what they allocate, since each with its own keeps what it needed once (75 MB), and
 * large pieces are always given back (40 MB).
 */
const VARIABLES = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072' };

export function startSideProcess({ program, onMessage }: SideStart): SideProcess {
  const { SystemRoot } = process.env;
  const child = fork(fileURLToPath(program), [], {
    // Flags and variables are those of the program around us, and none of its business. Windows needs this one.
    execArgv: FLAGS,
    env: SystemRoot === undefined ? VARIABLES : { ...VARIABLES, SystemRoot },
    serialization: 'advanced',
    // Our output may be a protocol's.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const { channel } = child;
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  const rest = (): void => {
    child.unref();
    channel?.unref();
  };
  child.on('message', onMessage);
  rest();
  return {
    pid: child.pid,
    post: (message) =>
      void child.send(message as object, () => {
        // It is gone, and its end says so.
      }),
    hold() {
      child.ref();
      channel?.ref();
    },
    rest,
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

/** The time of processors that a process has used; `undefined` if the system does not tell. */
export function processorMsOf(pid: number | undefined): number | undefined {
  if (process.platform !== 'linux' || pid === undefined) return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // After the name, which may hold anything: the 12th and the 13th field are the times in and for the program.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return undefined; // It is gone.
  }
}
