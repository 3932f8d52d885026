// Starts a program with an argument list, never through a shell, and streams its output. The beginning of stderr is kept.
// The caller interprets the output.

import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { CodedError, codeOf } from '@plugboard/base';

export interface ProgramStart {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Ends the program; reading its output then throws the reason. */
  readonly signal: AbortSignal;
  /** `low` gives everything else on the machine precedence. */
  readonly priority?: 'normal' | 'low';
  /** Its whole environment, besides the language of its messages. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Called with each piece of stderr. */
  readonly onComplaint?: (piece: string) => void;
}

export interface ProgramEnd {
  /** `null` if a signal ended it. */
  readonly code: number | null;
  /** The beginning of stderr. */
  readonly complaint: string;
}

export interface RunningProgram {
  readonly output: AsyncIterable<Buffer>;
  /** Rejects if the program could not be started. */
  readonly ended: Promise<ProgramEnd>;
  /** Kills the program; may be called at any time. */
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
    // Callers that await `ended` get the error; others do not need it.
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
    // It has ended already, or the system forbids it: then the priority stays as it is.
  }
}

function startFailed(program: string, cwd: string, cause: unknown): CodedError {
  return new CodedError('program-not-started', `could not start ${program} in ${cwd}`, {
    data: { program, cwd, system: codeOf(cause) },
    cause,
  });
}

/** The most bytes of all arguments of one program, with room for the environment. */
export function mostArgumentBytes(): number {
  return process.platform === 'win32' ? 24 * 1024 : 256 * 1024;
}
