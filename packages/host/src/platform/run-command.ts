// Runs a program to its end, without a shell and with limits on its time and its output. When the run is over, all
// processes of its group have ended.

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
import type { HostEnvironment } from './host-environment.ts';
import type { SpawnSpec } from './spawn-spec.ts';

export interface RunLimits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** How much of that time may pass before its first output on stdout or its end. */
  readonly firstWordMs?: number;
  /** The limit of stdout; exceeding it is a failure. */
  readonly maxBytes: number;
  /** Receives all output as it arrives; nothing is kept then. */
  readonly onOutput?: (chunk: Buffer) => void;
  /** The text on stdin; empty by default. */
  readonly input?: string;
}

export interface RunPorts {
  readonly clock: Clock;
  readonly ledger?: ProcessLedger | undefined;
}

/** For a command of the configuration: its environment is made from that of the host. */
export interface CommandPorts extends RunPorts {
  readonly environment: Pick<HostEnvironment, 'env' | 'cwd' | 'paths'>;
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

/** How long to wait for remaining output once the program has ended. */
const LAST_OUTPUT_MS = 500;
const MAX_STDERR_LENGTH = 4096;

export async function runCommand(
  spec: SpawnSpec,
  limits: RunLimits,
  { clock, ledger }: RunPorts,
): Promise<CommandRun> {
  if (limits.signal.aborted) return { kind: 'cancelled' };
  // Neither timers nor the pipes of an ended program keep Node alive.
  using _ = stayAlive();
  const spawned = await spawnProcess(spec, { clock, ...definedFields({ ledger }) });
  if (!spawned.ok) return { kind: 'not-started', failure: spawned.error };
  await using program = spawned.value;
  program.stdin.end(limits.input ?? '');
  const output = listen(program, limits);
  const end = await endOf(program, output, { limits, clock });
  // Only now has all of its output arrived.
  await program.stop();
  const stderr = output.stderr();
  if (end === 'cancelled') return { kind: 'cancelled' };
  if (end instanceof DeadlineExceeded) return { kind: 'timeout', ms: end.data.ms, stderr };
  if (end === 'too-large' || output.isTooLarge()) {
    return { kind: 'too-large', limit: limits.maxBytes, stderr };
  }
  return { kind: 'exited', exit: end, stdout: output.stdout(), stderr };
}

async function endOf(
  { exited }: RunningProcess,
  output: ProgramOutput,
  { limits, clock }: { readonly limits: RunLimits; readonly clock: Clock },
): Promise<ProcessExit | 'too-large' | DeadlineExceeded | 'cancelled'> {
  using limit = deadline(limits.timeoutMs, clock, limits.signal);
  using first = deadline(limits.firstWordMs ?? limits.timeoutMs, clock, limit.signal);
  try {
    await abortable(Promise.race([exited, output.started]), first.signal);
    const end = await abortable(Promise.race([exited, output.overflow]), limit.signal);
    if (end === 'too-large') return end;
    using patience = deadline(LAST_OUTPUT_MS, clock, limit.signal);
    // A process outside the group may keep a pipe open forever; the output until now counts.
    await abortable(output.complete, patience.signal).catch(() => {});
    return end;
  } catch (thrown) {
    // Only the signals make these promises reject.
    return thrown instanceof DeadlineExceeded ? thrown : 'cancelled';
  }
}

interface ProgramOutput {
  /** Resolves with the first output on stdout. */
  readonly started: Promise<void>;
  readonly overflow: Promise<'too-large'>;
  /** Resolves when no more output can arrive. */
  readonly complete: Promise<unknown>;
  isTooLarge(): boolean;
  stdout(): string;
  /** The last lines, without blank ones. */
  stderr(): readonly string[];
}

function listen(
  { stdout, stderr }: RunningProcess,
  { maxBytes, onOutput }: Pick<RunLimits, 'maxBytes' | 'onOutput'>,
): ProgramOutput {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let errors = '';
  const started = new Promise<void>((resolve) => stdout.once('data', () => resolve()));
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
      errors = (errors + text).slice(-MAX_STDERR_LENGTH);
    });
  }
  return {
    started,
    overflow,
    complete: Promise.all(
      [stdout, stderr].map((pipe) => new Promise((resolve) => pipe.once('close', resolve))),
    ),
    isTooLarge: () => bytes > maxBytes,
    stdout: () => Buffer.concat(chunks).toString('utf8'),
    stderr: () =>
      errors
        .split('\n')
        .map((line) => line.trimEnd())
        .filter((line) => line !== ''),
  };
}
