import { describe, expect, it } from 'vitest';
import { judge, type ScenarioRun } from '../../conformance/judge.ts';
import { testable } from '../../conformance/server-scenarios.ts';

const check = (status: string) => ({ name: 'Check', status, errorMessage: 'because' });
const run = (scenario: string, statuses: readonly string[], lastWords = 'done'): ScenarioRun => ({
  scenario,
  checks: statuses.map(check),
  lastWords,
});
const verdictsOf = (runs: readonly ScenarioRun[]): readonly string[] =>
  judge([{ set: 'all', runs }]).sets.flatMap(({ scenarios }) =>
    scenarios.map(({ verdict }) => verdict),
  );

describe('a conformance scenario', () => {
  it('is green when it has checks, all passed, and the client succeeded', () => {
    expect(verdictsOf([run('a', ['SUCCESS', 'INFO', 'SKIPPED'])])).toEqual(['green']);
  });

  it.each([
    [['SUCCESS', 'FAILURE'], 'done', 'failed'],
    [['SUCCESS', 'WARNING'], 'done', 'failed'],
    [[], 'done', 'no-checks'],
    [['INFO', 'SKIPPED'], 'done', 'no-checks'],
    [['SUCCESS'], 'calling echo: timeout', 'client-failed'],
    [['SUCCESS'], '', 'client-failed'],
  ] as const)('with checks %j and the client output "%s" is %s', (statuses, words, verdict) => {
    expect(verdictsOf([run('a', statuses, words)])).toEqual([verdict]);
  });
});

describe('a conformance run', () => {
  it('reports the scenarios that are not green, in each set', () => {
    const sets = [
      { set: 'old', runs: [run('b', ['SUCCESS']), run('a', ['FAILURE'], 'gave up')] },
      { set: 'new', runs: [run('a', ['SUCCESS'])] },
    ];
    expect(judge(sets).red).toEqual([
      {
        set: 'old',
        scenario: 'a',
        passed: 0,
        failed: 1,
        warned: 0,
        verdict: 'failed',
        reasons: ['Check: because', 'the client: gave up'],
      },
    ]);
  });
});

describe('a conformance scenario for servers', () => {
  it('is judged without checks that need tools of the suite, and with all others', () => {
    const untestable = { name: 'C', status: 'FAILURE', details: { untestable: true } };
    const known = { ...untestable, id: 'sep-2575-missing-capability-http-400' };
    const unknown = { ...untestable, id: 'something-else' };
    const failed = { ...known, details: {} };
    const given = { scenario: 'a', checks: [known, unknown, failed], lastWords: 'done' };
    expect(testable(given)).toEqual({
      run: { ...given, checks: [unknown, failed] },
      leftOut: ['sep-2575-missing-capability-http-400'],
    });
  });
});
