// Both sides of a program of Plugboard that outlives the process that started it. It gets its instructions over stdin,
// so that they are visible neither in its arguments nor in its environment, which is empty. It answers with one line,
// whose content is up to the two sides.

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

const MAX_ANSWER = 1024 * 1024;

/** The line that it answers, or the reason why there is none. Rejects with the signal's reason. */
export async function startDetached(start: DetachedStart): Promise<Result<string, string>> {
  const { program, instructions, signal } = start;
  const node = nodeProgram();
  if (node === undefined) return err('this program cannot run JavaScript files');
  const child = spawn(node, [program], {
    // Its own session, so that closing a terminal does not end it; and `/`, so that it keeps no folder in use.
    detached: true,
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const answer = new Promise<Result<string, string>>((resolve) => {
    let output = '';
    child.once('error', (thrown) => resolve(err(messageOf(thrown))));
    child.once('exit', (code, by) => resolve(err(`it ended (${by ?? `code ${code}`})`)));
    child.stdin.on('error', () => {
      // The program has ended, which is reported by `exit`.
    });
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      output += piece;
      const end = output.indexOf('\n');
      if (end !== -1) resolve(ok(output.slice(0, end)));
      else if (output.length > MAX_ANSWER) resolve(err('it answered too much'));
    });
    child.stdin.end(instructions);
  });
  try {
    return await abortable(answer, signal);
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

/** Runs such a program from start to end. `stop` aborts on a signal that asks it to end. */
export async function runDetached(
  run: (instructions: string, stop: AbortSignal) => Promise<DetachedRun>,
): Promise<void> {
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => stop.abort());
  const { answer, ended } = await run(await text(process.stdin), stop.signal);
  try {
    writeSync(1, `${answer}\n`);
  } catch {
    // The process that started it has ended; others may connect.
  }
  await ended;
  process.exit(0);
}

const NODE = /^node(js)?[\d.-]*(\.exe)?$/i;

/** The program that runs JavaScript; `undefined` in a program with a built-in Node, which would start itself again. */
export function nodeProgram(running: string = process.execPath): string | undefined {
  return NODE.test(basename(running)) ? running : undefined;
}
