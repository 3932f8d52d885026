// A simulated terminal for a command in the process of the test. It has a width, accepts keys like a terminal in raw mode, and
// records the output. Features of a device, such as echoing text before a question and turning Ctrl-C into a signal, are tested
// on a real terminal: see on-terminal.ts.

import { PassThrough, Writable } from 'node:stream';
import { TerminalText } from '@plugboard/testkit';
import { runInProcess, type ProcessSetup } from './command-in-process.ts';

export interface TerminalStart extends Pick<ProcessSetup, 'cwd' | 'env' | 'version'> {
  readonly columns: number;
  readonly rows: number;
  /** `nowhere` is like `2>/dev/null`. */
  readonly errors?: 'shown' | 'nowhere' | undefined;
}

export interface TerminalInMemory {
  /** Resolves with the exit code, after all output has appeared. */
  readonly exited: Promise<number>;
  readonly text: string;
  write(keys: string): void;
  waitFor: TerminalText['waitFor'];
}

export function startInMemory(args: readonly string[], start: TerminalStart): TerminalInMemory {
  const { columns, rows, errors = 'shown', ...started } = start;
  const screen = new TerminalText();
  const keyboard = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => keyboard });
  const output = (): Writable =>
    Object.assign(
      new Writable({
        write: (bytes: Buffer, _encoding, done) => {
          screen.append(bytes);
          done();
        },
      }),
      { isTTY: true, columns, rows },
    );
  const nowhere = new Writable({ write: (_bytes, _encoding, done) => done() });
  const exited = runInProcess(args, {
    ...started,
    stdin: keyboard,
    stdout: output(),
    stderr: errors === 'shown' ? output() : nowhere,
  }).finally(() => screen.end());
  return {
    exited,
    get text() {
      return screen.text;
    },
    write: (keys) => void keyboard.write(keys),
    waitFor: (what, options) => screen.waitFor(what, options),
  };
}
