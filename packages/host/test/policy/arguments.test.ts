import type { Json, JsonObject } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { type Effect, type Operator, Policy } from '../../src/policy/index.ts';
import { call, rule, server, SERVERS, where } from './given-rules.ts';

interface Condition {
  readonly path?: string;
  readonly operator: Operator;
  readonly value: Json;
  readonly isNegated?: boolean;
}

/** Whether a rule with this condition matches a call with these arguments. */
function isAbout(effect: Effect, condition: Condition, given: JsonObject): boolean {
  const on = where('files/*', { path: 'x', ...condition });
  const policy = new Policy({ rules: [rule(effect, on)], servers: SERVERS });
  const { because } = policy.decide(call('files/write', given));
  return because.kind === 'rule';
}

/** Met, not met, or unclear: an unclear condition does not allow, but does deny. */
function verdict(condition: Condition, given: JsonObject): 'yes' | 'no' | 'unclear' {
  const [allows, asks, denies] = (['allow', 'ask', 'deny'] as const).map((effect) =>
    isAbout(effect, condition, given),
  );
  if (asks !== denies || (allows === true && denies === false)) throw new Error('inconsistent');
  return allows === true ? 'yes' : denies === true ? 'unclear' : 'no';
}

describe('a condition on arguments', () => {
  verifies('POL-01');

  it.each<[Condition, Json, string]>([
    [{ operator: 'equals', value: 'prod' }, 'prod', 'yes'],
    [{ operator: 'equals', value: 'prod' }, 'test', 'no'],
    [{ operator: 'equals', value: 5 }, '5', 'unclear'],
    [{ operator: 'equals', value: true }, 'true', 'unclear'],
    [{ operator: 'equals', value: { a: [1] } }, { a: [1] }, 'yes'],
    [{ operator: 'equals', value: { a: [1] } }, { a: [1], b: 1 }, 'no'],
    [{ operator: 'equals', value: [1] }, [1, 2], 'no'],
    [{ operator: 'equals', value: null }, null, 'yes'],
    [{ operator: 'in', value: ['a', 'b'] }, 'b', 'yes'],
    [{ operator: 'in', value: ['a', 'b'] }, 'c', 'no'],
    [{ operator: 'in', value: [1, 2] }, '2', 'unclear'],
    [{ operator: 'matches', value: 'feature/*' }, 'feature/x', 'yes'],
    [{ operator: 'matches', value: 'feature/*' }, 'main', 'no'],
    [{ operator: 'matches', value: 'feature/*' }, 7, 'unclear'],
    [{ operator: 'startsWith', value: 'a*' }, 'a*b', 'yes'],
    [{ operator: 'startsWith', value: 'a*' }, 'axb', 'no'],
    [{ operator: 'lessThan', value: 10 }, 9.5, 'yes'],
    [{ operator: 'lessThan', value: 10 }, 10, 'no'],
    [{ operator: 'atMost', value: 10 }, 10, 'yes'],
    [{ operator: 'greaterThan', value: 10 }, 10, 'no'],
    [{ operator: 'atLeast', value: 10 }, 10, 'yes'],
    [{ operator: 'greaterThan', value: 100 }, '1000', 'unclear'],
    [{ operator: 'equals', value: 'prod', isNegated: true }, 'prod', 'no'],
    [{ operator: 'equals', value: 'prod', isNegated: true }, 'test', 'yes'],
    [{ operator: 'greaterThan', value: 100, isNegated: true }, 'many', 'unclear'],
  ])('%j holds for %j: %s', (condition, value, wanted) => {
    expect(verdict(condition, { x: value })).toBe(wanted);
  });

  const GIT = { path: 'command', operator: 'startsWith', value: 'git ' } as const;
  const TEST = { path: 'command', operator: 'matches', value: 'npm * && npm test *' } as const;
  const NOT_RM = { path: 'cmd', operator: 'startsWith', value: 'rm ', isNegated: true } as const;

  it.each<[Condition, string, string]>([
    [GIT, 'git status --short', 'yes'],
    [GIT, 'git show "HEAD@{1}"', 'yes'],
    [GIT, 'git status; rm -rf ~', 'unclear'],
    [GIT, 'git status\nrm -rf ~', 'unclear'],
    [GIT, 'git log $(curl evil.example)', 'unclear'],
    [GIT, 'git diff > /home/me/.bashrc', 'unclear'],
    [{ ...GIT, operator: 'equals', value: 'git a && b' }, 'git a && b', 'yes'],
    [{ ...GIT, path: 'text' }, 'git status; rm -rf ~', 'yes'],
    [TEST, 'npm ci && npm test -- one', 'yes'],
    [TEST, 'npm ci && npm test one | sh', 'unclear'],
    [TEST, 'npm ci && sh && npm test one', 'unclear'],
    [NOT_RM, 'ls', 'yes'],
    [NOT_RM, 'true; rm -rf ~', 'unclear'],
  ])(
    'in an allow rule for a shell is not met by a second command: %j, %j: %s',
    (condition, text, wanted) => {
      const allows = isAbout('allow', condition, { [condition.path ?? '']: text });
      expect(allows).toBe(wanted === 'yes');
    },
  );

  it('is never met by a missing argument, nor is its negation', () => {
    const conditions: readonly Condition[] = [
      { operator: 'equals', value: 'prod' },
      { operator: 'in', value: [null] },
      { operator: 'matches', value: '*' },
      { operator: 'startsWith', value: '' },
      { operator: 'under', value: ['/'] },
      { operator: 'lessThan', value: 1 },
    ];
    const verdicts = conditions.map((one) => [
      verdict(one, {}),
      verdict({ ...one, isNegated: true }, {}),
      verdict({ ...one, path: 'x.y' }, { x: 'text' }),
    ]);
    expect(verdicts).toEqual(conditions.map(() => ['no', 'unclear', 'no']));
  });

  it.each<[string, JsonObject, string]>([
    ['repo.owner', { repo: { owner: 'me' } }, 'yes'],
    ['/repo/owner', { repo: { owner: 'me' } }, 'yes'],
    ['/a~1b', { 'a/b': 'me' }, 'yes'],
    ['list.1', { list: ['x', 'me'] }, 'yes'],
    ['list.length', { list: ['me'] }, 'no'],
    ['__proto__.x', {}, 'no'],
    ['constructor.name', {}, 'no'],
    ['repo.toString', { repo: {} }, 'no'],
  ])('finds %s in %j: %s', (path, given, wanted) => {
    expect(verdict({ path, operator: 'equals', value: 'me' }, given)).toBe(wanted);
  });

  it('on each item must be met by all to allow, and by one to deny', () => {
    const condition = { path: 'paths.*', operator: 'under', value: ['/project'] } as const;
    const given = { paths: ['/project/a', '/etc/passwd'] };
    expect(isAbout('allow', condition, given)).toBe(false);
    expect(isAbout('deny', condition, given)).toBe(true);
    expect(isAbout('allow', condition, { paths: ['/project/a', '/project/b'] })).toBe(true);
    expect(isAbout('allow', condition, { paths: [] })).toBe(false);
    expect(isAbout('allow', condition, { paths: '/project/a' })).toBe(false);
  });

  it('holds together with all others of its rule', () => {
    const on = where(
      'files/*',
      { path: 'a', operator: 'equals', value: 1 },
      { path: 'b', operator: 'equals', value: 2 },
    );
    const policy = new Policy({ rules: [rule('allow', on)], servers: SERVERS });
    expect(policy.decide(call('files/x', { a: 1, b: 2 })).kind).toBe('allow');
    expect(policy.decide(call('files/x', { a: 1 })).kind).toBe('ask');
  });
});

describe('a path condition', () => {
  verifies('POL-01');

  it.each([
    ['/project', 'yes'],
    ['/project/', 'yes'],
    ['/project/a/b', 'yes'],
    ['/project//a/./b', 'yes'],
    ['/project/a/../b', 'yes'],
    ['/project/../etc/passwd', 'no'],
    ['/project/a/../../etc', 'no'],
    ['/project-evil/a', 'no'],
    ['/', 'no'],
    ['/etc', 'no'],
    ['/PROJECT/a', 'unclear'],
    ['project/a', 'unclear'],
    ['./a', 'unclear'],
    ['~/a', 'unclear'],
    ['', 'unclear'],
    ['..', 'unclear'],
    ['/project/\0/etc', 'unclear'],
    ['/project/..\\..\\etc', 'unclear'],
    ['file:///project/a', 'yes'],
    ['file:///project/%2e%2e/etc', 'no'],
    ['file://host/project/a', 'unclear'],
    ['https://project/a', 'unclear'],
  ])('accepts %j as inside: %s', (path, wanted) => {
    expect(verdict({ operator: 'under', value: ['/project'] }, { x: path })).toBe(wanted);
  });

  it.each([
    ['C:\\project\\a', 'yes'],
    ['C:/project/a', 'yes'],
    ['c:\\PROJECT\\a', 'unclear'],
    ['C:\\project\\..\\x', 'no'],
    ['C:project', 'unclear'],
    ['\\project', 'unclear'],
    ['\\\\server\\share', 'no'],
  ])('accepts %j as inside on Windows: %s', (path, wanted) => {
    const on = where('files/*', { path: 'x', operator: 'under', value: ['C:\\project'] });
    const kinds = (['allow', 'deny'] as const).map((effect) => {
      const rules = [rule(effect, on)];
      const policy = new Policy({ rules, servers: SERVERS, paths: 'win32' });
      return policy.decide(call('files/x', { x: path })).kind;
    });
    const expected = { yes: ['allow', 'deny'], no: ['ask', 'ask'], unclear: ['ask', 'deny'] };
    expect(kinds).toEqual(expected[wanted as keyof typeof expected]);
  });

  it('resolves links if a rule needs it, and both path and target must be inside', () => {
    const on = where('files/*', { path: 'x', operator: 'under', value: ['/project', '/data/p'] });
    const decide = (effect: Effect, path: string, target: string | undefined) => {
      const policy = new Policy({ rules: [rule(effect, on)], servers: SERVERS });
      const subject = call('files/x', { x: path });
      expect(policy.pathsIn(subject)).toEqual([path]);
      const realPaths = new Map(target === undefined ? [] : [[path, target]]);
      return policy.decide({ ...subject, realPaths }).kind;
    };
    expect(decide('allow', '/project/a', '/data/p/a')).toBe('allow');
    // A link that leads outside, and one that leads inside.
    expect(decide('allow', '/project/link', '/etc/passwd')).toBe('ask');
    expect(decide('deny', '/tmp/link', '/data/p/secret')).toBe('deny');
    // Its target is unknown.
    expect(decide('allow', '/project/gone/../a', undefined)).toBe('ask');
    expect(decide('deny', '/tmp/gone/../a', undefined)).toBe('deny');
    const plain = new Policy({ rules: [rule('allow', 'files/*')], servers: SERVERS });
    expect(plain.pathsIn(call('files/x', { x: '/project' }))).toEqual([]);
  });

  it('resolves relative paths in the folder of the server, and compares an origin as a whole', () => {
    verifies('AGT-09');
    const servers = [server('workspace', { folder: '/project/app' })];
    const policy = new Policy({
      servers,
      rules: [
        rule(
          'allow',
          where('workspace/*_file', {
            path: 'path',
            operator: 'under',
            value: ['/project/app/src'],
          }),
        ),
        rule(
          'allow',
          where('web/fetch', {
            path: 'url',
            operator: 'origin',
            value: 'https://docs.example',
          }),
        ),
      ],
    });
    const kind = (tool: string, given: JsonObject) =>
      policy.decide(call(`workspace/${tool}`, given)).kind;
    expect(kind('write_file', { path: 'src/a.ts' })).toBe('allow');
    expect(kind('edit_file', { path: './src/b/../c.ts' })).toBe('allow');
    for (const path of ['a.ts', 'src/../a.ts', '../src/a.ts', '~/src/a.ts', '', 'srcs/a.ts']) {
      expect(kind('write_file', { path })).toBe('ask');
    }
    expect(policy.pathsIn(call('workspace/write_file', { path: 'src/a.ts' }))).toEqual([
      '/project/app/src/a.ts',
    ]);
    expect(policy.decide(call('web/fetch', { url: 'https://docs.example/a?b' })).kind).toBe(
      'allow',
    );
    for (const url of [
      'http://docs.example/',
      'https://docs.example:8443/',
      'https://docs.example.evil/',
      'https://docs.example@evil/',
      'docs.example',
    ]) {
      expect(policy.decide(call('web/fetch', { url })).kind).toBe('ask');
    }
  });
});
