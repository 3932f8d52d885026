// Runs every examples/<story>/run.ts as a process of its own, against the built packages, one line
// each. Fails when one fails, when one takes longer than a minute, or when there is none to run.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { foldersIn, repositoryRoot } from '../tooling/source/files.ts';

const TIME_LIMIT_MS = 60_000;

const { values } = parseArgs({ options: { root: { type: 'string', default: repositoryRoot } } });
const stories = foldersIn('examples', values.root).filter((story) => existsSync(runFile(story)));

const failed = stories.filter((story) => !passes(story));
if (stories.length === 0) console.error('there is no examples/*/run.ts');
if (stories.length === 0 || failed.length > 0) process.exitCode = 1;

function runFile(story: string): string {
  return join(values.root, 'examples', story, 'run.ts');
}

function passes(story: string): boolean {
  const startedAt = performance.now();
  const run = spawnSync(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), runFile(story)],
    {
      cwd: values.root,
      encoding: 'utf8',
      timeout: TIME_LIMIT_MS,
      // Without this, an example would be compiled with the settings for tests and use the sources.
      env: { ...process.env, TSX_TSCONFIG_PATH: join(repositoryRoot, 'tsconfig.json') },
    },
  );
  const took = `${Math.round(performance.now() - startedAt)} ms`;
  if (run.status === 0) {
    console.log(`ok    ${story} (${took})`);
    return true;
  }
  const reason = run.error?.message ?? run.signal ?? `exit code ${run.status}`;
  console.log(`FAIL  ${story} (${took}): ${reason}`);
  console.error(`${run.stdout}${run.stderr}`);
  return false;
}
