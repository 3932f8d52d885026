// Runs one command line in a shell until it ends, takes too long or is given up. Then all of its group is ended, also
// what it left running. What it says arrives in the order in which it was said, on both streams as one.

import { abortable, type Clock, deadline, DeadlineExceeded } from '@plugboard/base';
import {
  type ProcessExit,
  type ProcessLedger,
  type RunningProcess,
  type SpawnFailure,
  spawnProcess,
  stayAlive,
} from '@plugboard/host/processes';

export interface ShellRun {
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly ledger: ProcessLedger;
  readonly signal: AbortSignal;
  readonly onOutput: (chunk: Buffer) => void;
}

export type ShellEnd =
  | { readonly kind: 'exited'; readonly exit: ProcessExit }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'not-started'; readonly failure: SpawnFailure };

/**
 * The outer shell joins the streams, so that all output has one order, and closes the input. It runs bash where there
 * is one, as models write for bash.
 */
const STARTER =
  'exec 2>&1 </dev/null; if command -v bash >/dev/null; then exec bash -c "$1"; else exec sh -c "$1"; fi';
/** How long the last words may be on their way once the shell has ended. */
const LAST_WORDS_MS = 500;

export async function runShell(run: ShellRun): Promise<ShellEnd> {
  if (run.signal.aborted) return { kind: 'cancelled' };
  using _ = stayAlive();
  const { command, cwd, env, clock, ledger } = run;
  const spec = { command: 'sh', args: ['-c', STARTER, 'sh', command], cwd, env };
  const started = await spawnProcess(spec, { clock, ledger });
  if (!started.ok) return { kind: 'not-started', failure: started.error };
  await using shell = started.value;
  shell.stdin.end();
  const isSilent = listen(shell, run.onOutput);
  const end = await endOf(shell, run);
  if (end.kind === 'exited') await lastWords(isSilent, run);
  // Only now has everything arrived that was said before.
  await shell.stop();
  return end;
}

async function endOf({ exited }: RunningProcess, run: ShellRun): Promise<ShellEnd> {
  using limit = deadline(run.timeoutMs, run.clock, run.signal);
  try {
    return { kind: 'exited', exit: await abortable(exited, limit.signal) };
  } catch (thrown) {
    // Nothing that is waited for rejects but by the signal.
    return { kind: thrown instanceof DeadlineExceeded ? 'timeout' : 'cancelled' };
  }
}

/** A process that left the group may hold the pipe open for ever; the output up to the deadline counts. */
async function lastWords(isSilent: Promise<unknown>, { clock, signal }: ShellRun): Promise<void> {
  using patience = deadline(LAST_WORDS_MS, clock, signal);
  await abortable(isSilent, patience.signal).catch(() => {
    // The time is up, or the caller cancelled.
  });
}

function listen(
  { stdout, stderr }: RunningProcess,
  onOutput: (chunk: Buffer) => void,
): Promise<unknown> {
  const pipes = [stdout, stderr];
  for (const pipe of pipes) pipe.on('data', onOutput);
  return Promise.all(pipes.map((pipe) => new Promise((resolve) => pipe.once('close', resolve))));
}
