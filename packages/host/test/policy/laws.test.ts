// Properties of every set of rules and every call.

import { verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CallSubject,
  type Effect,
  Policy,
  type Rule,
  type RuleTarget,
  type StatedMode,
} from '../../src/policy/index.ts';
import { call, READS, rule, SCOPES, SERVERS, type TestScope, WRITES } from './given-rules.ts';

const EFFECTS: readonly Effect[] = ['allow', 'ask', 'deny'];
/** A higher number is stricter. */
const STRICTNESS: Readonly<Record<Effect, number>> = { allow: 0, ask: 1, deny: 2 };

const toolPattern = fc.constantFrom(
  'mcp__github__*',
  'mcp__github',
  'mcp__a__b__x',
  'mcp__*',
  'github/x',
  'github/*',
  'files/*',
  '*/x',
  'a/b__x',
);

const target: fc.Arbitrary<string | RuleTarget> = fc.oneof(
  toolPattern,
  fc.record({
    kind: fc.constant('calls' as const),
    tool: toolPattern,
    annotations: fc.record({ readOnly: fc.boolean() }),
  }),
  fc.record({
    kind: fc.constant('calls' as const),
    tool: toolPattern,
    arguments: fc.tuple(
      fc.record({
        path: fc.constantFrom('n', 'path', 'gone'),
        operator: fc.constantFrom('equals' as const, 'atMost' as const, 'matches' as const),
        value: fc.constantFrom(1, 5, 'x', '*'),
        isNegated: fc.boolean(),
      }),
    ),
  }),
  fc.record({
    kind: fc.constantFrom('reads' as const, 'writes' as const),
    server: fc.constantFrom('github', 'files'),
  }),
  fc.record({
    kind: fc.constant('other-tools' as const),
    server: fc.constant('github'),
    patterns: fc.constant(['x']),
  }),
  fc.constant<RuleTarget>({ kind: 'unclear', reason: 'why' }),
);

const rules = (scopes: readonly TestScope[] = SCOPES): fc.Arbitrary<Rule> =>
  fc
    .record({
      effect: fc.constantFrom(...EFFECTS),
      on: target,
      scope: fc.constantFrom(...scopes),
      line: fc.integer({ min: 1, max: 9 }),
    })
    .map(({ effect, on, scope, line }) => rule(effect, on, { scope, line }));

const modes: fc.Arbitrary<StatedMode> = fc
  .record({
    mode: fc.constantFrom('default', 'read-only', 'deny-asks', 'allow-all'),
    scope: fc.constantFrom(...SCOPES),
  })
  .map(({ mode, scope }) => {
    const { strength, origin, isOwn } = rule('ask', '*/*', { scope });
    return { mode, scope, strength, origin, isOwn };
  });

const calls: fc.Arbitrary<CallSubject> = fc
  .record({
    tool: fc.constantFrom('github/x', 'github/delete', 'files/x', 'a__b/x', 'a/b__x', 'codebase/x'),
    claims: fc.constantFrom(READS, WRITES),
    given: fc.record(
      { n: fc.constantFrom(1, 5, '5', null), path: fc.constantFrom('x', '/x', 7) },
      { requiredKeys: [] },
    ),
  })
  .map(({ tool, claims, given }) => call(tool, given, { claims }));

function decide(given: readonly Rule[], subject: CallSubject, stated: readonly StatedMode[] = []) {
  return new Policy({ rules: given, servers: SERVERS, modes: stated }).decide(subject);
}

describe('the laws of permission rules', () => {
  verifies('POL-01');

  it('the decision and its ground are the same in any order of rules', () => {
    fc.assert(
      fc.property(
        fc.array(rules()),
        fc.array(modes),
        calls,
        fc.func(fc.nat()),
        (all, stated, subject, key) => {
          const shuffled = all.map((one) => [key(one), one] as const).toSorted(([a], [b]) => a - b);
          const again = decide(
            shuffled.map(([, one]) => one),
            subject,
            stated.toReversed(),
          );
          expect(again).toEqual(decide(all, subject, stated));
        },
      ),
    );
  });

  it('one deny rule denies, whatever the others say', () => {
    fc.assert(
      fc.property(fc.array(rules()), fc.array(modes), calls, (all, stated, subject) => {
        fc.pre(all.some((one) => one.effect === 'deny' && decide([one], subject).kind === 'deny'));
        expect(decide(all, subject, stated).kind).toBe('deny');
      }),
    );
  });

  it('one more rule of a weaker source never lifts a rule', () => {
    fc.assert(
      fc.property(
        fc.array(rules(['enterprise', 'dynamic', 'local'])),
        rules(['project', 'user']),
        calls,
        (all, more, subject) => {
          const before = decide(all, subject);
          fc.pre(before.because.kind === 'rule');
          const after = decide([...all, more], subject);
          expect(STRICTNESS[after.kind]).toBeGreaterThanOrEqual(STRICTNESS[before.kind]);
        },
      ),
    );
  });

  it('nothing that may have come with a project lifts a rule', () => {
    const foreign = rules(['local', 'project']);
    fc.assert(
      fc.property(fc.array(rules()), fc.array(foreign), calls, (all, more, subject) => {
        const before = decide(all, subject);
        const after = decide([...all, ...more], subject);
        expect(STRICTNESS[after.kind]).toBeGreaterThanOrEqual(STRICTNESS[before.kind]);
      }),
    );
  });

  it('the explanation names the decision and all rules that match the call', () => {
    fc.assert(
      fc.property(fc.array(rules()), calls, (all, subject) => {
        const policy = new Policy({ rules: all, servers: SERVERS });
        const { decision, matches } = policy.explain(subject);
        expect(decision).toEqual(policy.decide(subject));
        const deciding = matches.filter(({ part }) => part === 'decides');
        expect(deciding.length).toBe(decision.because.kind === 'rule' ? 1 : 0);
        for (const { rule: one, part } of matches) {
          expect(part === 'powerless').toBe(one.effect === 'allow' && !one.isOwn);
        }
      }),
    );
  });
});

describe('tool annotations', () => {
  verifies('CAT-05', 'POL-01');

  /** C13: a tool that deletes and claims to be read-only. */
  it('never widen rules by name: a tool with false claims gains nothing', () => {
    const byName = fc
      .record({
        effect: fc.constantFrom(...EFFECTS),
        on: toolPattern,
        scope: fc.constantFrom(...SCOPES),
        line: fc.integer({ min: 1, max: 9 }),
      })
      .map(({ effect, on, scope, line }) => rule(effect, on, { scope, line }));
    fc.assert(
      fc.property(fc.array(byName), calls, (all, subject) => {
        const [lying, honest] = [READS, WRITES].map((claims) =>
          decide(all, { ...subject, claims }),
        );
        expect(lying).toEqual(honest);
      }),
    );
  });
});
