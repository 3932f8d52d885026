// A host in a separate process. Records all of its output, and the command lines of the process and all its descendants.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { processTree } from '@plugboard/testkit';

export type Act = 'login' | 'logout' | 'call' | 'tools' | 'state';

export interface CommandedHost extends AsyncDisposable {
  /** Its result. */
  ask(act: Act, server: string): Promise<{ readonly kind?: string }>;
  /** Standard output and error. */
  readonly said: string;
  readonly commandLines: readonly string[];
  /** Makes it end by itself. */
  close(): Promise<void>;
}

export function commandedHost(home: {
  readonly path: string;
  readonly cwd: string;
}): CommandedHost {
  const child = spawn(process.execPath, [fixture('commanded-host.mjs')], {
    cwd: home.cwd,
    env: {
      PATH: process.env['PATH'],
      HOME: home.path,
      BROWSER: fixture('arriving-browser.mjs'),
    },
  });
  const ended = once(child, 'close');
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const commandLines = new Set<string>();
  const close = async (): Promise<void> => {
    child.stdin.end();
    await ended;
  };
  return {
    async ask(act, server) {
      child.stdin.write(`${JSON.stringify({ act, server })}\n`);
      const { value, done } = await lines.next();
      for (const { command } of processTree(child.pid ?? 0)) commandLines.add(command);
      if (done === true) throw new Error(`the host ended: ${said}`);
      return JSON.parse(value) as { readonly kind?: string };
    },
    get said() {
      return said;
    },
    get commandLines() {
      return [...commandLines];
    },
    close,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function fixture(name: string): string {
  return fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
}
