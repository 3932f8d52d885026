// Runs the command as a real process, over HTTP or over stdio.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '@plugboard/testkit';

export const COMMAND = fileURLToPath(new URL('../../bin/plugboard-codebase.js', import.meta.url));

export interface ServerProcess extends AsyncDisposable {
  readonly pid: number;
  readonly child: ChildProcessWithoutNullStreams;
  stdout(): string;
  stderr(): string;
  /** The exit code. */
  readonly ended: Promise<number | null>;
}

export function startCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ServerProcess {
  return startProgram([COMMAND, ...args], env);
}

export function startProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ServerProcess {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env } });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (piece: Buffer) => (stdout += piece.toString('utf8')));
  child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString('utf8')));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    pid: child.pid ?? 0,
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

export interface HttpServerProcess extends ServerProcess {
  /** The address of the protocol. */
  readonly url: string;
}

export async function startHttp(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<HttpServerProcess> {
  const started = startCommand([...args, '--http', '0'], env);
  const url = await waitUntil(() => /listening on (\S+)/.exec(started.stderr())?.[1], {
    describe: () => `the server to listen; it said: ${started.stderr()}`,
  });
  return { ...started, url };
}
