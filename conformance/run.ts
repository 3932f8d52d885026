// `npm run conformance`: runs the official suite against a client made of the public API, over the
// frozen sets of both revisions and over everything. Fails when a scenario is not green. Progress goes
// to stderr; stdout holds the tables, or JSON with --json.

import { parseArgs } from 'node:util';
import { judge, type ScenarioRun, type SetRun } from './judge.ts';
import { isSound, toText } from './print.ts';
import { installSuite, runSuite, suiteVersion } from './suite.ts';

const SETS: readonly (readonly string[])[] = [
  ['--requirements', '2025-11-25'],
  ['--requirements', '2026-07-28'],
  ['--suite', 'all'],
];

/** Scenarios that look at the clock: in a set they run beside all others, and on a busy machine that shows. */
const RUN_ALONE: readonly string[] = ['sse-retry'];

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
installSuite();

const sets: SetRun[] = [];
for (const words of SETS) {
  console.error(`conformance: running ${words.join(' ')} ...`);
  sets.push({ set: words.join(' ').replace(/^--/, ''), runs: await runSet(words) });
}
const judgement = judge(sets);
const report = { suite: suiteVersion(), node: process.version, ...judgement };
console.log(values.json ? JSON.stringify(report, null, 2) : toText(judgement));
if (!isSound(judgement)) process.exitCode = 1;

async function runSet(words: readonly string[]): Promise<readonly ScenarioRun[]> {
  const runs: ScenarioRun[] = [];
  for (const run of await runSuite(words)) {
    const isAlone = RUN_ALONE.includes(run.scenario);
    runs.push(...(isAlone ? await runSuite(['--scenario', run.scenario]) : [run]));
  }
  return runs;
}
