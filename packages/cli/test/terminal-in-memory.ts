// A simulated terminal for a command in the process of the test. It has a size, accepts keys like a terminal in raw mode, and
// records the output. Features of a device, such as echoing text before a question and turning Ctrl-C into a signal, are tested
// on a real terminal: see on-terminal.ts.

import { PassThrough, Writable } from 'node:stream';
import { type ScreenProgram, TerminalScreen, TerminalText } from '@plugboard/testkit';
import { Interruption, type Terminal } from '../src/terminal.ts';
import { asProcess, type ProcessSetup, runInProcess, within } from './command-in-process.ts';

export interface TerminalStart extends Pick<ProcessSetup, 'cwd' | 'env'> {
  readonly columns: number;
  readonly rows: number;
  /** `nowhere` is like `2>/dev/null`. */
  readonly errors?: 'shown' | 'nowhere' | undefined;
  /** Receives output as it is written, for code that draws it. */
  readonly onBytes?: (bytes: Buffer) => void;
}

export type TerminalInMemory = Omit<ScreenProgram, 'pid'>;

export function startInMemory(
  args: readonly string[],
  { version, ...start }: TerminalStart & { readonly version: string },
): TerminalInMemory {
  return onMemory(start, (started) => runInProcess(args, { ...started, version }));
}

/** The same with code of a test, which resolves with an exit code. */
export function startCodeInMemory(
  run: (terminal: Terminal) => Promise<number>,
  start: TerminalStart,
): TerminalInMemory {
  return onMemory(start, (started) => asProcess(started, run));
}

function onMemory(
  { columns, rows, errors = 'shown', onBytes, ...place }: TerminalStart,
  run: (started: ProcessSetup) => Promise<number>,
): TerminalInMemory {
  const screen = new TerminalText();
  const keyboard = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: () => keyboard,
    ref: () => keyboard,
    unref: () => keyboard,
  });
  const output = (): Writable & { columns: number; rows: number } =>
    Object.assign(
      new Writable({
        write: (bytes: Buffer, _encoding, done) => {
          screen.append(bytes);
          // As a terminal does it.
          onBytes?.(Buffer.from(bytes.toString().replaceAll('\n', '\r\n')));
          done();
        },
      }),
      { isTTY: true, columns, rows },
    );
  const nowhere = new Writable({ write: (_bytes, _encoding, done) => done() });
  const stdout = output();
  const interrupt = new AbortController();
  const stderr = errors === 'shown' ? output() : nowhere;
  const started = { ...place, stdin: keyboard, stdout, stderr, interrupt };
  const exited = run(started)
    .then((code) => ({ code, signal: undefined }))
    .finally(() => screen.end());
  return {
    exited,
    get text() {
      return screen.text;
    },
    write: (keys) => within(started, () => void keyboard.write(keys)),
    waitFor: (what, options) => screen.waitFor(what, options),
    resize(newRows, newColumns) {
      Object.assign(stdout, { columns: newColumns, rows: newRows });
      within(started, () => stdout.emit('resize'));
    },
    /** Closes the window of a program that still runs. */
    async [Symbol.asyncDispose]() {
      within(started, () => interrupt.abort(new Interruption('SIGHUP')));
      await exited;
    },
  };
}

let isDrawing = false;

/** The screen of a program that is drawn. Ink knows only one place for finished lines in a process, so one is open at a time. */
export async function drawnInMemory(
  size: Pick<TerminalStart, 'columns' | 'rows'>,
  start: (onBytes: (bytes: Buffer) => void) => TerminalInMemory,
): Promise<TerminalScreen> {
  if (isDrawing) throw new Error('another screen of this process is still open');
  isDrawing = true;
  return TerminalScreen.of((onBytes) => {
    const program = start(onBytes);
    void program.exited.finally(() => {
      isDrawing = false;
    });
    return program;
  }, size);
}
