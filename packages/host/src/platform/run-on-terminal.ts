// Passes the terminal of this process to a program, such as an editor, until it ends. The program gets the user's whole
// environment. The caller must neither read from the terminal nor write to it meanwhile.

import { spawn } from 'node:child_process';
import { codeOf } from '@plugboard/base';

export interface TerminalProgram {
  readonly command: string;
  readonly args: readonly string[];
}

export type TerminalRun =
  | { readonly kind: 'ended' }
  /** `how`: its exit code, or the signal that ended it. */
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
