// A program on a real terminal with an emulated screen: a test reads what a person would see now, not all that was
// written. A wait checks the screen at every output, and has one timeout.

import { CodedError } from '@plugboard/base';
import type { IBufferCell, Terminal } from '@xterm/headless';
import {
  appears,
  type PseudoTerminal,
  type PseudoTerminalExit,
  type PseudoTerminalStart,
  type PseudoTerminalWait,
  startOnTerminal,
} from './pseudo-terminal.ts';
import { keyBytes } from './terminal-keys.ts';
import { WAIT_MS } from './bounds.ts';

/** `undefined` is the default colour, a number one of the 256 colours, and a string such as `#ff8800` any colour. */
export type CellColour = number | `#${string}` | undefined;

export interface ScreenCell {
  /** Empty if nothing was written there, and for the second half of a wide character. */
  readonly text: string;
  readonly width: 0 | 1 | 2;
  readonly foreground: CellColour;
  readonly background: CellColour;
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isItalic: boolean;
  readonly isUnderlined: boolean;
  readonly isStruck: boolean;
  readonly isInverse: boolean;
}

export type TerminalScreenStart = Omit<PseudoTerminalStart, 'onBytes'>;

/** What runs on the screen: a process on a real terminal, or code of the test. */
export type ScreenProgram = Omit<PseudoTerminal, 'pid'> & Partial<Pick<PseudoTerminal, 'pid'>>;

export interface ScreenWait {
  readonly timeoutMs?: number;
  /** `sight` by default, which excludes text that has scrolled away. */
  readonly within?: 'sight' | 'everything';
}

const SCROLLBACK_LINES = 10_000;

export class TerminalScreen implements AsyncDisposable {
  readonly #terminal: Terminal;
  readonly #program: ScreenProgram;
  readonly #watchers: Watchers;
  #hasEnded = false;
  /** Resolves once the program has ended and all its output is on the screen. Never rejects. */
  readonly ended: Promise<PseudoTerminalExit>;

  private constructor(terminal: Terminal, program: ScreenProgram, watchers: Watchers) {
    this.#watchers = watchers;
    this.#terminal = terminal;
    this.#program = program;
    // Some programs query the terminal and wait for its answer.
    terminal.onData((answer) => {
      if (!this.#hasEnded) program.write(answer);
    });
    this.ended = program.exited.then(async (exit) => {
      this.#hasEnded = true;
      await new Promise<void>((resolve) => terminal.write('', resolve));
      notify(watchers);
      return exit;
    });
  }

  static start(start: TerminalScreenStart): Promise<TerminalScreen> {
    return this.of((onBytes) => startOnTerminal({ ...start, onBytes }), start);
  }

  /** `open` starts the program, which writes its output to `onBytes`. */
  static async of(
    open: (onBytes: (bytes: Buffer) => void) => ScreenProgram | Promise<ScreenProgram>,
    { columns = 80, rows = 24 }: Pick<TerminalScreenStart, 'columns' | 'rows'> = {},
  ): Promise<TerminalScreen> {
    const { Terminal: HeadlessTerminal } = await loadTerminal();
    const terminal = new HeadlessTerminal({
      cols: columns,
      rows,
      scrollback: SCROLLBACK_LINES,
      allowProposedApi: true,
    });
    const watchers: Watchers = new Set();
    const onBytes = (bytes: Buffer): void =>
      terminal.write(Uint8Array.from(bytes), () => notify(watchers));
    const program = await open(onBytes);
    return new TerminalScreen(terminal, program, watchers);
  }

  get pid(): number {
    const { pid } = this.#program;
    if (pid === undefined) throw new Error('the program runs in the process of the test');
    return pid;
  }

  /** All output of the program, with escape sequences, and `\n` as line end. */
  get written(): string {
    return this.#program.text;
  }

  /** Resolves with all output once this is in it. */
  writes(what: string | RegExp, options?: PseudoTerminalWait): Promise<string> {
    return this.#program.waitFor(what, options);
  }

  /** What a person sees, without trailing spaces and trailing empty lines. */
  text(): string {
    const { baseY } = this.#terminal.buffer.active;
    return this.#linesFrom(baseY);
  }

  /** Like `text`, with the lines that have scrolled away. */
  everything(): string {
    return this.#linesFrom(0);
  }

  /** Every cell that a person sees, row by row. */
  cells(): readonly (readonly ScreenCell[])[] {
    const { cols, rows, buffer } = this.#terminal;
    const { active } = buffer;
    return Array.from({ length: rows }, (_, row) => {
      const line = active.getLine(active.baseY + row);
      return Array.from({ length: cols }, (__, column) => cellOf(line?.getCell(column)));
    });
  }

  /** Where the cursor is, from 0. */
  cursor(): { readonly row: number; readonly column: number } {
    const { cursorX, cursorY } = this.#terminal.buffer.active;
    return { row: cursorY, column: cursorX };
  }

  type(text: string): void {
    this.#program.write(text);
  }

  /** Presses a key by name: "enter", "escape", "up", "ctrl+c", "alt+x", "shift+tab". */
  press(key: string): void {
    const { applicationCursorKeysMode } = this.#terminal.modes;
    this.#program.write(keyBytes(key, applicationCursorKeysMode ? 'application' : 'normal'));
  }

  /** Pastes like a terminal, in bracketed mode if the program has switched it on. */
  paste(text: string): void {
    const isBracketed = this.#terminal.modes.bracketedPasteMode;
    this.#program.write(isBracketed ? `\u001B[200~${text}\u001B[201~` : text);
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
    this.#program.resize(rows, columns);
  }

  /** Resolves with the screen once this is on it. */
  shows(what: string | RegExp, options: ScreenWait = {}): Promise<string> {
    return this.until((text) => appears(what, text), {
      ...options,
      wish: `${nameOf(what)} appears`,
    });
  }

  /** Resolves with the screen once this is no longer on it. */
  hides(what: string | RegExp, options: ScreenWait = {}): Promise<string> {
    const wish = `${nameOf(what)} is gone`;
    return this.until((text) => !appears(what, text), { ...options, wish });
  }

  /** Rejects if the program ends first, or at the timeout. */
  until(
    isWished: (text: string) => boolean,
    options: ScreenWait & { readonly wish?: string } = {},
  ): Promise<string> {
    const { timeoutMs = WAIT_MS, wish = 'what was wished for is there' } = options;
    const read = (): string => (options.within === 'everything' ? this.everything() : this.text());
    return new Promise((resolve, reject) => {
      const settle = (end: () => void): void => {
        clearTimeout(timer);
        this.#watchers.delete(look);
        end();
      };
      const look = (): void => {
        const text = read();
        if (isWished(text)) settle(() => resolve(text));
        else if (this.#hasEnded) settle(() => reject(missed('the program ended', wish, text)));
      };
      const timer = setTimeout(
        () => settle(() => reject(missed(`waited ${timeoutMs} ms`, wish, read()))),
        timeoutMs,
      );
      this.#watchers.add(look);
      look();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program[Symbol.asyncDispose]();
    await this.ended;
    this.#terminal.dispose();
  }

  #linesFrom(first: number): string {
    const { active } = this.#terminal.buffer;
    const end = active.baseY + this.#terminal.rows;
    const lines: string[] = [];
    for (let row = first; row < end; row += 1) {
      lines.push(active.getLine(row)?.translateToString(true).trimEnd() ?? '');
    }
    return lines.join('\n').trimEnd();
  }
}

/** Callbacks of pending waits. */
type Watchers = Set<() => void>;

function notify(watchers: Watchers): void {
  for (const look of watchers) look();
}

async function loadTerminal(): Promise<{ readonly Terminal: typeof Terminal }> {
  // Few tests need it. It is CommonJS, whose exports Node puts into the default export.
  const loaded = (await import('@xterm/headless')) as {
    readonly default?: { readonly Terminal: typeof Terminal };
    readonly Terminal: typeof Terminal;
  };
  return loaded.default ?? loaded;
}

function cellOf(cell: IBufferCell | undefined): ScreenCell {
  if (cell === undefined) return BLANK;
  return {
    text: cell.getChars(),
    width: widthOf(cell.getWidth()),
    foreground: colourOf(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor()),
    background: colourOf(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor()),
    isBold: cell.isBold() !== 0,
    isDim: cell.isDim() !== 0,
    isItalic: cell.isItalic() !== 0,
    isUnderlined: cell.isUnderline() !== 0,
    isStruck: cell.isStrikethrough() !== 0,
    isInverse: cell.isInverse() !== 0,
  };
}

const BLANK: ScreenCell = {
  text: '',
  width: 1,
  foreground: undefined,
  background: undefined,
  isBold: false,
  isDim: false,
  isItalic: false,
  isUnderlined: false,
  isStruck: false,
  isInverse: false,
};

function widthOf(width: number): ScreenCell['width'] {
  return width === 0 || width === 2 ? width : 1;
}

function colourOf(isRgb: boolean, isPalette: boolean, value: number): CellColour {
  if (isRgb) return `#${value.toString(16).padStart(6, '0')}`;
  return isPalette ? value : undefined;
}

function nameOf(what: string | RegExp): string {
  return typeof what === 'string' ? JSON.stringify(what) : String(what);
}

function missed(why: string, wish: string, text: string): CodedError {
  return new CodedError('not-on-screen', `${why} before ${wish}; on the screen is\n${text}`, {
    data: { wish, text },
  });
}
