// A chat on a terminal, from the first line to the last. Switches the modes of the terminal, and restores them whatever
// happens.

import type { Chat } from '../chat/index.ts';
import { oneLine } from '../print/sanitise.ts';
import type { ChatTerminal, TerminalProgram } from '../terminal.ts';
import type { Drawing } from './app/index.tsx';
import { KeyParser } from './keys/index.ts';
import { PlainPrompt } from './plain-prompt.ts';
import { type ChatEnd, ChatSession } from './session/index.ts';
import { contentWidth, type Size } from './state/index.ts';
import { openingLines } from './view/opening-lines.ts';
import { toAnsi } from './view/spans.ts';
import { type Theme, themeFor, type ThemeName } from './view/theme.ts';

/** After this time without the rest of a sequence, the key was Escape. */
const ESCAPE_MS = 40;

/** Dragging a window changes its size many times; it is redrawn once the size has settled. */
const RESIZED_MS = 40;

const BRACKETED_PASTE_ON = '\u001B[?2004h';
const BRACKETED_PASTE_OFF = '\u001B[?2004l';
/** Unambiguous key sequences (kitty). Other terminals ignore it. */
const KEYS_ON = '\u001B[>1u';
const KEYS_OFF = '\u001B[<u';
const HIDE_CURSOR = '\u001B[?25l';
const SHOW_CURSOR = '\u001B[?25h';
const CLEAR_ALL = '\u001B[2J\u001B[3J\u001B[H';
const BEGIN_UPDATE = '\u001B[?2026h';
const END_UPDATE = '\u001B[?2026l';
const SAVE_TITLE = '\u001B[22;0t';
const RESTORE_TITLE = '\u001B[23;0t';

/** Requires a terminal that can be drawn on. Resolves when the chat has ended. */
export async function openChat(
  chat: Chat,
  terminal: ChatTerminal,
  { first, theme }: ChatStart = {},
): Promise<ChatEnd> {
  using screen = new ChatScreen(chat, terminal, theme);
  return await screen.run(first);
}

export interface ChatStart {
  /** A command that is run at once. */
  readonly first?: string | undefined;
  readonly theme?: ThemeName | undefined;
}

/** The sequence that copies a text to the clipboard of the terminal (OSC 52). */
function copySequence(text: string): string {
  return `\u001B]52;c;${Buffer.from(text, 'utf8').toString('base64')}\u0007`;
}

class ChatScreen {
  readonly #terminal: ChatTerminal;
  readonly #session: ChatSession;
  readonly #parser = new KeyParser();
  readonly #prompt: PlainPrompt;
  readonly #title: string;
  readonly #theme: Theme;
  readonly #onExit: Disposable;
  readonly #undo: (() => void)[] = [];
  #escape: Disposable | undefined;
  #resized: Disposable | undefined;
  #draw: (() => Drawing) | undefined;
  #drawing: Drawing | undefined;
  #drawnAt: number | undefined;
  #isTaken = false;
  #hasEnded = false;

  constructor(chat: Chat, terminal: ChatTerminal, theme: ThemeName | undefined) {
    this.#terminal = terminal;
    const { isColour: hasColour, env, platform } = terminal;
    this.#theme = themeFor({ hasColour, env, platform }, theme);
    this.#title = oneLine(`plugboard ${chat.opening.folder}`, 60);
    this.#session = new ChatSession({
      chat,
      clock: terminal.clock,
      size: sizeOf(terminal.stdout),
      surface: {
        redraw: () => this.#redraw(),
        suspend: () => void this.#suspend(),
        lend: (program) => this.#lend(program),
        copy: (text) => this.#write(copySequence(text)),
        drawnAt: () => this.#drawnAt,
      },
    });
    this.#prompt = new PlainPrompt((text) => this.#write(text), this.#theme);
    this.#onExit = terminal.onExit(() => this.#releaseTerminal());
  }

  async run(first: string | undefined): Promise<ChatEnd> {
    const { stdin, stdout, interrupted, clock } = this.#terminal;
    const { store } = this.#session;
    this.#takeTerminal();
    const theme = this.#theme;
    const startSize = sizeOf(stdout);
    const { screen } = store;
    const shown = openingLines(screen.opening, { width: contentWidth(screen), theme });
    this.#write(`${shown.map((line) => toAnsi(line, theme)).join('\n')}\n\n`);
    this.#prompt.draw(store.screen);
    const unsubscribe = store.subscribe(() => this.#prompt.draw(store.screen));
    this.#listen();
    if (first !== undefined) void this.#session.choose(first);
    const quit = (): void => this.#session.quit();
    interrupted.addEventListener('abort', quit, { once: true });
    if (interrupted.aborted) quit();
    const { draw } = await import('./app/index.tsx');
    unsubscribe();
    this.#write(BEGIN_UPDATE);
    this.#prompt.erase();
    this.#draw = () => draw({ store, clock, stdin, stdout, theme });
    this.#drawing = this.#draw();
    this.#drawnAt = clock.elapsed();
    this.#write(END_UPDATE);
    if (!isSameSize(startSize, sizeOf(stdout))) this.#redraw();
    const end = await this.#session.ended;
    interrupted.removeEventListener('abort', quit);
    return end;
  }

  [Symbol.dispose](): void {
    this.#hasEnded = true;
    this.#session[Symbol.dispose]();
    this.#escape?.[Symbol.dispose]();
    this.#resized?.[Symbol.dispose]();
    for (const undo of this.#undo) undo();
    this.#drawing?.end();
    this.#releaseTerminal();
    this.#onExit[Symbol.dispose]();
  }

  #listen(): void {
    const { stdin, stdout, clock } = this.#terminal;
    const onData = (chunk: string): void => {
      this.#escape?.[Symbol.dispose]();
      for (const key of this.#parser.push(chunk)) this.#session.key(key);
      if (!this.#parser.isWaiting) return;
      this.#escape = clock.after(ESCAPE_MS, () => {
        for (const key of this.#parser.flush()) this.#session.key(key);
      });
    };
    const onResize = (): void => {
      this.#session.resize(sizeOf(stdout));
      // The terminal rewraps the lines that it shows, so nothing can be overwritten: redraw everything.
      this.#resized?.[Symbol.dispose]();
      this.#resized = clock.after(RESIZED_MS, () => this.#redraw());
    };
    const onEnd = (): void => this.#session.quit();
    stdin.setEncoding('utf8');
    stdin.on('data', onData);
    stdin.on('end', onEnd);
    // Reading from a terminal that is gone fails.
    stdin.on('error', onEnd);
    stdout.on('resize', onResize);
    this.#undo.push(() => {
      stdin.off('data', onData);
      stdin.off('end', onEnd);
      stdin.off('error', onEnd);
      stdin.pause();
      stdout.off('resize', onResize);
    });
  }

  #takeTerminal(): void {
    this.#isTaken = true;
    this.#terminal.stdin.setRawMode(true);
    this.#terminal.stdin.resume();
    this.#write(
      `${SAVE_TITLE}\u001B]0;${this.#title}\u0007${BRACKETED_PASTE_ON}${KEYS_ON}${HIDE_CURSOR}`,
    );
  }

  /** Synchronous, since it also runs while the process exits. */
  #releaseTerminal(): void {
    if (!this.#isTaken) return;
    this.#isTaken = false;
    this.#write(`${KEYS_OFF}${BRACKETED_PASTE_OFF}${SHOW_CURSOR}${RESTORE_TITLE}`);
    this.#terminal.stdin.setRawMode(false);
  }

  /** Clears the terminal and draws everything again: finished items cannot be overwritten. */
  #redraw(): void {
    if (this.#drawing === undefined) return;
    const { store } = this.#session;
    this.#write(BEGIN_UPDATE);
    this.#drawing.clear();
    this.#write(CLEAR_ALL);
    store.set({ ...store.screen, epoch: store.screen.epoch + 1 }, 'now');
    this.#write(END_UPDATE);
  }

  async #suspend(): Promise<void> {
    this.#releaseTerminal();
    await this.#terminal.suspend();
    this.#takeTerminal();
    this.#redraw();
  }

  /** Stops drawing meanwhile: a notice must not be drawn over an editor. */
  async #lend(program: TerminalProgram): Promise<string | undefined> {
    if (this.#drawing === undefined || this.#draw === undefined) {
      return `${program.command} was not started: the screen is not drawn yet`;
    }
    const { store } = this.#session;
    this.#drawing.clear();
    this.#drawing.end();
    this.#drawing = undefined;
    this.#releaseTerminal();
    this.#terminal.stdin.pause();
    const run = await this.#terminal.lend(program);
    if (this.#hasEnded) return undefined;
    this.#takeTerminal();
    this.#write(`${BEGIN_UPDATE}${CLEAR_ALL}`);
    store.set({ ...store.screen, epoch: store.screen.epoch + 1 }, 'now');
    this.#drawing = this.#draw();
    this.#write(END_UPDATE);
    if (run.kind === 'ended') return undefined;
    return run.kind === 'failed'
      ? `${program.command} did not succeed: ${run.how}`
      : `${program.command} was not started (${run.code}): set VISUAL or EDITOR to an editor that is there`;
  }

  #write(text: string): void {
    this.#terminal.stdout.write(text);
  }
}

function isSameSize(one: Size, other: Size): boolean {
  return one.columns === other.columns && one.rows === other.rows;
}

function sizeOf({ columns, rows }: NodeJS.WriteStream): Size {
  // 0 means that the terminal does not report its size.
  return { columns: columns || 80, rows: rows || 24 };
}
