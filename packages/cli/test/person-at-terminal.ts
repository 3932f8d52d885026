// A person who runs the command on a terminal and reads all of its output. The terminal is real if the terminal itself handles
// a key, or if another program runs on it.

import { KEYS, startOnTerminal } from '@plugboard/testkit';
import { PLUGBOARD, type Sandbox, VERSION } from './sandbox.ts';
import { startInMemory, type TerminalInMemory } from './terminal-in-memory.ts';

export interface SeenScreen {
  readonly code: number;
  readonly screen: string;
}

export interface SittingOptions {
  readonly args: readonly string[];
  /** The program of the arguments. The default is the built command. */
  readonly command?: readonly string[];
  /** Each answer is typed after its question has appeared. */
  readonly turns?: readonly (readonly [question: string, keys: string])[];
  readonly columns?: number;
  readonly rows?: number;
  /** The type of the terminal. The default has no capabilities. */
  readonly term?: string;
}

type Place = Pick<Sandbox, 'project' | 'env'>;

/** The shell keeps running after the command and Ctrl-C until a key is pressed. */
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
  const { code } = await terminal.exited;
  return { code, screen: terminal.text };
}

/** Runs the built command or another program. The terminal stays open until all output was read. */
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
