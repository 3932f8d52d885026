// What a person sees on the terminal of a program: all that it wrote, as a terminal draws it.

import { setTimeout as pause } from 'node:timers/promises';
import { type PseudoTerminal } from '@plugboard/testkit';
import xterm from '@xterm/headless';

export interface TerminalScreen {
  /** All lines, also those that were scrolled away, without what is empty at the end. */
  lines(): Promise<readonly string[]>;
  /** Resolves with the lines once they are as wanted. */
  until(what: string | RegExp | ((text: string) => boolean)): Promise<string>;
}

const TIMEOUT_MS = 10_000;
const LOOK_AGAIN_MS = 10;

export function screenOf(terminal: PseudoTerminal, columns = 80, rows = 24): TerminalScreen {
  const screen = new xterm.Terminal({
    cols: columns,
    rows,
    scrollback: 5000,
    allowProposedApi: true,
    convertEol: true,
  });
  let drawn = 0;
  const lines = async (): Promise<readonly string[]> => {
    const { text } = terminal;
    const more = text.slice(drawn);
    drawn = text.length;
    await new Promise<void>((resolve) => {
      screen.write(more, resolve);
    });
    const { active } = screen.buffer;
    const all = Array.from({ length: active.length }, (_, index) =>
      (active.getLine(index)?.translateToString(true) ?? '').trimEnd(),
    );
    return all.slice(0, all.findLastIndex((line) => line !== '') + 1);
  };
  return {
    lines,
    async until(what) {
      const end = performance.now() + TIMEOUT_MS;
      for (;;) {
        const text = (await lines()).join('\n');
        const isThere =
          typeof what === 'string'
            ? text.includes(what)
            : typeof what === 'function'
              ? what(text)
              : what.test(text);
        if (isThere) return text;
        if (performance.now() > end)
          throw new Error(`waited for ${String(what)}, but saw\n${text}`);
        await pause(LOOK_AGAIN_MS);
      }
    },
  };
}
