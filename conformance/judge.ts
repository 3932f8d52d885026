// Judges the results of the suite. A scenario is green if it has checks, all of them passed, and the client reports
// success: a scenario without a check proves nothing, and the suite ignores how the client ended. Pure.

export interface Check {
  readonly id?: string;
  readonly name: string;
  readonly status: string;
  readonly errorMessage?: string;
  readonly description?: string;
  readonly details?: { readonly untestable?: boolean };
}

/** The result of one scenario. */
export interface ScenarioRun {
  readonly scenario: string;
  readonly checks: readonly Check[];
  /** The last line that the client under test wrote. */
  readonly lastWords: string;
}

export interface SetRun {
  /** The name of the set in the suite. */
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
  /** Why it is not green. */
  readonly reasons: readonly string[];
}

export interface JudgedSet {
  readonly set: string;
  readonly scenarios: readonly JudgedScenario[];
}

export interface Judgement {
  readonly sets: readonly JudgedSet[];
  /** The scenarios that are not green. */
  readonly red: readonly (JudgedScenario & { readonly set: string })[];
}

/** What the client prints on success; assumed for a server, which prints nothing. */
export const DONE = 'done';

export function judge(runs: readonly SetRun[]): Judgement {
  const sets = runs.map(({ set, runs: ofSet }) => ({
    set,
    scenarios: ofSet.map(judgeScenario).toSorted((a, b) => (a.scenario < b.scenario ? -1 : 1)),
  }));
  const red = sets.flatMap(({ set, scenarios }) =>
    scenarios.filter(({ verdict }) => verdict !== 'green').map((judged) => ({ set, ...judged })),
  );
  return { sets, red };
}

function judgeScenario(run: ScenarioRun): JudgedScenario {
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
