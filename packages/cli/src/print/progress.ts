// Shows what a command is waiting for once it has taken a second: as a line on the terminal that other output replaces. A
// log gets only the steps that may take minutes.

import { systemClock } from '@plugboard/base';
import type { Host, Progress, ServerStatus } from '@plugboard/host';
import type { Context } from '../context.ts';
import type { Terminal } from '../terminal.ts';
import { CancelledError } from '../usage-error.ts';
import { oneLine } from './sanitise.ts';

const PATIENCE_MS = 1000;
const CLEAR_LINE = '\r\u001B[K';

/** Runs `work` with a signal that Ctrl-C aborts, and shows its progress. */
export async function waiting<T>(
  context: Context,
  host: Host,
  work: (signal: AbortSignal, onProgress: (progress: Progress) => void) => Promise<T>,
): Promise<T> {
  const { terminal } = context;
  const line = new StatusLine(context);
  LINES.set(terminal, line);
  using _timer = systemClock.after(PATIENCE_MS, () => line.show(connectingWords(host)));
  const logged = new Set<string>();
  using _listening = host.on((event) => {
    if (event.kind !== 'state') return;
    line.update(() => connectingWords(host));
    logInstalling(context, event.server, logged);
  });
  try {
    return await work(terminal.interrupted, (progress) => line.show(progressWords(progress)));
  } finally {
    line.clear();
  }
}

/** Like `waiting`, for requests to many servers. After Ctrl-C it throws, instead of reporting each server as failed. */
export async function waitingForAll<T>(
  context: Context,
  host: Host,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const answers = await waiting(context, host, work);
  if (context.terminal.interrupted.aborted) throw new CancelledError();
  return answers;
}

/** Shows what the command is waiting for, after a second. */
export class Status implements Disposable {
  readonly #line: StatusLine;
  #timer: Disposable | undefined;

  constructor(context: Context) {
    this.#line = new StatusLine(context);
  }

  /** `undefined` clears the line for other output. */
  say(words: string | undefined): void {
    this.#timer?.[Symbol.dispose]();
    this.#line.clear();
    if (words === undefined) return;
    this.#timer = systemClock.after(PATIENCE_MS, () => this.#line.show(words));
  }

  [Symbol.dispose](): void {
    this.say(undefined);
  }
}

/** The status line of each running command. A command may copy its context, but not its terminal. */
const LINES = new WeakMap<Terminal, StatusLine>();

/** Hides the status line while the user is asked a question, which the line would overwrite. */
export async function withoutProgress<T>({ terminal }: Context, ask: () => Promise<T>): Promise<T> {
  const line = LINES.get(terminal);
  if (line === undefined) return ask();
  line.clear();
  line.isQuiet = true;
  try {
    return await ask();
  } finally {
    line.isQuiet = false;
  }
}

class StatusLine {
  isQuiet = false;
  readonly #context: Context;
  #shown: string | undefined;
  #isWritten = false;

  constructor(context: Context) {
    this.#context = context;
  }

  show(text: string): void {
    const { terminal, isJson } = this.#context;
    if (!terminal.err.isTty || isJson || this.isQuiet) return;
    if (terminal.err.isDumb === true) {
      this.#writeOnce(text);
      return;
    }
    // A screen reader would read the same words aloud again if they were redrawn.
    if (this.#shown === text) return;
    this.#shown = text;
    terminal.err.write(`${CLEAR_LINE}${oneLine(text, terminal.err.columns - 1)}`);
  }

  /** Only once, since a dumb terminal cannot erase the text. */
  #writeOnce(text: string): void {
    if (!this.#isWritten) this.#context.terminal.err.write(`${oneLine(text)}\n`);
    this.#isWritten = true;
  }

  /** Changes the text if the line is visible. */
  update(text: () => string): void {
    if (this.#shown !== undefined) this.show(text());
  }

  clear(): void {
    if (this.#shown !== undefined) this.#context.terminal.err.write(CLEAR_LINE);
    this.#shown = undefined;
  }
}

/** A log has no status line, so each server is reported once. */
function logInstalling(
  { terminal, isJson }: Context,
  { name, state }: ServerStatus,
  logged: Set<string>,
): void {
  if (isJson || terminal.err.isTty) return;
  if (state.kind !== 'connecting' || state.installing === undefined || logged.has(name)) return;
  logged.add(name);
  terminal.err.write(`${oneLine(installingWords(name, state.installing))}\n`);
}

function installingWords(name: string, runner: string): string {
  return `${runner} is getting the package of ${name} ready…`;
}

function connectingWords(host: Host): string {
  const connecting = host.servers.filter(({ state }) => state.kind === 'connecting');
  for (const { name, state } of connecting) {
    if (state.kind === 'connecting' && state.installing !== undefined) {
      return installingWords(name, state.installing);
    }
  }
  return connecting.length === 0
    ? 'waiting for the server…'
    : `connecting to ${connecting.map(({ name }) => name).join(', ')}…`;
}

function progressWords({ progress, total, message }: Progress): string {
  const amount = total === undefined ? String(progress) : `${progress} of ${total}`;
  return message === undefined ? amount : `${message} (${amount})`;
}
