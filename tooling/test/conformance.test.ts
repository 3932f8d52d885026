import { describe, expect, it } from 'vitest';
import { judge, type ScenarioRun } from '../../conformance/judge.ts';
import {
  EXTENSION_SCENARIOS,
  GATEWAY_ROUTES,
  testable,
  withoutChecks,
} from '../../conformance/server-scenarios.ts';
import { runSet } from '../../conformance/sets.ts';

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

describe('a set of conformance scenarios', () => {
  it('runs once more, alone, what is not green and what looks at the clock, and counts that', async () => {
    const first = [
      run('good', ['SUCCESS']),
      run('bad', ['FAILURE']),
      run('sse-retry', ['SUCCESS']),
    ];
    const asked: (readonly string[])[] = [];
    const runs = await runSet({ words: ['--all'], alone: ['--of', 'v'] }, (words) => {
      asked.push(words);
      const [, name = ''] = words;
      return Promise.resolve(asked.length === 1 ? first : [run(name, ['SUCCESS', 'SUCCESS'])]);
    });
    expect(asked).toEqual([
      ['--all'],
      ['--scenario', 'bad', '--of', 'v'],
      ['--scenario', 'sse-retry', '--of', 'v'],
    ]);
    expect(runs.map(({ scenario, checks }) => [scenario, checks.length])).toEqual([
      ['good', 1],
      ['bad', 2],
      ['sse-retry', 2],
    ]);
  });
});

describe('the routes through a gateway', () => {
  it('bring clients of both revisions to a server over stdio and over HTTP', () => {
    const pairs = GATEWAY_ROUTES.map(({ revision, over }) => `${revision} ${over}`);
    expect(new Set(pairs)).toEqual(
      new Set(
        Object.keys(EXTENSION_SCENARIOS).flatMap((revision) =>
          ['stdio', 'http'].map((over) => `${revision} ${over}`),
        ),
      ),
    );
  });

  it('are judged by all checks but those that are left out by name', () => {
    const checks = [
      { id: 'a', name: 'A', status: 'WARNING' },
      { id: 'b', name: 'B', status: 'FAILURE' },
      { name: 'C', status: 'SUCCESS' },
    ];
    const given = { scenario: 's', checks, lastWords: 'done' };
    expect(withoutChecks(given, ['a']).checks).toEqual(checks.slice(1));
  });
});
