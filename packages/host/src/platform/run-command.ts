// Runs a program to its end, without a shell and within bounds: of time, and of what it may say. All of
// its group is gone when the run is over, however it ended. What its words mean is the caller's business.

import {
  abortable,
  type Clock,
  deadline,
  DeadlineExceeded,
  definedFields,
  stayAlive,
} from '@plugboard/base';
import type { ProcessLedger } from './process-ledger.ts';
import type { SpawnFailure } from './spawn-failure.ts';
import { type ProcessExit, type RunningProcess, spawnProcess } from './spawn-process.ts';
import type { SpawnSpec } from './spawn-spec.ts';

export interface RunLimits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** How much of that time it may take to say a first word on stdout, or to end without one. */
  readonly firstWordMs?: number;
  /** Of stdout. More is a failure. */
  readonly maxBytes: number;
  /** Takes all output as it comes, of which nothing is kept then. */
  readonly onOutput?: (chunk: Buffer) => void;
  /** What it finds on stdin; nothing by default. */
  readonly input?: string;
}

export interface RunPorts {
  readonly clock: Clock;
  readonly ledger?: ProcessLedger | undefined;
}

export type CommandRun =
  | {
      readonly kind: 'exited';
      readonly exit: ProcessExit;
      readonly stdout: string;
      readonly stderr: readonly string[];
    }
  | { readonly kind: 'timeout'; readonly ms: number; readonly stderr: readonly string[] }
  | { readonly kind: 'too-large'; readonly limit: number; readonly stderr: readonly string[] }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'not-started'; readonly failure: SpawnFailure };

/** How long the last words may be on their way once the program has ended. */
const LAST_WORDS_MS = 500;
const MAX_STDERR_LENGTH = 4096;

export async function runCommand(
  spec: SpawnSpec,
  limits: RunLimits,
  { clock, ledger }: RunPorts,
): Promise<CommandRun> {
  if (limits.signal.aborted) return { kind: 'cancelled' };
  // Neither the timers nor the pipes of an ended program would keep Node from leaving meanwhile.
  using _ = stayAlive();
  const spawned = await spawnProcess(spec, { clock, ...definedFields({ ledger }) });
  if (!spawned.ok) return { kind: 'not-started', failure: spawned.error };
  await using program = spawned.value;
  program.stdin.end(limits.input ?? '');
  const said = listen(program, limits);
  const end = await endOf(program, said, { limits, clock });
  // Only now has everything arrived that was said before.
  await program.stop();
  const stderr = said.stderr();
  if (end === 'cancelled') return { kind: 'cancelled' };
  if (end instanceof DeadlineExceeded) return { kind: 'timeout', ms: end.data.ms, stderr };
  if (end === 'too-large' || said.isTooLarge()) {
    return { kind: 'too-large', limit: limits.maxBytes, stderr };
  }
  return { kind: 'exited', exit: end, stdout: said.stdout(), stderr };
}

async function endOf(
  { exited }: RunningProcess,
  said: ProgramOutput,
  { limits, clock }: { readonly limits: RunLimits; readonly clock: Clock },
): Promise<ProcessExit | 'too-large' | DeadlineExceeded | 'cancelled'> {
  using limit = deadline(limits.timeoutMs, clock, limits.signal);
  using first = deadline(limits.firstWordMs ?? limits.timeoutMs, clock, limit.signal);
  try {
    await abortable(Promise.race([exited, said.something]), first.signal);
    const end = await abortable(Promise.race([exited, said.overflow]), limit.signal);
    if (end === 'too-large') return end;
    using patience = deadline(LAST_WORDS_MS, clock, limit.signal);
    // Someone outside the group may hold a pipe open forever; what was said until now counts.
    await abortable(said.complete, patience.signal).catch(() => {});
    return end;
  } catch (thrown) {
    // Nothing that is waited for rejects but by the signals.
    return thrown instanceof DeadlineExceeded ? thrown : 'cancelled';
  }
}

interface ProgramOutput {
  readonly something: Promise<void>;
  readonly overflow: Promise<'too-large'>;
  /** When nothing more can come. */
  readonly complete: Promise<unknown>;
  isTooLarge(): boolean;
  stdout(): string;
  /** The last lines, blank ones left out. */
  stderr(): readonly string[];
}

function listen(
  { stdout, stderr }: RunningProcess,
  { maxBytes, onOutput }: Pick<RunLimits, 'maxBytes' | 'onOutput'>,
): ProgramOutput {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let complaint = '';
  const something = new Promise<void>((resolve) => stdout.once('data', () => resolve()));
  const overflow = new Promise<'too-large'>((resolve) => {
    stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) resolve('too-large');
      else if (onOutput === undefined) chunks.push(chunk);
      else onOutput(chunk);
    });
  });
  if (onOutput !== undefined) stderr.on('data', onOutput);
  else {
    stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-MAX_STDERR_LENGTH);
    });
  }
  return {
    something,
    overflow,
    complete: Promise.all(
      [stdout, stderr].map((pipe) => new Promise((resolve) => pipe.once('close', resolve))),
    ),
    isTooLarge: () => bytes > maxBytes,
    stdout: () => Buffer.concat(chunks).toString('utf8'),
    stderr: () =>
      complaint
        .split('\n')
        .map((line) => line.trimEnd())
        .filter((line) => line !== ''),
  };
}
