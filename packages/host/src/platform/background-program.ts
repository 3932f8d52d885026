// Starts a program that outlives this one and has no terminal: in its own session, with its stderr appended to a file.
// The program itself limits the size of the file.

import { spawn } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { err, messageOf, ok, type Result, stayAlive } from '@plugboard/base';
import { olderOf } from './append-file.ts';
import type { ProcessExit } from './spawn-process.ts';
import type { SpawnSpec } from './spawn-spec.ts';

export interface BackgroundStart extends Pick<SpawnSpec, 'command' | 'args' | 'cwd'> {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The file for its stderr. */
  readonly log: string;
}

/** A process that does not keep this one alive. */
export interface BackgroundProcess {
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  /** Kills it. */
  end(): Promise<ProcessExit>;
}

export async function startInBackground(
  start: BackgroundStart,
): Promise<Result<BackgroundProcess, string>> {
  const { command, args, env, cwd, log } = start;
  using _ = stayAlive();
  let file: number | undefined;
  try {
    mkdirSync(dirname(log), { recursive: true, mode: 0o700 });
    file = openSync(log, 'a', 0o600);
    const child = spawn(command, [...args], {
      env,
      cwd,
      detached: true,
      shell: false,
      windowsHide: true,
      stdio: ['ignore', 'ignore', file],
    });
    const exited = new Promise<ProcessExit>((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }));
    });
    const failed = new Promise<unknown>((resolve) => child.once('error', resolve));
    const { pid } = child;
    if (pid === undefined) return err(messageOf(await failed));
    child.unref();
    const end = (): Promise<ProcessExit> => {
      child.kill('SIGKILL');
      return exited;
    };
    return ok({ pid, exited, end });
  } catch (thrown) {
    return err(messageOf(thrown));
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/**
 * Limits the size of a log by moving its content to the older half. The file is truncated and not replaced: the program,
 * and the system that started it, have it open for appending.
 */
export function trimLog(path: string, maxBytes: number): void {
  if (!existsSync(path) || statSync(path).size <= maxBytes) return;
  copyFileSync(path, olderOf(path));
  truncateSync(path);
}

export function logSize(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}
