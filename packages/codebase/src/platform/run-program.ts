// Starts a program with an argument list, never through a shell, and hands its output out as it comes. What it
// complains about is kept up to a bound. What the output means is the caller's business.

import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { CodedError, codeOf } from '@plugboard/base';

export interface ProgramStart {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Ends it; what is read of its output then throws the reason. */
  readonly signal: AbortSignal;
  /** `low` lets everything else on the machine go first. */
  readonly priority?: 'normal' | 'low';
  /** All that it gets of an environment, beside the language of its messages. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Called with what it writes to stderr, as it comes. */
  readonly onComplaint?: (piece: string) => void;
}

export interface ProgramEnd {
  /** Nothing if a signal ended it. */
  readonly code: number | null;
  /** The beginning of what it wrote to stderr. */
  readonly complaint: string;
}

export interface RunningProgram {
  readonly output: AsyncIterable<Buffer>;
  /** Rejects where the program could not be started. */
  readonly ended: Promise<ProgramEnd>;
  /** Ends it at once; may be called at any time. */
  stop(): void;
}

const MOST_COMPLAINT_BYTES = 64 * 1024;
const LOW_PRIORITY = 15;

export function runProgram(start: ProgramStart): RunningProgram {
  const { program, args, cwd, signal, priority, environment, onComplaint } = start;
  const child = spawn(program, args, {
    cwd,
    env: { LC_ALL: 'C', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  if (priority === 'low' && child.pid !== undefined) lower(child.pid);
  const complaint: Buffer[] = [];
  let kept = 0;
  child.stderr.on('data', (piece: Buffer) => {
    onComplaint?.(piece.toString('utf8'));
    if (kept >= MOST_COMPLAINT_BYTES) return;
    complaint.push(piece.subarray(0, MOST_COMPLAINT_BYTES - kept));
    kept += piece.length;
  });
  const ended = new Promise<ProgramEnd>((resolve, reject) => {
    child.once('error', (thrown) => reject(startFailed(program, cwd, thrown)));
    child.once('close', (code) =>
      resolve({ code, complaint: Buffer.concat(complaint).toString('utf8') }),
    );
  });
  ended.catch(() => {
    // Callers that await `ended` get the error; a caller that only stops the program need not.
  });
  const stop = (): void => {
    child.stdout.destroy();
    child.kill('SIGKILL');
  };
  signal.addEventListener('abort', stop, { once: true });
  child.once('close', () => signal.removeEventListener('abort', stop));
  if (signal.aborted) stop();
  return { output: outputChunks(child.stdout, signal), ended, stop };
}

async function* outputChunks(
  output: AsyncIterable<Buffer>,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* output;
  } catch (thrown) {
    signal.throwIfAborted();
    throw thrown;
  }
  signal.throwIfAborted();
}

function lower(pid: number): void {
  try {
    setPriority(pid, LOW_PRIORITY);
  } catch {
    // It has ended already, or the system does not let us: then it runs as it is.
  }
}

function startFailed(program: string, cwd: string, cause: unknown): CodedError {
  return new CodedError('program-not-started', `could not start ${program} in ${cwd}`, {
    data: { program, cwd, system: codeOf(cause) },
    cause,
  });
}

/** Of all arguments of one program together, with room left for what else counts against the bound. */
export function mostArgumentBytes(): number {
  return process.platform === 'win32' ? 24 * 1024 : 256 * 1024;
}
