// A program on a real terminal: it has a screen of a given size, and a test types and reads the output. The output is kept as
// written, with escape sequences; the caller may draw it. Linux and macOS only.

import { readSync } from 'node:fs';
import { constants } from 'node:os';
import { StringDecoder } from 'node:string_decoder';
import { CodedError, codeOf } from '@plugboard/base';
import { allProcesses } from './processes.ts';
import { WAIT_MS } from './bounds.ts';

export interface PseudoTerminalStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the program, in addition to TERM and PWD. */
  readonly env: Readonly<Record<string, string>>;
  readonly rows?: number;
  readonly columns?: number;
  /** Receives output as it arrives, for code that draws it. */
  readonly onBytes?: ((bytes: Buffer) => void) | undefined;
}

export interface PseudoTerminalExit {
  readonly code: number;
  readonly signal: NodeJS.Signals | undefined;
}

export interface PseudoTerminal extends AsyncDisposable {
  readonly pid: number;
  /** All output so far, with `\n` as line end. */
  readonly text: string;
  /** Resolves after the last output. Never rejects. */
  readonly exited: Promise<PseudoTerminalExit>;
  /** Types. For the bytes of special keys, see `KEYS`. */
  write(keys: string): void;
  /** Resolves with the output so far once `what` is in it. Rejects if the program ends without it, or at the timeout. */
  waitFor(what: string | RegExp, options?: PseudoTerminalWait): Promise<string>;
  resize(rows: number, columns: number): void;
}

export interface PseudoTerminalWait {
  /** Searches only after this many characters of `text`. */
  readonly from?: number;
  readonly timeoutMs?: number;
}

/** What a terminal sends for some keys. */
export const KEYS = {
  enter: '\r',
  backspace: '\u007F',
  escape: '\u001B',
  tab: '\t',
  up: '\u001B[A',
  down: '\u001B[B',
  right: '\u001B[C',
  left: '\u001B[D',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
  ctrlU: '\u0015',
} as const;

const CHUNK_BYTES = 64 * 1024;

export async function startOnTerminal(start: PseudoTerminalStart): Promise<PseudoTerminal> {
  // Native code that most tests do not need.
  const { spawn } = await import('@lydell/node-pty');
  const pty = spawn(start.command, [...start.args], {
    name: start.env['TERM'] ?? 'xterm',
    rows: start.rows ?? 24,
    cols: start.columns ?? 80,
    cwd: start.cwd,
    env: { ...start.env },
    // Bytes, since a chunk may end within a character.
    encoding: null,
  });
  const screen = new TerminalText();
  const bytes = pty as unknown as UndocumentedPty;
  const append = (chunk: Buffer): void => {
    start.onBytes?.(chunk);
    screen.append(chunk);
  };
  bytes.on('data', append);
  bytes.on('end', () => readRest(bytes.fd, append));
  const exited = new Promise<PseudoTerminalExit>((resolve) => {
    pty.onExit(({ exitCode, signal }) => {
      screen.end();
      resolve({ code: exitCode, signal: signalName(signal) });
    });
  });
  return {
    pid: pty.pid,
    exited,
    get text() {
      return screen.text;
    },
    write: (keys) => pty.write(keys),
    waitFor: (what, options = {}) => screen.waitFor(what, options),
    resize: (rows, columns) => pty.resize(columns, rows),
    async [Symbol.asyncDispose]() {
      killSession(pty.pid);
      await exited;
    },
  };
}

/** Members that the types of the package lack. */
interface UndocumentedPty {
  readonly fd: number;
  on(event: 'data', listener: (bytes: Buffer) => void): void;
  on(event: 'end', listener: () => void): void;
}

/**
 * After the program has ended, Node treats a short read as the last one. But a terminal returns at most
 * 4095 bytes at a time, so there may be more.
 */
function readRest(fd: number, take: (bytes: Buffer) => void): void {
  const buffer = Buffer.alloc(CHUNK_BYTES);
  try {
    for (;;) {
      const size = readSync(fd, buffer);
      if (size === 0) return;
      take(buffer.subarray(0, size));
    }
  } catch (thrown) {
    // The end of a terminal without a program, or no more output of a silent one.
    if (codeOf(thrown) !== 'EIO' && codeOf(thrown) !== 'EAGAIN') throw thrown;
  }
}

/** The output on a terminal, and the tests that wait for text in it. */
export class TerminalText {
  readonly #decoder = new StringDecoder('utf8');
  #written = '';
  #hasEnded = false;
  readonly #watchers = new Set<() => void>();

  get text(): string {
    // A terminal turns `\n` into `\r\n`.
    return this.#written.replaceAll('\r\n', '\n');
  }

  append(bytes: Buffer): void {
    this.#written += this.#decoder.write(bytes);
    this.#notify();
  }

  end(): void {
    this.#written += this.#decoder.end();
    this.#hasEnded = true;
    this.#notify();
  }

  waitFor(
    what: string | RegExp,
    { from = 0, timeoutMs = WAIT_MS }: PseudoTerminalWait = {},
  ): Promise<string> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void): void => {
        clearTimeout(timer);
        this.#watchers.delete(look);
        end();
      };
      const look = (): void => {
        if (appears(what, this.text.slice(from))) settle(() => resolve(this.text));
        else if (this.#hasEnded) settle(() => reject(this.#notFound(what, 'the program ended')));
      };
      const timer = setTimeout(
        () => settle(() => reject(this.#notFound(what, `waited ${timeoutMs} ms`))),
        timeoutMs,
      );
      this.#watchers.add(look);
      look();
    });
  }

  #notify(): void {
    for (const look of this.#watchers) look();
  }

  #notFound(what: string | RegExp, why: string): CodedError {
    const { text } = this;
    const wanted = typeof what === 'string' ? JSON.stringify(what) : String(what);
    return new CodedError(
      'not-on-terminal',
      `${why}, and ${wanted} did not appear; on the terminal is ${JSON.stringify(text)}`,
      { data: { wanted, text } },
    );
  }
}

export function appears(what: string | RegExp, text: string): boolean {
  return typeof what === 'string' ? text.includes(what) : text.search(what) !== -1;
}

function signalName(given: number | undefined): NodeJS.Signals | undefined {
  // 0 means no signal.
  const found = Object.entries(constants.signals).find(([, number]) => number === given);
  return found?.[0] as NodeJS.Signals | undefined;
}

/** Kills the whole session, since a shell gives each job its own group. */
function killSession(leader: number): void {
  const members =
    process.platform === 'linux'
      ? allProcesses().filter(({ session }) => session === leader)
      : [{ pid: leader }];
  for (const { pid } of members) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (thrown) {
      // It has ended since the look.
      if (codeOf(thrown) !== 'ESRCH') throw thrown;
    }
  }
}
