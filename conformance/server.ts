// Starts the codebase server over HTTP on a folder of its own, and runs the scenarios that apply to any server.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ScenarioRun, SetRun } from './judge.ts';
import { SERVER_SETS, testable } from './server-scenarios.ts';
import { runServerSuite } from './suite.ts';

const COMMAND = fileURLToPath(
  new URL('../packages/codebase/bin/plugboard-codebase.js', import.meta.url),
);

export interface SubjectRuns {
  readonly sets: readonly SetRun[];
  /** By scenario: the untestable checks, or the reason. */
  readonly leftOut: Readonly<Record<string, readonly string[]>>;
}

export async function runServerSets(): Promise<SubjectRuns> {
  const folder = mkdtempSync(join(tmpdir(), 'plugboard-conformance-'));
  mkdirSync(join(folder, 'tree'));
  writeFileSync(join(folder, 'tree/hello.ts'), 'export const hello = 1;\n');
  const args = ['--root', join(folder, 'tree'), '--cache', join(folder, 'cache'), '--http', '0'];
  try {
    await using server = await startListening([COMMAND, ...args]);
    const sets: SetRun[] = [];
    const leftOut: Record<string, readonly string[]> = {};
    for (const { version, scenarios } of SERVER_SETS) {
      const runs: ScenarioRun[] = [];
      for (const scenario of scenarios) {
        console.error(`conformance: running ${scenario} of ${version} ...`);
        const words = ['--scenario', scenario, '--spec-version', version];
        for (const run of await runServerSuite(server.url, words)) {
          const judged = testable(run);
          if (judged.leftOut.length > 0) leftOut[`${scenario} ${version}`] = judged.leftOut;
          runs.push(judged.run);
        }
      }
      sets.push({ set: `server ${version}`, runs });
    }
    return { sets, leftOut };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts a program that reports its address on stderr. */
export async function startListening(
  args: readonly string[],
): Promise<AsyncDisposable & { readonly url: string }> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.once('error', reject);
    child.once('close', () => reject(new Error(`the server ended at its start: ${said}`)));
    child.stderr.on('data', (piece: Buffer) => {
      said += piece.toString('utf8');
      const found = /listening on (\S+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return {
    url,
    [Symbol.asyncDispose]: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
