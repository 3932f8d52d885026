import { verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JudgedServer, judgePolicy } from '../../src/admission/judge-policy.ts';
import type {
  Diagnostic,
  EntryTarget,
  PolicyList,
  PolicyRule,
  Scope,
} from '../../src/config/index.ts';

const at = (line: number, column = 1) =>
  ({ kind: 'file', file: '/etc/p.json', line, column }) as const;

const origin = at(1);
const name = (text: string): PolicyRule => ({ kind: 'name', name: text, origin });
const url = (pattern: string): PolicyRule => ({ kind: 'url', pattern, origin });
const command = (...argv: string[]): PolicyRule => ({ kind: 'command', argv, origin });

function list(kind: PolicyList['kind'], ...rules: PolicyRule[]): PolicyList {
  return { kind, scope: 'enterprise', origin: at(9), rules };
}

const local = (called: string, ...argv: string[]): JudgedServer => ({
  name: called,
  target: { kind: 'command', argv },
});
const remote = (called: string, address: string): JudgedServer => ({
  name: called,
  target: { kind: 'url', url: address },
});
const inProcess = (called: string): JudgedServer => ({ name: called, target: { kind: 'none' } });

const isAllowed = (server: JudgedServer, ...lists: PolicyList[]): boolean =>
  judgePolicy(server, lists).kind === 'allowed';

describe('a policy without lists', () => {
  it('allows every server', () => {
    verifies('CFG-10');
    expect(judgePolicy(local('a', 'a'), [])).toEqual({ kind: 'allowed' });
  });
});

describe('a deny list', () => {
  verifies('CFG-10');

  it.each([
    ['a name', name('bad'), local('bad', 'x'), local('bad2', 'x')],
    [
      'an address',
      url('https://*.evil.com/*'),
      remote('x', 'https://a.evil.com/'),
      remote('x', 'https://evil.org/'),
    ],
    ['a command', command('npx', 'bad'), local('x', 'npx', 'bad'), local('x', 'npx', 'bad', '-v')],
    [
      'a command with other words',
      command('npx', 'a b'),
      local('x', 'npx', 'a b'),
      local('x', 'npx', 'a', 'b'),
    ],
    ['a name, in the process too', name('bad'), inProcess('bad'), inProcess('good')],
  ])('blocks %s and names the rule', (_what, rule, denied, other) => {
    const lists = [list('deny', name('someone-else'), rule)];
    expect(judgePolicy(denied, lists)).toEqual({
      kind: 'blocked',
      rule: { kind: 'denied', rule, scope: 'enterprise' },
    });
    expect(judgePolicy(other, lists)).toEqual({ kind: 'allowed' });
  });

  it('wins over every allow list', () => {
    const server = local('a', 'npx', 'a');
    const allow = list('allow', name('a'), command('npx', 'a'));
    expect(isAllowed(server, allow)).toBe(true);
    expect(judgePolicy(server, [allow, list('deny', name('a'))])).toMatchObject({
      rule: { kind: 'denied' },
    });
  });

  it('of addresses blocks a server without a readable address', () => {
    const rule = url('https://evil.com/*');
    expect(judgePolicy(remote('a', 'https://${HOST}/mcp'), [list('deny', rule)])).toEqual({
      kind: 'blocked',
      rule: { kind: 'unclear-url', rule, scope: 'enterprise' },
    });
  });

  it('with an invalid pattern blocks every address', () => {
    expect(isAllowed(remote('a', 'https://a.com/'), list('deny', url('a.com')))).toBe(false);
  });

  it('cannot be bypassed by another spelling of an address', () => {
    const deny = list('deny', url('https://evil.com/*'), url('http://127.0.0.1:*/*'));
    const spellings = [
      'HTTPS://EVIL.COM',
      'https://evil.com./x',
      'https://evil.com:443/x',
      'https://me@evil.com/x',
      'https:evil.com',
      'https:\\\\evil.com\\x',
      'https://%65vil.com/',
      'https://ｅvil.com/',
      'http://127.1/',
      'http://0177.0.0.1:3000/',
      'http://2130706433/',
      'http://[::ffff:127.0.0.1]/',
    ];
    expect(spellings.filter((address) => isAllowed(remote('a', address), deny))).toEqual([]);
  });
});

describe('an allow list', () => {
  verifies('CFG-10');

  it('blocks servers that it does not name, and states its place', () => {
    expect(judgePolicy(local('b', 'b'), [list('allow', name('a'))])).toEqual({
      kind: 'blocked',
      rule: { kind: 'not-allowed', origin: at(9), scope: 'enterprise' },
    });
  });

  it('that is empty allows no server', () => {
    const servers = [local('a', 'a'), remote('a', 'https://a.com/'), inProcess('a')];
    expect(servers.filter((server) => isAllowed(server, list('allow')))).toEqual([]);
  });

  it('checks the command once it has a rule about commands, since names can be taken', () => {
    const allow = list('allow', name('good'), command('npx', 'good'));
    expect(isAllowed(local('good', 'npx', 'evil'), allow)).toBe(false);
    expect(isAllowed(local('other', 'npx', 'good'), allow)).toBe(true);
    // Without a rule about addresses, a name is enough for a remote server.
    expect(isAllowed(remote('good', 'https://a.com/'), allow)).toBe(true);
    expect(isAllowed(inProcess('good'), allow)).toBe(true);
  });

  it('checks the address once it has a rule about addresses', () => {
    const allow = list('allow', name('good'), url('https://*.good.com/*'));
    expect(isAllowed(remote('good', 'https://evil.com/'), allow)).toBe(false);
    expect(isAllowed(remote('other', 'https://a.good.com/mcp'), allow)).toBe(true);
    expect(isAllowed(remote('good', 'not a url'), allow)).toBe(false);
    expect(isAllowed(local('good', 'npx', 'evil'), allow)).toBe(true);
  });

  it('must agree with all other allow lists', () => {
    const first = list('allow', name('a'), name('b'));
    const second = list('allow', name('b'), name('c'));
    const allowed = ['a', 'b', 'c'].filter((one) => isAllowed(local(one, 'x'), first, second));
    expect(allowed).toEqual(['b']);
  });
});

const cause: Diagnostic = {
  severity: 'error',
  code: 'wrong-type',
  message: 'Broken.',
  suggestion: 'Mend it.',
  file: '/etc/p.json',
  line: 3,
  column: 4,
};

describe('a broken list', () => {
  verifies('CFG-10');

  it.each(['allow', 'deny'] as const)('that would %s blocks every server', (kind) => {
    const broken = { ...list(kind, name('a')), broken: cause };
    for (const server of [local('b', 'x'), remote('b', 'https://a.com'), inProcess('b')]) {
      expect(judgePolicy(server, [broken])).toEqual({
        kind: 'blocked',
        rule: { kind: 'broken-list', list: kind, cause, scope: 'enterprise' },
      });
    }
    expect(isAllowed(local('a', 'x'), broken)).toBe(false);
  });

  it('names a valid rule before it names the mistake', () => {
    const broken = { ...list('deny', name('a')), broken: cause };
    expect(judgePolicy(local('a', 'x'), [broken])).toMatchObject({ rule: { kind: 'denied' } });
  });
});

describe('the laws of policies', () => {
  verifies('CFG-08', 'CFG-10');
  const scope = fc.constantFrom<Scope>('enterprise', 'user', 'project', 'plugin');
  const place = fc.record({
    kind: fc.constant('file' as const),
    file: fc.constantFrom('/a', '/b'),
    line: fc.integer({ min: 1, max: 3 }),
    column: fc.integer({ min: 1, max: 30 }),
  });
  const argv = fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 2 });
  const rule: fc.Arbitrary<PolicyRule> = fc.oneof(
    fc.record({
      kind: fc.constant('name' as const),
      name: fc.constantFrom('a', 'b'),
      origin: place,
    }),
    fc.record({
      kind: fc.constant('url' as const),
      pattern: fc.constantFrom('https://a.com', 'https://*', '*://b.com/*', 'broken'),
      origin: place,
    }),
    fc.record({ kind: fc.constant('command' as const), argv, origin: place }),
  );
  const policy: fc.Arbitrary<PolicyList> = fc
    .record({
      kind: fc.constantFrom('allow' as const, 'deny' as const),
      scope,
      origin: place,
      rules: fc.array(rule, { maxLength: 3 }),
      isBroken: fc.boolean(),
    })
    .map(({ isBroken, ...rest }) => (isBroken ? { ...rest, broken: cause } : rest));
  const policies = fc.array(policy, { maxLength: 4 });
  const target: fc.Arbitrary<EntryTarget> = fc.oneof(
    fc.record({ kind: fc.constant('command' as const), argv }),
    fc.record({
      kind: fc.constant('url' as const),
      url: fc.constantFrom('https://a.com/x', 'https://b.com', 'http://b.com', 'no url'),
    }),
    fc.constant({ kind: 'none' as const }),
  );
  const server = fc.record({ name: fc.constantFrom('a', 'b', 'c'), target });

  it('one more list of any kind and scope never allows more', () => {
    fc.assert(
      fc.property(server, policies, policy, (one, lists, more) => {
        if (!isAllowed(one, ...lists)) expect(isAllowed(one, ...lists, more)).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  it('one more deny rule never allows more', () => {
    fc.assert(
      fc.property(server, policies, fc.tuple(rule, fc.nat()), (one, lists, [extra, index]) => {
        const wider = lists.map((old, at_) =>
          old.kind === 'deny' && at_ === index % lists.length
            ? { ...old, rules: [...old.rules, extra] }
            : old,
        );
        if (!isAllowed(one, ...lists)) expect(isAllowed(one, ...wider)).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  it('the result and its reason are the same in any order, and when repeated', () => {
    const shuffled = policies.chain((lists) =>
      fc.tuple(fc.constant(lists), fc.shuffledSubarray(lists, { minLength: lists.length })),
    );
    fc.assert(
      fc.property(server, shuffled, (one, [lists, other]) => {
        const verdict = judgePolicy(one, lists);
        expect(judgePolicy(one, [...lists, ...lists])).toEqual(verdict);
        expect(judgePolicy(one, other)).toEqual(verdict);
      }),
      { numRuns: 2000 },
    );
  });

  it('the strongest source is named first, then the first place', () => {
    const deny = (from: Scope, line: number, column = 1): PolicyList => ({
      kind: 'deny',
      scope: from,
      origin: at(1),
      rules: [{ kind: 'name', name: 'a', origin: at(line, column) }],
    });
    const lists = [
      deny('user', 1),
      deny('enterprise', 10),
      deny('enterprise', 9, 2),
      deny('enterprise', 9),
    ];
    expect(judgePolicy(local('a', 'x'), lists)).toEqual({
      kind: 'blocked',
      rule: {
        kind: 'denied',
        rule: { kind: 'name', name: 'a', origin: at(9) },
        scope: 'enterprise',
      },
    });
  });
});
