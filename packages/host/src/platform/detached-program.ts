// Both sides of a program of ours that outlives the process that started it. It gets its instructions over
// stdin, so that nothing of them can be read in its arguments or its environment, which is empty; it answers
// with one line, whose content is up to the two sides.

import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import { abortable, err, messageOf, ok, type Result } from '@plugboard/base';

export interface DetachedStart {
  /** A JavaScript file: Node 20 cannot run TypeScript. */
  readonly program: string;
  readonly instructions: string;
  /** Ends the program if it has not answered by then. */
  readonly signal: AbortSignal;
}

/** No answer is longer. */
const MAX_ANSWER = 1024 * 1024;

/** The line that it answered, or why there is none. Rejects with the signal's reason. */
export async function startDetached(start: DetachedStart): Promise<Result<string, string>> {
  const { program, instructions, signal } = start;
  const node = nodeProgram();
  if (node === undefined) return err('this program cannot run JavaScript files');
  const child = spawn(node, [program], {
    // A session of its own: closing a terminal does not end it. And no folder is kept in use by it.
    detached: true,
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const answered = new Promise<Result<string, string>>((resolve) => {
    let said = '';
    child.once('error', (thrown) => resolve(err(messageOf(thrown))));
    child.once('exit', (code, by) => resolve(err(`it ended (${by ?? `code ${code}`})`)));
    child.stdin.on('error', () => {
      // It is gone, and its end says so.
    });
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      said += piece;
      const end = said.indexOf('\n');
      if (end !== -1) resolve(ok(said.slice(0, end)));
      else if (said.length > MAX_ANSWER) resolve(err('it answered too much'));
    });
    child.stdin.end(instructions);
  });
  try {
    return await abortable(answered, signal);
  } catch (thrown) {
    child.kill();
    throw thrown;
  } finally {
    child.stdout.destroy();
    child.unref();
  }
}

export interface DetachedRun {
  /** One line. */
  readonly answer: string;
  readonly ended: Promise<void>;
}

/** The whole of such a program. `stop` aborts when the system, or a person, wants it to end. */
export async function runDetached(
  run: (instructions: string, stop: AbortSignal) => Promise<DetachedRun>,
): Promise<void> {
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => stop.abort());
  const { answer, ended } = await run(await text(process.stdin), stop.signal);
  try {
    writeSync(1, `${answer}\n`);
  } catch {
    // The process that started it is gone; others may connect.
  }
  await ended;
  process.exit(0);
}

const NODE = /^node(js)?[\d.-]*(\.exe)?$/i;

/**
 * Which program runs JavaScript here. A program that has Node built in would start itself once more, so there it is none.
 */
export function nodeProgram(running: string = process.execPath): string | undefined {
  return NODE.test(basename(running)) ? running : undefined;
}
