// Starts a published server that listens on a port, in its own process group, and waits until it reports that. The
// caller knows the server and the words of its report.

import { type ChildProcess, spawn } from 'node:child_process';
import { CodedError, codeOf } from '@plugboard/base';
import { freePort } from './free-port.ts';
import type { StdioEntry } from './stdio-entry.ts';

export interface PeerProcess extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
}

export interface PeerStart {
  /** The command that starts it on a port. */
  readonly entry: (port: number) => StdioEntry;
  /** What it writes to either output when it listens. */
  readonly ready: RegExp;
  /** A free port by default. */
  readonly port?: number;
}

export async function startPeer(start: PeerStart): Promise<PeerProcess> {
  const port = start.port ?? (await freePort());
  const { command, args, env } = start.entry(port);
  const child = spawn(command, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  try {
    await announced(child, start.ready);
  } catch (thrown) {
    killGroup(child);
    throw thrown;
  }
  return {
    port,
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      killGroup(child);
      await ended;
    },
  };
}

/** Resolves when the process has written the words; ignores all later output. */
async function announced(child: ChildProcess, words: RegExp): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    const fail = (): void =>
      reject(
        new CodedError('peer-did-not-start', `a peer ended at its start: ${said}`, { data: {} }),
      );
    child.once('error', reject);
    child.once('close', fail);
    const listen = (chunk: Buffer): void => {
      said += chunk.toString('utf8');
      if (!words.test(said)) return;
      child.off('close', fail);
      resolve();
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
  });
  child.stdout?.removeAllListeners('data').resume();
  child.stderr?.removeAllListeners('data').resume();
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (thrown) {
    // No such group: all its processes have ended.
    if (codeOf(thrown) !== 'ESRCH') throw thrown;
  }
}
