// A program on a real terminal: it sees a screen of so many rows and columns, and a test types on its
// keyboard and reads what appears. What appears is kept as it was written, escape sequences included;
// drawing it is left to the caller. Linux and macOS only.

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
  /** All that the program gets, beside TERM and PWD. */
  readonly env: Readonly<Record<string, string>>;
  readonly rows?: number;
  readonly columns?: number;
  /** Receives output as it comes, for code that draws it. */
  readonly onBytes?: ((bytes: Buffer) => void) | undefined;
}

export interface PseudoTerminalExit {
  readonly code: number;
  readonly signal: NodeJS.Signals | undefined;
}

export interface PseudoTerminal extends AsyncDisposable {
  readonly pid: number;
  /** All that appeared so far, with `\n` at the end of lines. */
  readonly text: string;
  /** Never rejects. All that the program wrote has appeared by then. */
  readonly exited: Promise<PseudoTerminalExit>;
  /** Types. Keys are what a terminal sends for them: see `KEYS`. */
  write(keys: string): void;
  /**
   * Resolves with all that appeared so far, as soon as `what` is in it. Rejects when the program
   * ends without showing it, or when time is up.
   */
  waitFor(what: string | RegExp, options?: PseudoTerminalWait): Promise<string>;
  resize(rows: number, columns: number): void;
}

export interface PseudoTerminalWait {
  /** Only what appeared after so many characters of `text` counts. */
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
  // Native code, which most tests have no use for.
  const { spawn } = await import('@lydell/node-pty');
  const pty = spawn(start.command, [...start.args], {
    name: start.env['TERM'] ?? 'xterm',
    rows: start.rows ?? 24,
    cols: start.columns ?? 80,
    cwd: start.cwd,
    env: { ...start.env },
    // Bytes: where they are cut is no end of a character.
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

/** What the package has beside its types. */
interface UndocumentedPty {
  readonly fd: number;
  on(event: 'data', listener: (bytes: Buffer) => void): void;
  on(event: 'end', listener: () => void): void;
}

/**
 * Once the program is gone, Node takes a read that fills no buffer for the last one. A terminal gives
 * no more than 4095 bytes at a time, so there may be more.
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
    // So ends what is read of a terminal without a program; or there is one, and it is silent.
    if (codeOf(thrown) !== 'EIO' && codeOf(thrown) !== 'EAGAIN') throw thrown;
  }
}

/** What has appeared on a terminal, and who waits for something to appear. */
export class TerminalText {
  readonly #decoder = new StringDecoder('utf8');
  #written = '';
  #hasEnded = false;
  readonly #watchers = new Set<() => void>();

  get text(): string {
    // A terminal ends lines with both, wherever a program wrote only the second.
    return this.#written.replaceAll('\r\n', '\n');
  }

  append(bytes: Buffer): void {
    this.#written += this.#decoder.write(bytes);
    this.#tell();
  }

  end(): void {
    this.#written += this.#decoder.end();
    this.#hasEnded = true;
    this.#tell();
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
        else if (this.#hasEnded) settle(() => reject(this.#missed(what, 'the program ended')));
      };
      const timer = setTimeout(
        () => settle(() => reject(this.#missed(what, `waited ${timeoutMs} ms`))),
        timeoutMs,
      );
      this.#watchers.add(look);
      look();
    });
  }

  #tell(): void {
    for (const look of this.#watchers) look();
  }

  #missed(what: string | RegExp, why: string): CodedError {
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
  // None is 0.
  const found = Object.entries(constants.signals).find(([, number]) => number === given);
  return found?.[0] as NodeJS.Signals | undefined;
}

/** A shell gives each of its jobs its own group, so the whole session is ended. */
function killSession(leader: number): void {
  const members =
    process.platform === 'linux'
      ? allProcesses().filter(({ session }) => session === leader)
      : [{ pid: leader }];
  for (const { pid } of members) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (thrown) {
      // It ended between our look and now.
      if (codeOf(thrown) !== 'ESRCH') throw thrown;
    }
  }
}
