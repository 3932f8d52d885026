// Runs the command on a terminal, in the folders of a sandbox: the built command on a real terminal, or the command in the
// process of the test on a simulated one.

import { type PseudoTerminal, type PseudoTerminalExit, startOnTerminal } from '@plugboard/testkit';
import { PLUGBOARD, type Sandbox, VERSION } from './sandbox.ts';
import { startInMemory, type TerminalInMemory } from './terminal-in-memory.ts';

export interface OnTerminal {
  readonly columns?: number;
  /** Added to the environment of the sandbox. Colour is off by default. */
  readonly env?: Readonly<Record<string, string>>;
  /** Redirections after the command, such as `2>/dev/null`. */
  readonly after?: string;
}

export interface ScreenOptions extends Pick<OnTerminal, 'columns' | 'env'> {
  readonly errors?: 'shown' | 'nowhere' | undefined;
}

export function onTerminal(
  box: Sandbox,
  args: readonly string[],
  { columns, env = { NO_COLOR: '1' }, after }: OnTerminal = {},
): Promise<PseudoTerminal> {
  const words = [process.execPath, PLUGBOARD, ...args];
  const [command = '', ...rest] =
    after === undefined ? words : ['/bin/sh', '-c', `"$@" ${after}`, 'sh', ...words];
  return startOnTerminal({
    command,
    args: rest,
    cwd: box.project,
    env: { ...box.env, ...env },
    ...(columns === undefined ? {} : { columns }),
  });
}

/** The complete screen of a command that asks no questions. */
export async function screenOf(
  box: Sandbox,
  args: readonly string[],
  { columns = 80, env = { NO_COLOR: '1' }, errors }: ScreenOptions = {},
): Promise<string> {
  const terminal = onSimulatedTerminal(box, args, { columns, env, errors });
  await terminal.exited;
  return terminal.text;
}

/** Like `onTerminal`, in the process of the test. */
export function onSimulatedTerminal(
  box: Sandbox,
  args: readonly string[],
  { columns = 80, env = { NO_COLOR: '1' }, errors }: ScreenOptions = {},
): TerminalInMemory {
  return startInMemory(args, {
    cwd: box.project,
    env: { TERM: 'xterm', ...box.env, ...env },
    version: VERSION,
    columns,
    rows: 24,
    errors,
  });
}

/** Like `atTerminal`, with the built command on a real terminal. */
export async function realScreenOf(
  box: Sandbox,
  args: readonly string[],
  options?: OnTerminal,
): Promise<string> {
  await using terminal = await onTerminal(box, args, options);
  await terminal.exited;
  return terminal.text;
}

export type Turn = readonly [question: string, keys: string];

/** Types each answer after its question has appeared. */
export async function answering(
  box: Sandbox,
  args: readonly string[],
  turns: readonly Turn[],
): Promise<PseudoTerminalExit & { readonly screen: string }> {
  await using terminal = await onTerminal(box, args);
  let from = 0;
  for (const [question, keys] of turns) {
    const text = await terminal.waitFor(question, { from });
    from = text.indexOf(question, from) + question.length;
    terminal.write(keys);
  }
  const exit = await terminal.exited;
  return { ...exit, screen: withoutCursor(terminal.text) };
}

/** Removes progress lines and the sequences that erase them. */
export function withoutStatus(text: string): string {
  const wipe = '\r\u001B[K';
  const parts = text.split(wipe);
  // The text between two erase sequences is gone. The text after the last one stays.
  return parts.map((part, index) => (isStatus(part, parts[index + 1]) ? '' : part)).join('');
}

function isStatus(part: string, next: string | undefined): boolean {
  return next !== undefined && part.endsWith('…') && !part.includes('\n');
}

/** Removes cursor movements, which a typed line contains. */
export function withoutCursor(text: string): string {
  return text.replaceAll(/\u001B\[\d*[A-Z]|\r/g, '');
}
