import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { type Mode, Policy, type PolicyParts, type Rule } from '../../src/policy/index.ts';
import { call, READS, rule, SERVERS, server, type TestScope, where } from './given-rules.ts';

function policy(rules: readonly Rule[], parts: Partial<PolicyParts> = {}): Policy {
  return new Policy({ rules, servers: SERVERS, ...parts });
}

function mode(value: Mode, scope: TestScope = 'user') {
  const { strength, origin, isOwn } = rule('ask', '*/*', { scope });
  return { mode: value, scope, strength, origin, isOwn };
}

describe('a permission decision', () => {
  verifies('POL-01');

  it('names the rule, its file and its line', () => {
    const denial = rule('deny', 'mcp__github__delete_*', { line: 7 });
    expect(policy([denial]).decide(call('github/delete_repo'))).toEqual({
      kind: 'deny',
      because: {
        kind: 'rule',
        rule: {
          effect: 'deny',
          on: { kind: 'calls', tool: 'mcp__github__delete_*' },
          text: 'mcp__github__delete_*',
          scope: 'user',
          strength: 3,
          origin: { kind: 'file', file: '/user.json', line: 7, column: 5 },
          isOwn: true,
        },
      },
    });
  });

  it.each([
    ['mcp__github__*', 'github/create_issue', true],
    ['mcp__github__create_issue', 'github/create_issue', true],
    ['mcp__github', 'github/create_issue', true],
    ['mcp__git', 'github/create_issue', false],
    ['mcp__*__create_*', 'github/create_issue', true],
    ['github/*', 'github/create_issue', true],
    ['github/create_*', 'github/create_issue', true],
    ['git*/*_issue', 'github/create_issue', true],
    ['*/*', 'files/read', true],
    ['github/*', 'files/read', false],
    ['mcp__github__create', 'github/create_issue', false],
    ['files/a/b', 'files/a/b', true],
  ])('by %s applies to %s: %s', (pattern, tool, isAbout) => {
    const kinds = (['allow', 'deny'] as const).map(
      (effect) => policy([rule(effect, pattern)]).decide(call(tool)).kind,
    );
    expect(kinds).toEqual(isAbout ? ['allow', 'deny'] : ['ask', 'ask']);
  });

  it('may depend on the server, and on the annotations of the tool', () => {
    const rules = [
      rule('allow', { kind: 'calls', server: 'git*', annotations: { readOnly: true } }),
      rule('deny', { kind: 'calls', annotations: { destructive: true, openWorld: true } }),
    ];
    expect(policy(rules).decide(call('github/x', {}, { claims: READS })).kind).toBe('allow');
    expect(policy(rules).decide(call('files/x', {}, { claims: READS })).kind).toBe('ask');
    expect(policy(rules).decide(call('github/x')).kind).toBe('deny');
  });

  it('follows the strongest scope with a matching rule', () => {
    const rules = [rule('ask', 'github/*', { scope: 'enterprise' }), rule('allow', 'github/*')];
    expect(policy(rules).decide(call('github/x')).kind).toBe('ask');
    const others = [rule('allow', 'github/*', { scope: 'dynamic' }), rule('ask', 'github/*')];
    expect(policy(others).decide(call('github/x')).kind).toBe('allow');
  });

  it('prefers ask to allow within a scope, unless one tool is allowed and many are asked about', () => {
    const asks = rule('ask', 'github/*');
    expect(policy([asks, rule('allow', 'github/get_*')]).decide(call('github/get_x')).kind).toBe(
      'ask',
    );
    expect(policy([asks, rule('allow', 'github/get_x')]).decide(call('github/get_x')).kind).toBe(
      'allow',
    );
    const some = rule('ask', where('github/*', { path: 'a', operator: 'equals', value: 1 }));
    const both = policy([some, rule('allow', 'github/get_x')]);
    expect(both.decide(call('github/get_x', { a: 1 })).kind).toBe('ask');
    expect(both.decide(call('github/get_x', { a: 2 })).kind).toBe('allow');
  });

  it('does not follow a project that would allow something', () => {
    const rules = [rule('allow', 'github/*', { scope: 'project' })];
    expect(policy(rules).decide(call('github/x')).kind).toBe('ask');
    expect(policy(rules).explain(call('github/x'))).toMatchObject({
      decision: { kind: 'ask', because: { kind: 'default' } },
      matches: [{ part: 'powerless' }],
    });
    const local = [rule('ask', 'github/*', { scope: 'local' }), rule('allow', 'github/*')];
    expect(policy(local).decide(call('github/x')).kind).toBe('ask');
  });

  it('lists every rule that matches a call, and its effect', () => {
    const rules = [
      rule('allow', 'github/*', { line: 1 }),
      rule('ask', 'github/*', { line: 2 }),
      rule('deny', 'github/y', { line: 3 }),
      rule('allow', '*/*', { scope: 'project', line: 4 }),
      rule('deny', 'files/*', { line: 5 }),
    ];
    const parts = policy(rules)
      .explain(call('github/x'))
      .matches.map(({ rule: { origin }, part }) => [origin.kind === 'file' && origin.line, part]);
    expect(parts).toEqual([
      [2, 'decides'],
      [1, 'overruled'],
      [4, 'powerless'],
    ]);
  });

  it('treats an invalid rule as the strictest that it can mean', () => {
    const unclear = { kind: 'unclear', reason: 'why' } as const;
    const kinds = (['deny', 'ask', 'allow'] as const).map((effect) => {
      const rules = [rule(effect, unclear), rule('allow', 'github/x', { scope: 'dynamic' })];
      return policy(rules).decide(call('github/x')).kind;
    });
    expect(kinds).toEqual(['deny', 'allow', 'allow']);
    expect(policy([rule('allow', unclear)]).decide(call('github/x')).kind).toBe('ask');
    const own = [rule('ask', unclear), rule('allow', 'github/x')];
    expect(policy(own).decide(call('github/x')).kind).toBe('ask');
  });
});

describe('an ambiguous tool name', () => {
  verifies('POL-01');

  it('is allowed only for the server with the longer name, and denied for both', () => {
    const pattern = 'mcp__a__b__*';
    const [mine, other] = [call('a__b/x'), call('a/b__x')];
    expect(mine.name).toBe(other.name);
    const allowing = policy([rule('allow', pattern)]);
    expect([allowing.decide(mine).kind, allowing.decide(other).kind]).toEqual(['allow', 'ask']);
    const denying = policy([rule('deny', pattern)]);
    expect([denying.decide(mine).kind, denying.decide(other).kind]).toEqual(['deny', 'deny']);
  });

  it('is allowed for none of two servers with the same prefix', () => {
    const servers = [server('plugin:x:y'), server('plugin_x_y')];
    const rules = [rule('allow', 'mcp__plugin_x_y__*')];
    const allowing = new Policy({ rules, servers });
    expect(allowing.decide(call('plugin:x:y/t')).kind).toBe('ask');
    expect(allowing.decide(call('plugin_x_y/t')).kind).toBe('ask');
    const denying = new Policy({ rules: [rule('deny', 'mcp__plugin_x_y__*')], servers });
    expect(denying.decide(call('plugin:x:y/t')).kind).toBe('deny');
  });

  it('is denied by its full name although models know it by a cut one', () => {
    const name = 'mcp__github__a_very_long_name_that_was_cut_0123456789ab';
    const rules = [rule('deny', 'mcp__github__*_repository')];
    const cut = call('github/a_very_long_name_that_ends_with_delete_repository', {}, { name });
    expect(policy(rules).decide(cut).kind).toBe('deny');
  });

  it.each(['__proto__', 'constructor', 'a\nb', '\u202Egnp.exe', 'x'.repeat(300), '*', 'a/b', ''])(
    'may be as unusual as %j',
    (tool) => {
      const rules = [rule('deny', 'github/*'), rule('allow', 'files/*')];
      expect(policy(rules).decide(call(`github/${tool}`)).kind).toBe('deny');
      expect(policy(rules).decide(call(`files/${tool}`)).kind).toBe('allow');
      expect(policy(rules).decide(call(`a/${tool}`)).kind).toBe('ask');
    },
  );
});

describe('a decision without a rule', () => {
  verifies('POL-03');

  it('is to ask, also about tools that claim to only read', () => {
    expect(policy([]).decide(call('github/x'))).toEqual({
      kind: 'ask',
      because: { kind: 'default', case: 'no-rule' },
    });
    expect(policy([]).decide(call('github/x', {}, { claims: READS })).kind).toBe('ask');
  });

  it('may allow reading from a trusted server, if the settings say so', () => {
    const servers = [server('mine'), server('listed', { isTrusted: false })];
    const reading = new Policy({ rules: [], servers, readOnlyTools: 'allow' });
    const kindOf = (tool: string, claims = READS) =>
      reading.decide(call(tool, {}, { claims })).kind;
    expect(kindOf('mine/x')).toBe('allow');
    expect(kindOf('listed/x')).toBe('ask');
    expect(kindOf('unheard-of/x')).toBe('ask');
    expect(kindOf('mine/x', { ...READS, isReadOnly: false })).toBe('ask');
  });

  it('is to ask when a built-in server should return ignored or secret files', () => {
    verifies('POL-20');
    const given = { path: '.env', ignored: true };
    const asked = call('codebase/read_file', given, { claims: READS });
    const because = { kind: 'default', case: 'ignored-file' };
    expect(policy([]).decide(asked)).toEqual({ kind: 'ask', because });
    expect(policy([], { readOnlyTools: 'allow' }).decide(asked)).toEqual({ kind: 'ask', because });
    expect(policy([rule('allow', 'codebase/read_file')]).decide(asked).kind).toBe('allow');
    expect(policy([]).decide({ ...asked, arguments: { path: 'a' } }).kind).toBe('allow');
  });

  it('allows the read-only tools of built-in servers, unless a rule says otherwise', () => {
    expect(policy([]).decide(call('codebase/search'))).toEqual({
      kind: 'allow',
      because: { kind: 'default', case: 'built-in' },
    });
    expect(policy([rule('deny', 'codebase/*')]).decide(call('codebase/search')).kind).toBe('deny');
  });

  it.each([
    ['default', 'ask', 'ask', 'allow', 'deny'],
    ['read-only', 'deny', 'ask', 'deny', 'deny'],
    ['deny-asks', 'deny', 'deny', 'allow', 'deny'],
    ['allow-all', 'allow', 'allow', 'allow', 'deny'],
  ] as const)('follows the mode %s', (value, writing, reading, allowed, denied) => {
    const rules = [rule('allow', 'files/allowed'), rule('deny', 'files/denied')];
    const inMode = policy(rules, { modes: [mode(value)] });
    expect([
      inMode.decide(call('files/x')).kind,
      inMode.decide(call('files/x', {}, { claims: READS })).kind,
      inMode.decide(call('files/allowed')).kind,
      inMode.decide(call('files/denied')).kind,
    ]).toEqual([writing, reading, allowed, denied]);
  });

  it('is to ask if a rule asks, although the mode allows all', () => {
    const rules = [rule('ask', 'files/*')];
    expect(policy(rules, { modes: [mode('allow-all')] }).decide(call('files/x')).kind).toBe('ask');
  });

  it.each([
    [[mode('allow-all', 'project')], 'ask'],
    [[mode('allow-all'), mode('default', 'enterprise')], 'ask'],
    [[mode('allow-all', 'dynamic'), mode('default')], 'allow'],
    [[mode('allow-all', 'dynamic'), mode('deny-asks', 'project')], 'allow'],
    [[mode('allow-all', 'enterprise'), mode('read-only')], 'deny'],
    [[mode('deny-asks', 'project')], 'deny'],
  ] as const)(
    'combines the modes %#: restrictions from all, the rest from the strongest',
    (modes, kind) => {
      expect(policy([], { modes }).decide(call('files/x')).kind).toBe(kind);
    },
  );
});
