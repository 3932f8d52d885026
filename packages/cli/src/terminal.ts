// The terminal as a port: output, the size of the screen, questions and their answers, and interruption. The rest of the
// command never uses `process`.

import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import type { Clock } from '@plugboard/base';
import type { TerminalProgram, TerminalRun } from '@plugboard/host/processes';
import type { AskOptions, StreamInput } from './terminal-input.ts';

export type { AskOptions, TerminalProgram };

export interface Output {
  /** Write bytes only if the output is not a terminal. */
  write(text: string | Uint8Array): void;
  /** Whether a person reads the output, and not a program. */
  readonly isTty: boolean;
  readonly hasColour: boolean;
  /** Whether the terminal cannot move its cursor, so that text cannot be erased. */
  readonly isDumb?: boolean;
  /** Infinite without a screen: output for programs is never cut. */
  readonly columns: number;
  /** Omitted without a screen. */
  readonly rows?: number;
}

export interface Input {
  /** Whether a person types the input. */
  readonly isTty: boolean;
  /**
   * Asks on stderr, and resolves with one line. Resolves with `undefined` at the end of the input, after Ctrl-C (which
   * also ends the command unless `onCtrlC` is given), and when the signal aborts. The answer to a hidden question is not
   * shown. If several lines are pasted there, the answer contains all of them, for the caller to refuse.
   */
  ask(question: string, options?: AskOptions): Promise<string | undefined>;
  /**
   * Reads all piped input, up to 1 MiB. Rejects with the codes `input-too-long`, `input-not-text` and
   * `input-interrupted`.
   */
  readAll(): Promise<string>;
}

export interface Terminal {
  readonly input: Input;
  /** Results, for people and programs. */
  readonly out: Output;
  /** Everything for people: progress, warnings, errors. */
  readonly err: Output;
  /** Aborts on Ctrl-C or a signal of the system. The reason is an `Interruption`. */
  readonly interrupted: AbortSignal;
}

const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Why a command was interrupted. */
export class Interruption extends Error {
  readonly signal: (typeof END_SIGNALS)[number];

  constructor(signal: (typeof END_SIGNALS)[number]) {
    super(signal);
    this.name = 'Interruption';
    this.signal = signal;
  }
}

/** The whole terminal, for a program that draws on it and reads every key. */
export interface ChatTerminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly isColour: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Node's name of the system. */
  readonly platform: string;
  readonly clock: Clock;
  /** Aborts on a signal of the system. */
  readonly interrupted: AbortSignal;
  /** Runs the task last, however the program ends. */
  onExit(task: () => void): Disposable;
  /** Suspends the program, and resolves when it is continued. */
  suspend(): Promise<void>;
  /** Runs another program on the terminal. */
  lend(program: TerminalProgram): Promise<TerminalRun>;
}

/** The command line of this program: Node, and the file that it runs. */
export function ownProgram(): { readonly node: string; readonly script: string } {
  return { node: process.execPath, script: process.argv[1] ?? 'plugboard' };
}

/** The streams of a program that speaks a protocol over stdio. Once disposed of, stdin no longer keeps the program running. */
export interface ProtocolStreams extends Disposable {
  readonly stdin: Readable;
  readonly stdout: Writable;
}

export function protocolStreams(): ProtocolStreams {
  const { stdin, stdout } = process;
  return { stdin, stdout, [Symbol.dispose]: () => void stdin.destroy() };
}

export function chatTerminal({ out, interrupted }: Terminal, clock: Clock): ChatTerminal {
  const { stdin, stdout } = process;
  return {
    stdin,
    stdout,
    isColour: out.hasColour,
    env: process.env,
    platform: process.platform,
    clock,
    interrupted,
    onExit(task) {
      process.once('exit', task);
      const stay = stayForSignals();
      return {
        [Symbol.dispose]: () => {
          process.off('exit', task);
          stay[Symbol.dispose]();
        },
      };
    },
    suspend: () =>
      new Promise((resolve) => {
        process.once('SIGCONT', () => resolve());
        // To the whole group, as a terminal does, so that the shell gets its prompt back.
        process.kill(0, 'SIGTSTP');
      }),
    lend: async (program) => {
      const { runOnTerminal } = await import('@plugboard/host/processes');
      using _ = ignoreCtrlC();
      return await runOnTerminal(program, interrupted);
    },
  };
}

export function processTerminal(): Terminal {
  const { stdout, stderr } = process;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader such as `head` may close the pipe early, which is not an error.
    if (error.code === 'EPIPE') return;
    stderr.write(`error: cannot write to stdout (${error.code ?? error.message})\n`);
    // The output was lost, so the command has failed whatever its own result.
    process.once('exit', () => {
      process.exitCode = 1;
    });
  });
  // There is no place left to report this error.
  stderr.on('error', () => {});
  return terminalOn(process, interruptOnSignals());
}

/** The parts of a process that a terminal uses. */
export type Streams = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr' | 'env'>;

export function terminalOn(streams: Streams, interrupt: AbortController): Terminal {
  const { stdout, stderr, env } = streams;
  const isDumb = env['TERM'] === 'dumb';
  const style = (env['NO_COLOR'] ?? '') === '' && !isDumb ? 'colour' : 'plain';
  return {
    input: input(streams, interrupt),
    out: { ...output(stdout, style), isDumb },
    err: { ...output(stderr, style), isDumb },
    interrupted: interrupt.signal,
  };
}

/** Loads its code and opens its stream on first use, since most commands read no input. */
function input(streams: Streams, interrupt: AbortController): Input {
  let loading: Promise<StreamInput> | undefined;
  const loaded = (): Promise<StreamInput> => {
    loading ??= import('./terminal-input.ts').then(({ StreamInput: Loaded }) => {
      const { stdin, stderr } = streams;
      return new Loaded({
        stdin,
        stderr,
        interrupted: interrupt.signal,
        // While a question is open, the terminal sends Ctrl-C as a key and not as a signal.
        interrupt: () => interrupt.abort(new Interruption('SIGINT')),
      });
    });
    return loading;
  };
  return {
    get isTty() {
      return (streams.stdin.isTTY as boolean | undefined) ?? false;
    },
    ask: async (question, options) => (await loaded()).ask(question, options),
    readAll: async () => (await loaded()).readAll(),
  };
}

function output(stream: NodeJS.WriteStream, style: 'colour' | 'plain'): Output {
  // Node omits the property instead of setting it to false, unlike its type.
  const isTty = (stream.isTTY as boolean | undefined) ?? false;
  return {
    write: (text) => void stream.write(text),
    isTty,
    hasColour: isTty && style === 'colour',
    // A terminal of unknown width reports 0.
    columns: (isTty && stream.columns) || Number.POSITIVE_INFINITY,
    ...(isTty && stream.rows > 0 ? { rows: stream.rows } : {}),
  };
}

/**
 * Libraries that clean up on exit kill the program on a signal without other listeners, and
 * `interruptOnSignals` listens once. A second signal still ends the program at once, with the terminal restored.
 */
function stayForSignals(): Disposable {
  let isFirst = true;
  const listener = (signal: NodeJS.Signals): void => {
    if (!isFirst) process.exit(128 + constants.signals[signal]);
    isFirst = false;
  };
  for (const signal of END_SIGNALS) process.on(signal, listener);
  return {
    [Symbol.dispose]: () => {
      for (const signal of END_SIGNALS) process.off(signal, listener);
    },
  };
}

/** While another program uses the terminal, Ctrl-C is meant for that program, though the whole process group gets it. */
function ignoreCtrlC(): Disposable {
  const listeners = process.rawListeners('SIGINT') as NodeJS.SignalsListener[];
  const ignore = (): void => {};
  process.removeAllListeners('SIGINT');
  process.on('SIGINT', ignore);
  return {
    [Symbol.dispose]: () => {
      process.off('SIGINT', ignore);
      for (const listener of listeners) process.on('SIGINT', listener);
    },
  };
}

function interruptOnSignals(): AbortController {
  const interrupt = new AbortController();
  for (const signal of END_SIGNALS) {
    // A second signal ends the program at once, which is Node's default.
    process.once(signal, () => interrupt.abort(new Interruption(signal)));
  }
  return interrupt;
}
