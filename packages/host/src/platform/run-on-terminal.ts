// Lends the terminal of this process to a program of the person's choice, such as an editor, until it ends: it reads the
// keys and draws, with the person's whole environment. Who lends must not read or draw meanwhile.

import { spawn } from 'node:child_process';
import { codeOf } from '@plugboard/base';

export interface TerminalProgram {
  readonly command: string;
  readonly args: readonly string[];
}

export type TerminalRun =
  | { readonly kind: 'ended' }
  /** It says that it did not succeed: by a number, or by the signal that ended it. */
  | { readonly kind: 'failed'; readonly how: string }
  | { readonly kind: 'not-started'; readonly code: string };

/** Aborting ends the program. */
export function runOnTerminal(
  { command, args }: TerminalProgram,
  signal: AbortSignal,
): Promise<TerminalRun> {
  return new Promise((resolve) => {
    const program = spawn(command, [...args], { stdio: 'inherit', signal });
    program.on('error', (error) => {
      const isStarted = program.pid !== undefined;
      resolve(
        isStarted
          ? { kind: 'failed', how: 'it was ended' }
          : { kind: 'not-started', code: codeOf(error) ?? 'UNKNOWN' },
      );
    });
    program.on('exit', (code, killedBy) => {
      if (code === 0) resolve({ kind: 'ended' });
      else resolve({ kind: 'failed', how: killedBy ?? `exit code ${code}` });
    });
  });
}
