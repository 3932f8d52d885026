// Processes with one home folder, each of which calls the server once on demand.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { CallOutcome } from '../../src/index.ts';

export interface Callers extends AsyncDisposable {
  /** Calls from all of them at once, and returns the results. */
  call(): Promise<readonly CallOutcome[]>;
  /** The same, without waiting for the end. */
  begin(): void;
  /** Kills them at once, whatever they are doing. */
  kill(): Promise<void>;
}

interface Caller {
  readonly child: ChildProcess;
  readonly lines: AsyncIterator<string>;
  readonly ended: Promise<unknown>;
}

/** Resolves when all of them are ready. */
export async function callers(
  count: number,
  at: { readonly url: string; readonly home: string },
): Promise<Callers> {
  const started = Array.from({ length: count }, () => start(at));
  const kill = async (): Promise<void> => {
    for (const { child } of started) child.kill('SIGKILL');
    await Promise.all(started.map(({ ended }) => ended));
  };
  const begin = (): void => {
    for (const { child } of started) child.stdin?.write('go\n');
  };
  for (const { lines } of started) {
    const said = await lines.next();
    if (said.value === 'ready') continue;
    await kill();
    throw new Error('a caller did not get ready');
  }
  return {
    begin,
    kill,
    call() {
      begin();
      return Promise.all(
        started.map(async ({ lines, ended }) => {
          const { value } = await lines.next();
          await ended;
          return JSON.parse(String(value)) as CallOutcome;
        }),
      );
    },
    [Symbol.asyncDispose]: kill,
  };
}

function start({ url, home }: { readonly url: string; readonly home: string }): Caller {
  const script = fileURLToPath(new URL('fixtures/call-once.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, url, home], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return {
    child,
    lines: createInterface(child.stdout)[Symbol.asyncIterator](),
    ended: once(child, 'close'),
  };
}
