// An interactive shell on a real terminal with the completion of the command. Types keys, and returns the words that the shell
// parsed.

import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { type PseudoTerminal, startOnTerminal } from '@plugboard/testkit';
import { PLUGBOARD, type Sandbox } from './sandbox.ts';

export interface ShellSession extends AsyncDisposable {
  /** Types a line, where `\t` is the Tab key, and returns its words. */
  wordsAfter(keys: string): Promise<readonly string[]>;
  /** Runs a line, and returns its output. */
  run(line: string): Promise<string>;
}

const LINE_START = '\u0001';
const LINE_END = '\u0005';
const ENTER = '\r';

export async function startShell(
  box: Sandbox,
  { command, args, setUp }: { command: string; args: readonly string[]; setUp: string },
): Promise<ShellSession> {
  const bin = await commandFolder(box);
  const terminal = await startOnTerminal({
    command,
    args,
    cwd: box.project,
    env: { ...box.env, PATH: `${bin}:${box.env['PATH'] ?? ''}`, TERM: 'dumb', PS1: '$ ' },
    columns: 1000,
  });
  let count = 0;
  const run = async (line: string): Promise<string> => {
    count += 1;
    // The typed text also appears, so the printed marks must differ from it.
    const { length } = terminal.text;
    terminal.write(
      `${line}${LINE_START}printf '\\nbegin-%s:' ${count}; ${LINE_END}; printf ':end-%s\\n' ${count}${ENTER}`,
    );
    return await between(terminal, length, count);
  };
  await run(setUp);
  return {
    run,
    wordsAfter: async (keys) => {
      const printed = await run(`${keys}${LINE_START}printf '<%s>' `);
      return Array.from(printed.matchAll(/<([^>]*)>/g), ([, word = '']) => word);
    },
    [Symbol.asyncDispose]: () => terminal[Symbol.asyncDispose](),
  };
}

async function between(terminal: PseudoTerminal, from: number, count: number): Promise<string> {
  const text = await terminal.waitFor(`:end-${count}\n`, { from });
  const begin = `begin-${count}:`;
  return text.slice(text.indexOf(begin, from) + begin.length, text.lastIndexOf(`:end-${count}\n`));
}

/** A folder with the command as `plugboard`, like an installation. */
export async function commandFolder(box: Sandbox): Promise<string> {
  const script = `#!/bin/sh\nexec "${process.execPath}" "${PLUGBOARD}" "$@"\n`;
  await chmod(await box.write('../home/bin/plugboard', script), 0o755);
  return join(box.home, 'bin');
}
