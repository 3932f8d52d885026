// `npm run conformance`: runs the official suite against a client built on the public API, with the frozen sets of both
// revisions and with all scenarios; with `-- server` against the codebase server, with `-- gateway` against a gateway
// in front of the fixture, and with `-- fixture` against the fixture itself. Fails if a scenario is not green. Progress
// goes to stderr; stdout has the tables, or JSON with --json.

import { parseArgs } from 'node:util';
import { runFixtureSets, runGatewaySets } from './gateway.ts';
import { judge, type SetRun } from './judge.ts';
import { isSound, toText } from './print.ts';
import { runServerSets, type SubjectRuns } from './server.ts';
import { runSet, type ScenarioSet } from './sets.ts';
import { installSuite, runSuite, suiteVersion } from './suite.ts';

const SETS: readonly ScenarioSet[] = [
  { words: ['--requirements', '2025-11-25'], alone: ['--spec-version', '2025-11-25'] },
  { words: ['--requirements', '2026-07-28'], alone: ['--spec-version', '2026-07-28'] },
  { words: ['--suite', 'all'], alone: [] },
];

/** The subjects of the test, by their argument. */
const SUBJECTS: Readonly<Record<string, () => Promise<SubjectRuns>>> = {
  client: runClientSets,
  server: runServerSets,
  gateway: runGatewaySets,
  fixture: runFixtureSets,
};

const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [subject = 'client'] = positionals;
const run = SUBJECTS[subject];
if (run === undefined) {
  console.error(`conformance: ${subject} is none of ${Object.keys(SUBJECTS).join(', ')}`);
  process.exit(2);
}
installSuite();

const { sets, leftOut } = await run();
const judgement = judge(sets);
const report = { suite: suiteVersion(), node: process.version, ...judgement, leftOut };
console.log(values.json ? JSON.stringify(report, null, 2) : toText(judgement));
for (const [scenario, reasons] of Object.entries(leftOut)) {
  console.error(`${scenario}: not testable here: ${reasons.join(', ')}`);
}
if (!isSound(judgement)) process.exitCode = 1;

async function runClientSets(): Promise<SubjectRuns> {
  const runs: SetRun[] = [];
  for (const each of SETS) {
    const { words } = each;
    console.error(`conformance: running ${words.join(' ')} ...`);
    runs.push({ set: words.join(' ').replace(/^--/, ''), runs: await runSet(each, runSuite) });
  }
  return { sets: runs, leftOut: {} };
}
