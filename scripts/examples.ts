// Runs every examples/<story>/run.ts in its own process against the built packages, as many at a time as there are
// processors, and prints a line for each. Fails if one fails or takes longer than three minutes, or if there is none.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { foldersIn, repositoryRoot } from '../tooling/source/files.ts';

const TIME_LIMIT_MS = 180_000;

const { values } = parseArgs({ options: { root: { type: 'string', default: repositoryRoot } } });
const stories = foldersIn('examples', values.root).filter((story) => existsSync(runFile(story)));

/** Each run starts when the one this many places before it has ended. */
const lanes = availableParallelism();
const runs: Promise<Run>[] = [];
for (const story of stories) {
  runs.push((runs[runs.length - lanes] ?? Promise.resolve()).then(() => run(story)));
}
let failed = 0;
for (const each of runs) if (!passed(await each)) failed += 1;
if (stories.length === 0) console.error('there is no examples/*/run.ts');
if (stories.length === 0 || failed > 0) process.exitCode = 1;

function runFile(story: string): string {
  return join(values.root, 'examples', story, 'run.ts');
}

interface Run {
  readonly story: string;
  readonly ms: number;
  readonly problem: string | undefined;
  readonly output: string;
}

function passed({ story, ms, problem, output }: Run): boolean {
  if (problem === undefined) {
    console.log(`ok    ${story} (${ms} ms)`);
    return true;
  }
  console.log(`FAIL  ${story} (${ms} ms): ${problem}`);
  console.error(output);
  return false;
}

function run(story: string): Promise<Run> {
  const startedAt = performance.now();
  const args = ['--import', import.meta.resolve('tsx'), runFile(story)];
  const options = {
    cwd: values.root,
    timeout: TIME_LIMIT_MS,
    // Otherwise an example would be compiled with the settings for tests, and use the sources.
    env: { ...process.env, TSX_TSCONFIG_PATH: join(repositoryRoot, 'tsconfig.json') },
  };
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      const problem =
        error === null ? undefined : (error.signal ?? `exit code ${String(error.code)}`);
      const ms = Math.round(performance.now() - startedAt);
      resolve({ story, ms, problem, output: `${stdout}${stderr}` });
    });
  });
}
