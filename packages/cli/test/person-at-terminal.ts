// The built command with a person at a real terminal. The terminal stays open until all of it was read.

import { startOnTerminal } from '@plugboard/testkit';
import { PLUGBOARD, type Sandbox } from './sandbox.ts';

export interface SeenScreen {
  readonly code: number;
  readonly screen: string;
}

export interface SittingOptions {
  readonly args: readonly string[];
  /** What the arguments are for: the built command, unless given. */
  readonly command?: readonly string[];
  /** Each answer is typed once its question has appeared. */
  readonly turns?: readonly (readonly [question: string, keys: string])[];
  readonly columns?: number;
  readonly rows?: number;
  /** What the terminal can do: nothing, unless given. */
  readonly term?: string;
}

/** The shell outlives the command, and Ctrl-C, until somebody presses a key. */
const SHELL = 'trap : INT; "$0" "$@"; echo "<ended with $?>"; read -r _';
const ENDED = /<ended with (\d+)>/;

export async function atTerminal(
  box: Pick<Sandbox, 'project' | 'env'>,
  sitting: SittingOptions,
): Promise<SeenScreen> {
  const { args, command = [process.execPath, PLUGBOARD], turns = [] } = sitting;
  const { columns = 200, rows = 60, term = 'dumb' } = sitting;
  await using terminal = await startOnTerminal({
    command: '/bin/sh',
    args: ['-c', SHELL, ...command, ...args],
    cwd: box.project,
    env: { ...box.env, NO_COLOR: '1', TERM: term },
    columns,
    rows,
  });
  let from = 0;
  for (const [question, keys] of turns) {
    const text = await terminal.waitFor(question, { from, timeoutMs: 20_000 });
    from = text.indexOf(question, from) + question.length;
    terminal.write(keys);
  }
  const text = await terminal.waitFor(ENDED, { timeoutMs: 20_000 });
  const [end, code] = ENDED.exec(text) ?? ['', ''];
  return { code: Number(code), screen: text.slice(0, text.indexOf(end)) };
}
