// One set of scenarios: all of them, and then once more, alone, what is not green beside dozens of others or looks at the
// clock. The second run counts.

import { judge, type ScenarioRun } from './judge.ts';
import { isSound } from './print.ts';

export interface ScenarioSet {
  readonly words: readonly string[];
  /** What makes a scenario that is run alone the same as in the set. */
  readonly alone: readonly string[];
}

/** Runs what the words select. */
export type RunScenarios = (words: readonly string[]) => Promise<readonly ScenarioRun[]>;

/** Scenarios that look at the clock: in a set they run beside all others, and on a busy machine that shows. */
const RUN_ALONE: readonly string[] = ['sse-retry'];

export async function runSet(
  { words, alone }: ScenarioSet,
  run: RunScenarios,
): Promise<readonly ScenarioRun[]> {
  const runs: ScenarioRun[] = [];
  for (const first of await run(words)) {
    const { scenario } = first;
    const isGreen = isSound(judge([{ set: '', runs: [first] }]));
    if (isGreen && !RUN_ALONE.includes(scenario)) {
      runs.push(first);
      continue;
    }
    console.error(`conformance: running ${scenario} alone ...`);
    runs.push(...(await run(['--scenario', scenario, ...alone])));
  }
  return runs;
}
