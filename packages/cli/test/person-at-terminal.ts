// The command with a person at a terminal, who reads all of it. The terminal is a real one where they press a key that
// means something to the terminal itself, or where another program is to run on it.

import { KEYS, startOnTerminal } from '@plugboard/testkit';
import { PLUGBOARD, type Sandbox, VERSION } from './sandbox.ts';
import { startInMemory, type TerminalInMemory } from './terminal-in-memory.ts';

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

type Place = Pick<Sandbox, 'project' | 'env'>;

/** The shell outlives the command, and Ctrl-C, until a key is pressed. */
const SHELL = 'trap : INT; "$0" "$@"; echo "<ended with $?>"; read -r _';
const ENDED = /<ended with (\d+)>/;

export async function atTerminal(box: Place, sitting: SittingOptions): Promise<SeenScreen> {
  const keys = (sitting.turns ?? []).map(([, typed]) => typed).join('');
  const isForTerminal = [KEYS.ctrlC, KEYS.ctrlD].some((key) => keys.includes(key));
  return isForTerminal || sitting.command !== undefined
    ? atRealTerminal(box, sitting)
    : inMemory(box, sitting);
}

async function inMemory(box: Place, sitting: SittingOptions): Promise<SeenScreen> {
  const { args, turns = [], columns = 200, rows = 60, term = 'dumb' } = sitting;
  const terminal = startInMemory(args, {
    cwd: box.project,
    env: { ...box.env, NO_COLOR: '1', TERM: term },
    version: VERSION,
    columns,
    rows,
  });
  await answer(terminal, turns);
  const code = await terminal.exited;
  return { code, screen: terminal.text };
}

/** The built command, unless another is given. The terminal stays open until all of it was read. */
async function atRealTerminal(box: Place, sitting: SittingOptions): Promise<SeenScreen> {
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
  await answer(terminal, turns);
  const text = await terminal.waitFor(ENDED);
  const [end, code] = ENDED.exec(text) ?? ['', ''];
  return { code: Number(code), screen: text.slice(0, text.indexOf(end)) };
}

async function answer(
  terminal: Pick<TerminalInMemory, 'waitFor' | 'write'>,
  turns: Required<SittingOptions>['turns'],
): Promise<void> {
  let from = 0;
  for (const [question, keys] of turns) {
    const text = await terminal.waitFor(question, { from });
    from = text.indexOf(question, from) + question.length;
    terminal.write(keys);
  }
}
