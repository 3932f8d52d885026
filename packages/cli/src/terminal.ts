// The terminal as a port: where text goes, whether a person watches, how wide the screen is, what
// they answer, and when they want to stop. The rest of the command never touches `process`.

import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import type { Clock } from '@plugboard/base';
import type { TerminalProgram, TerminalRun } from '@plugboard/host/processes';
import type { AskOptions, StreamInput } from './terminal-input.ts';

export type { AskOptions, TerminalProgram };

export interface Output {
  /** Bytes only where no person looks on. */
  write(text: string | Uint8Array): void;
  /** A person reads it, not a program. */
  readonly isTty: boolean;
  readonly hasColour: boolean;
  /** It cannot move its cursor, so what is written stays. */
  readonly isDumb?: boolean;
  /** Without end where no screen limits it: what a program reads is never cut. */
  readonly columns: number;
  /** Left out where no screen limits it. */
  readonly rows?: number;
}

export interface Input {
  /** A person types it. */
  readonly isTty: boolean;
  /**
   * Asks on stderr, and resolves with one line; with nothing at the end of input and when the person
   * presses Ctrl-C, which ends the command unless the options say otherwise. What is typed to a hidden question is not shown; if more than one line is pasted
   * there, all of them come, for the caller to refuse. Nothing as well once the signal is aborted: the
   * answer has come from elsewhere.
   */
  ask(question: string, options?: AskOptions): Promise<string | undefined>;
  /**
   * All that is piped in, up to 1 MiB. Rejects with the codes `input-too-long`, `input-not-text` and
   * `input-interrupted`.
   */
  readAll(): Promise<string>;
}

export interface Terminal {
  readonly input: Input;
  /** Results: what a pipe or a program reads. */
  readonly out: Output;
  /** Everything for people: progress, warnings, errors. */
  readonly err: Output;
  /**
   * Aborts when the person presses Ctrl-C or the system asks the command to end. Its reason is an `Interruption`.
   */
  readonly interrupted: AbortSignal;
}

const ENDS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Why a command was interrupted. */
export class Interruption extends Error {
  readonly signal: (typeof ENDS)[number];

  constructor(signal: (typeof ENDS)[number]) {
    super(signal);
    this.name = 'Interruption';
    this.signal = signal;
  }
}

/** The terminal as a whole, for what draws on it and reads every key. */
export interface ChatTerminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly isColour: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** As Node names it. */
  readonly platform: string;
  readonly clock: Clock;
  /** Aborts when the system asks the program to end. */
  readonly interrupted: AbortSignal;
  /** Done last, whatever ends the program. */
  onExit(task: () => void): Disposable;
  /** Stops the program until it is continued, and resolves then. */
  suspend(): Promise<void>;
  /** Lets another program have the terminal until it ends. */
  lend(program: TerminalProgram): Promise<TerminalRun>;
}

/** How this program was started: Node, and the file that it runs. */
export function ownProgram(): { readonly node: string; readonly script: string } {
  return { node: process.execPath, script: process.argv[1] ?? 'plugboard' };
}

/** The streams of a program that talks a protocol over them. Once they are given back, stdin keeps no program alive. */
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
      using _ = deafToCtrlC();
      return await runOnTerminal(program, interrupted);
    },
  };
}

export function processTerminal(): Terminal {
  const { stdout, stderr } = process;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that left, such as `head`, is no error of ours.
    if (error.code === 'EPIPE') return;
    stderr.write(`error: cannot write to stdout (${error.code ?? error.message})\n`);
    // Whatever the command itself came to: its answer was lost.
    process.once('exit', () => {
      process.exitCode = 1;
    });
  });
  // There is no place left to complain about this one.
  stderr.on('error', () => {});
  return terminalOn(process, interruption());
}

/** A process, as far as a terminal needs one. */
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

/** Nothing of it is loaded or opened before it is used: most commands read nothing. */
function input(streams: Streams, interrupt: AbortController): Input {
  let loading: Promise<StreamInput> | undefined;
  const loaded = (): Promise<StreamInput> => {
    loading ??= import('./terminal-input.ts').then(({ StreamInput: Loaded }) => {
      const { stdin, stderr } = streams;
      return new Loaded({
        stdin,
        stderr,
        interrupted: interrupt.signal,
        // While a question is open the terminal sends Ctrl-C as a key, and no signal comes.
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
  // Node leaves it out where it is not true, whatever its types say.
  const isTty = (stream.isTTY as boolean | undefined) ?? false;
  return {
    write: (text) => void stream.write(text),
    isTty,
    hasColour: isTty && style === 'colour',
    // A terminal that does not know its width says 0.
    columns: (isTty && stream.columns) || Number.POSITIVE_INFINITY,
    ...(isTty && stream.rows > 0 ? { rows: stream.rows } : {}),
  };
}

/**
 * Libraries that clean up on exit kill the program on a signal without other listeners, and `interruption` listens
 * once. A second signal still ends the program at once, with the terminal restored.
 */
function stayForSignals(): Disposable {
  let isAsked = false;
  const listener = (signal: NodeJS.Signals): void => {
    if (isAsked) process.exit(128 + constants.signals[signal]);
    isAsked = true;
  };
  for (const signal of ENDS) process.on(signal, listener);
  return {
    [Symbol.dispose]: () => {
      for (const signal of ENDS) process.off(signal, listener);
    },
  };
}

/** A program that has the terminal gets Ctrl-C as the whole group does: it is meant for that program. */
function deafToCtrlC(): Disposable {
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

function interruption(): AbortController {
  const interrupt = new AbortController();
  for (const signal of ENDS) {
    // Once: a second signal ends the program at once, by Node's default.
    process.once(signal, () => interrupt.abort(new Interruption(signal)));
  }
  return interrupt;
}
