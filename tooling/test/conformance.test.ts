import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readExpectedFailures } from '../../conformance/expected-failures.ts';
import { judge, type ScenarioRun } from '../../conformance/judge.ts';

const check = (status: string) => ({ name: 'Check', status, errorMessage: 'because' });
const run = (scenario: string, statuses: readonly string[], lastWords = 'done'): ScenarioRun => ({
  scenario,
  checks: statuses.map(check),
  lastWords,
});
const verdictsOf = (runs: readonly ScenarioRun[]): readonly string[] =>
  judge([{ set: 'all', runs }], new Set()).sets.flatMap(({ scenarios }) =>
    scenarios.map(({ verdict }) => verdict),
  );

describe('a scenario', () => {
  it('is green when it has checks, all passed, and the client is content', () => {
    expect(verdictsOf([run('a', ['SUCCESS', 'INFO', 'SKIPPED'])])).toEqual(['green']);
  });

  it.each([
    [['SUCCESS', 'FAILURE'], 'done', 'failed'],
    [['SUCCESS', 'WARNING'], 'done', 'failed'],
    [[], 'done', 'no-checks'],
    [['INFO', 'SKIPPED'], 'done', 'no-checks'],
    [['SUCCESS'], 'calling echo: timeout', 'client-failed'],
    [['SUCCESS'], '', 'client-failed'],
  ] as const)(
    'with checks %j and a client that says "%s" is not: %s',
    (statuses, words, verdict) => {
      expect(verdictsOf([run('a', statuses, words)])).toEqual([verdict]);
    },
  );
});

describe('a run', () => {
  it('finds what should be green and is not, in each set', () => {
    const sets = [
      { set: 'old', runs: [run('b', ['SUCCESS']), run('a', ['FAILURE'], 'gave up')] },
      { set: 'new', runs: [run('a', ['SUCCESS']), run('c', ['FAILURE'])] },
    ];
    const { unexpected, stale } = judge(sets, new Set(['c']));
    expect(unexpected).toEqual([
      {
        set: 'old',
        scenario: 'a',
        passed: 0,
        failed: 1,
        warned: 0,
        verdict: 'failed',
        isExpectedToFail: false,
        reasons: ['Check: because', 'the client: gave up'],
      },
    ]);
    expect(stale).toEqual([]);
  });

  it('finds expected failures that fail nowhere any more', () => {
    const sets = [
      { set: 'old', runs: [run('partly', ['SUCCESS']), run('wholly', ['SUCCESS'])] },
      { set: 'new', runs: [run('partly', ['FAILURE']), run('wholly', ['SUCCESS'])] },
    ];
    const { unexpected, stale } = judge(sets, new Set(['partly', 'wholly', 'gone']));
    expect([unexpected, stale]).toEqual([[], ['wholly', 'gone']]);
  });
});

describe('the list of expected failures', () => {
  it('holds nothing but scenarios of authorization and of the Skills extension', () => {
    const file = new URL('../../conformance/expected-failures.yml', import.meta.url);
    const names = [...readExpectedFailures(readFileSync(file, 'utf8'))];
    expect(names.filter((name) => !/^(?:auth\/|sep-2640-)/.test(name))).toEqual([]);
  });

  it.each(['server:\n  - a', 'client:\n- a', 'client:\n  - a b', 'client:\n  - a\n  - a'])(
    'is refused when it cannot be understood: %j',
    (text) => {
      expect(() => readExpectedFailures(text)).toThrow(/^line \d/);
    },
  );
});
