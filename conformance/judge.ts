// What the results of the suite mean. A scenario is green when it has checks, all of them passed, and
// the client says itself that it got what it wanted: a scenario without a check proves nothing, and
// the suite does not look at how the client ended. Pure.

export interface Check {
  readonly name: string;
  readonly status: string;
  readonly errorMessage?: string;
  readonly description?: string;
}

/** One scenario as the suite left it. */
export interface ScenarioRun {
  readonly scenario: string;
  readonly checks: readonly Check[];
  /** The last line that the client under test wrote. */
  readonly lastWords: string;
}

export interface SetRun {
  /** As the suite calls it. */
  readonly set: string;
  readonly runs: readonly ScenarioRun[];
}

export type Verdict = 'green' | 'failed' | 'no-checks' | 'client-failed';

export interface JudgedScenario {
  readonly scenario: string;
  readonly passed: number;
  readonly failed: number;
  readonly warned: number;
  readonly verdict: Verdict;
  readonly isExpectedToFail: boolean;
  /** Why it is not green. */
  readonly reasons: readonly string[];
}

export interface JudgedSet {
  readonly set: string;
  readonly scenarios: readonly JudgedScenario[];
}

export interface Judgement {
  readonly sets: readonly JudgedSet[];
  /** What is not green and should be. */
  readonly unexpected: readonly (JudgedScenario & { readonly set: string })[];
  /** Expected failures that are green wherever they were run, or were not run at all. */
  readonly stale: readonly string[];
}

/** What the client says when everything went as it should. */
const DONE = 'done';

export function judge(runs: readonly SetRun[], expected: ReadonlySet<string>): Judgement {
  const sets = runs.map(({ set, runs: ofSet }) => ({
    set,
    scenarios: ofSet
      .map((run) => judgeScenario(run, expected))
      .toSorted((a, b) => (a.scenario < b.scenario ? -1 : 1)),
  }));
  const unexpected = sets.flatMap(({ set, scenarios }) =>
    scenarios
      .filter(({ verdict, isExpectedToFail }) => verdict !== 'green' && !isExpectedToFail)
      .map((judged) => ({ set, ...judged })),
  );
  const all = sets.flatMap(({ scenarios }) => scenarios);
  const red = new Set(
    all.filter(({ verdict }) => verdict !== 'green').map(({ scenario }) => scenario),
  );
  return { sets, unexpected, stale: [...expected].filter((scenario) => !red.has(scenario)) };
}

function judgeScenario(run: ScenarioRun, expected: ReadonlySet<string>): JudgedScenario {
  const { scenario, checks, lastWords } = run;
  const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
  const bad = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
  const failed = bad.filter(({ status }) => status === 'FAILURE').length;
  const verdict = verdictOf({ passed, bad: bad.length, lastWords });
  return {
    scenario,
    passed,
    failed,
    warned: bad.length - failed,
    verdict,
    isExpectedToFail: expected.has(scenario),
    reasons:
      verdict === 'green'
        ? []
        : [
            ...bad.map(({ name, errorMessage, description }) =>
              `${name}: ${errorMessage ?? description ?? ''}`.trim(),
            ),
            ...(lastWords === DONE ? [] : [`the client: ${lastWords || 'said nothing'}`]),
          ],
  };
}

function verdictOf(seen: {
  readonly passed: number;
  readonly bad: number;
  readonly lastWords: string;
}): Verdict {
  if (seen.bad > 0) return 'failed';
  if (seen.passed === 0) return 'no-checks';
  return seen.lastWords === DONE ? 'green' : 'client-failed';
}
