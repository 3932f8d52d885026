// Runs a tool of the repository as a process, and returns its output.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { repositoryRoot } from '../source/files.ts';

export interface ProgramResult {
  readonly code: number | null;
  readonly output: string;
}

/** `program` is relative to the root of the repository; TypeScript runs through tsx. */
export function runProgram(program: string, args: readonly string[], cwd: string): ProgramResult {
  const loader = program.endsWith('.ts') ? ['--import', import.meta.resolve('tsx')] : [];
  const run = spawnSync(process.execPath, [...loader, join(repositoryRoot, program), ...args], {
    cwd,
    encoding: 'utf8',
  });
  if (run.error !== undefined) throw run.error;
  return { code: run.status, output: `${run.stdout}${run.stderr}` };
}
