// Tells a user who has waited for a second what the command is waiting for: on a terminal, on stderr, and erased as
// soon as there is something better to show. A log only gets what may take minutes.

import { systemClock } from '@plugboard/base';
import type { Host, Progress } from '@plugboard/host';
import type { Context } from '../context.ts';
import { CancelledError } from '../usage-error.ts';
import { oneLine } from './sanitise.ts';

const PATIENCE_MS = 1000;
const CLEAR_LINE = '\r\u001B[K';

/** Runs `work` with a signal that Ctrl-C aborts, showing progress once it takes long. */
export async function waiting<T>(
  context: Context,
  host: Host,
  work: (signal: AbortSignal, onProgress: (progress: Progress) => void) => Promise<T>,
): Promise<T> {
  const { terminal } = context;
  const line = new StatusLine(context);
  LINES.set(context, line);
  using _timer = systemClock.after(PATIENCE_MS, () => line.show(connectingWords(host)));
  const told = new Set<string>();
  using _listening = host.on(() => {
    line.update(connectingWords(host));
    tellInstalling(context, host, told);
  });
  try {
    return await work(terminal.interrupted, (progress) => line.show(progressWords(progress)));
  } finally {
    line.clear();
  }
}

/**
 * As `waiting`, for what many servers are asked. Of a command that was stopped, only that is said, and not of each server that it
 * was given up on.
 */
export async function waitingForAll<T>(
  context: Context,
  host: Host,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const answers = await waiting(context, host, work);
  if (context.terminal.interrupted.aborted) throw new CancelledError();
  return answers;
}

/** Says what is being waited for, once that has been so for a second. */
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

/** The line that is shown for a command, if one is. */
const LINES = new WeakMap<Context, StatusLine>();

/** Shows nothing while the user is asked a question: it would overwrite the question. */
export async function withoutProgress<T>(context: Context, ask: () => Promise<T>): Promise<T> {
  const line = LINES.get(context);
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
  #isSaid = false;

  constructor(context: Context) {
    this.#context = context;
  }

  show(text: string): void {
    const { terminal, isJson } = this.#context;
    if (!terminal.err.isTty || isJson || this.isQuiet) return;
    if (terminal.err.isDumb === true) {
      this.#say(text);
      return;
    }
    // Drawn again, the same words would be read aloud again to a person who hears the screen.
    if (this.#shown === text) return;
    this.#shown = text;
    terminal.err.write(`${CLEAR_LINE}${oneLine(text, terminal.err.columns - 1)}`);
  }

  /** Once: what cannot be wiped away would fill the screen. */
  #say(text: string): void {
    if (!this.#isSaid) this.#context.terminal.err.write(`${oneLine(text)}\n`);
    this.#isSaid = true;
  }

  /** Changes what is shown, if anything is. */
  update(text: string): void {
    if (this.#shown !== undefined) this.show(text);
  }

  clear(): void {
    if (this.#shown !== undefined) this.#context.terminal.err.write(CLEAR_LINE);
    this.#shown = undefined;
  }
}

/** A log has no line that is wiped away: it is told once for each server. */
function tellInstalling({ terminal, isJson }: Context, host: Host, told: Set<string>): void {
  if (isJson || terminal.err.isTty) return;
  for (const { name, state } of host.servers) {
    if (state.kind !== 'connecting' || state.installing === undefined || told.has(name)) continue;
    told.add(name);
    terminal.err.write(`${oneLine(installingWords(name, state.installing))}\n`);
  }
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
