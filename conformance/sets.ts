// Runs a set of scenarios, and then repeats alone those that were not green among dozens of others, or depend on time.
// The second run counts.

import { judge, type ScenarioRun } from './judge.ts';
import { isSound } from './print.ts';

export interface ScenarioSet {
  readonly words: readonly string[];
  /** The options with which a scenario runs alone as in the set. */
  readonly alone: readonly string[];
}

/** Runs the scenarios that the arguments select. */
export type RunScenarios = (words: readonly string[]) => Promise<readonly ScenarioRun[]>;

/** Scenarios that depend on time, which other scenarios of a set disturb on a busy machine. */
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
