// `npm run conformance`: runs the official suite against a client made of the public API, over the
// frozen sets of both revisions and over everything; with `-- server` against the codebase server. Fails when a scenario is not green. Progress goes
// to stderr; stdout holds the tables, or JSON with --json.

import { parseArgs } from 'node:util';
import { judge, type ScenarioRun, type SetRun } from './judge.ts';
import { isSound, toText } from './print.ts';
import { runServerSets } from './server.ts';
import { installSuite, runSuite, suiteVersion } from './suite.ts';

interface ScenarioSet {
  readonly words: readonly string[];
  /** What makes a scenario that is run alone the same as in the set. */
  readonly alone: readonly string[];
}

const SETS: readonly ScenarioSet[] = [
  { words: ['--requirements', '2025-11-25'], alone: ['--spec-version', '2025-11-25'] },
  { words: ['--requirements', '2026-07-28'], alone: ['--spec-version', '2026-07-28'] },
  { words: ['--suite', 'all'], alone: [] },
];

/** Scenarios that look at the clock: in a set they run beside all others, and on a busy machine that shows. */
const RUN_ALONE: readonly string[] = ['sse-retry'];

const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean', default: false } },
  allowPositionals: true,
});
installSuite();

const { sets, ...notes } =
  positionals[0] === 'server' ? await runServerSets() : { sets: await runClientSets() };
const judgement = judge(sets);
const report = { suite: suiteVersion(), node: process.version, ...judgement, ...notes };
console.log(values.json ? JSON.stringify(report, null, 2) : toText(judgement));
for (const [scenario, checks] of Object.entries('leftOut' in notes ? notes.leftOut : {})) {
  console.error(`${scenario}: not testable here: ${checks.join(', ')}`);
}
if (!isSound(judgement)) process.exitCode = 1;

async function runClientSets(): Promise<readonly SetRun[]> {
  const runs: SetRun[] = [];
  for (const each of SETS) {
    const { words } = each;
    console.error(`conformance: running ${words.join(' ')} ...`);
    runs.push({ set: words.join(' ').replace(/^--/, ''), runs: await runSet(each) });
  }
  return runs;
}

/** What is not green beside dozens of others is run once more, alone, and that counts. */
async function runSet({ words, alone }: ScenarioSet): Promise<readonly ScenarioRun[]> {
  const runs: ScenarioRun[] = [];
  for (const run of await runSuite(words)) {
    const { scenario } = run;
    const isGreen = isSound(judge([{ set: '', runs: [run] }]));
    if (isGreen && !RUN_ALONE.includes(scenario)) {
      runs.push(run);
      continue;
    }
    console.error(`conformance: running ${scenario} alone ...`);
    runs.push(...(await runSuite(['--scenario', scenario, ...alone])));
  }
  return runs;
}
