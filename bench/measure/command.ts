// Times a command from its start until it has ended and closed its output. It also checks the output, since otherwise a
// command that fails would look fast.

import { spawnSync } from 'node:child_process';
import type { Contender } from './rounds.ts';

export interface Command {
  readonly name: string;
  readonly node: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The text that stdout must contain. */
  readonly says: string | RegExp;
}

export function commandContender(command: Command): Contender {
  return { name: command.name, turn: () => timeCommand(command) };
}

/** Milliseconds of wall time. */
export function timeCommand(command: Command): number {
  const startedAt = performance.now();
  const run = spawnSync(command.node, command.args, {
    cwd: command.cwd,
    env: command.env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  const took = performance.now() - startedAt;
  if (run.status !== 0 || !isRight(run.stdout, command.says)) {
    throw new Error(
      `${command.name}: exit code ${run.status}, not the expected answer:\n${run.stdout}${run.stderr}`,
    );
  }
  return took;
}

function isRight(said: string, expected: string | RegExp): boolean {
  return typeof expected === 'string' ? said.trim() === expected : expected.test(said);
}
