// A chat on a terminal, from the first line to the last: what the terminal is switched to, and that it is switched
// back whatever happens.

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

/** How long the rest of a sequence may take; then Escape was pressed. */
const ESCAPE_MS = 40;

/** A window that is dragged changes its size many times; it is drawn once it rests. */
const RESIZED_MS = 40;

const BRACKETS_ON = '\u001B[?2004h';
const BRACKETS_OFF = '\u001B[?2004l';
/** Keys that differ are told apart (kitty); terminals that do not know it ignore it. */
const KEYS_ON = '\u001B[>1u';
const KEYS_OFF = '\u001B[<u';
const HIDE_CURSOR = '\u001B[?25l';
const SHOW_CURSOR = '\u001B[?25h';
const CLEAR_ALL = '\u001B[2J\u001B[3J\u001B[H';
const HOLD = '\u001B[?2026h';
const SHOW = '\u001B[?2026l';
const KEEP_TITLE = '\u001B[22;0t';
const GIVE_TITLE_BACK = '\u001B[23;0t';

/** On a terminal that can be drawn on. Resolves when the chat has ended. */
export async function openChat(
  chat: Chat,
  terminal: ChatTerminal,
  { first, theme }: ChatStart = {},
): Promise<ChatEnd> {
  using screen = new ChatScreen(chat, terminal, theme);
  return await screen.run(first);
}

export interface ChatStart {
  /** A command that is carried out at once. */
  readonly first?: string | undefined;
  readonly theme?: ThemeName | undefined;
}

/** What puts a text into the terminal's clipboard (OSC 52). */
function copied(text: string): string {
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
        copy: (text) => this.#write(copied(text)),
        drawnAt: () => this.#drawnAt,
      },
    });
    this.#prompt = new PlainPrompt((text) => this.#write(text), this.#theme);
    this.#onExit = terminal.onExit(() => this.#release());
  }

  async run(first: string | undefined): Promise<ChatEnd> {
    const { stdin, stdout, interrupted, clock } = this.#terminal;
    const { store } = this.#session;
    this.#take();
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
    this.#write(HOLD);
    this.#prompt.erase();
    this.#draw = () => draw({ store, clock, stdin, stdout, theme });
    this.#drawing = this.#draw();
    this.#drawnAt = clock.elapsed();
    this.#write(SHOW);
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
    this.#release();
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
      // A terminal moves the lines that stand there, so nothing can be drawn over: all of it is drawn again.
      this.#resized?.[Symbol.dispose]();
      this.#resized = clock.after(RESIZED_MS, () => this.#redraw());
    };
    const onEnd = (): void => this.#session.quit();
    stdin.setEncoding('utf8');
    stdin.on('data', onData);
    stdin.on('end', onEnd);
    // A terminal that is gone is read with an error.
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

  #take(): void {
    this.#isTaken = true;
    this.#terminal.stdin.setRawMode(true);
    this.#terminal.stdin.resume();
    this.#write(`${KEEP_TITLE}\u001B]0;${this.#title}\u0007${BRACKETS_ON}${KEYS_ON}${HIDE_CURSOR}`);
  }

  /** Also while the program is about to end for whatever reason, so nothing here waits. */
  #release(): void {
    if (!this.#isTaken) return;
    this.#isTaken = false;
    this.#write(`${KEYS_OFF}${BRACKETS_OFF}${SHOW_CURSOR}${GIVE_TITLE_BACK}`);
    this.#terminal.stdin.setRawMode(false);
  }

  /** All of it again, since what is finished is never drawn over. */
  #redraw(): void {
    if (this.#drawing === undefined) return;
    const { store } = this.#session;
    this.#write(HOLD);
    this.#drawing.clear();
    this.#write(CLEAR_ALL);
    store.set({ ...store.screen, epoch: store.screen.epoch + 1 }, 'now');
    this.#write(SHOW);
  }

  async #suspend(): Promise<void> {
    this.#release();
    await this.#terminal.suspend();
    this.#take();
    this.#redraw();
  }

  /** What is drawn ends before and begins again: a notice must not be drawn over an editor. */
  async #lend(program: TerminalProgram): Promise<string | undefined> {
    if (this.#drawing === undefined || this.#draw === undefined) {
      return `${program.command} was not started: the screen is not drawn yet`;
    }
    const { store } = this.#session;
    this.#drawing.clear();
    this.#drawing.end();
    this.#drawing = undefined;
    this.#release();
    this.#terminal.stdin.pause();
    const run = await this.#terminal.lend(program);
    if (this.#hasEnded) return undefined;
    this.#take();
    this.#write(`${HOLD}${CLEAR_ALL}`);
    store.set({ ...store.screen, epoch: store.screen.epoch + 1 }, 'now');
    this.#drawing = this.#draw();
    this.#write(SHOW);
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
  // A terminal that does not know its size says 0.
  return { columns: columns || 80, rows: rows || 24 };
}
