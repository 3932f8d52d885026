// Which tools a model gets directly, and which by a search or by scripts.

import type { JsonObject } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  budgetTokens,
  planTools,
  type PlanOptions,
  readToolBudget,
  toolTokens,
} from '../../src/tool-search/index.ts';

interface Sample {
  readonly name: string;
  readonly server: string;
  readonly tool: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

function toolsOf(server: string, count: number, words = 30): readonly Sample[] {
  return Array.from({ length: count }, (_, at) => ({
    name: `mcp__${server}__t${at}`,
    ...{ server, tool: `t${at}`, description: 'word '.repeat(words), inputSchema: {} },
  }));
}

const few = toolsOf('few', 3);
const many = toolsOf('many', 80);
const ROOMY = { budget: 30_000 };

const namesOf = (tools: readonly Sample[]): readonly string[] => tools.map(({ name }) => name);
const costOf = (tools: readonly Sample[]): number =>
  tools.reduce((total, tool) => total + toolTokens(tool), 0);
const usedBy = (
  chances: Readonly<Record<string, number>>,
): Pick<PlanOptions<Sample>, 'chanceOf'> => ({
  chanceOf: ({ name }) => chances[name] ?? 0,
});

describe('a plan for tools', () => {
  verifies('CTX-03');

  it('sends a small catalogue as it is', () => {
    const { servers, direct, searched, surfaceTokens } = planTools(few, ROOMY);
    const tokens = costOf(few);
    expect(servers).toEqual([
      {
        ...{ server: 'few', mode: 'direct', reason: 'cheapest' },
        ...{ tools: 3, tokens, sent: 3, sentTokens: tokens },
      },
    ]);
    expect([direct, searched, surfaceTokens]).toEqual([few, [], 0]);
  });

  it.each(['search', 'code'] as const)('uses %s if that is set, even without tools', (mode) => {
    const wanted = { budget: Number.POSITIVE_INFINITY, mode, codeTokens: 200 };
    const plan = planTools(few, wanted);
    expect(plan.servers).toMatchObject([{ server: 'few', mode, reason: 'wanted', sent: 0 }]);
    expect([plan.mode, plan.direct, plan.searched]).toEqual([mode, [], few]);
    expect(planTools([], wanted)).toMatchObject({ mode, direct: [], searched: [] });
    const always = planTools(few, { ...wanted, always: new Set(['few']) });
    expect([always.direct, always.searched]).toEqual([few, []]);
  });

  it('searches a large catalogue even if it is within the budget', () => {
    const { servers, direct, surfaceTokens } = planTools(many, ROOMY);
    expect(costOf(many)).toBeLessThan(ROOMY.budget);
    expect(servers).toMatchObject([
      { server: 'many', mode: 'search', reason: 'cheapest', tools: 80, sent: 0, sentTokens: 0 },
    ]);
    expect(direct).toEqual([]);
    expect(surfaceTokens).toBeGreaterThan(100);
    expect(surfaceTokens).toBeLessThan(1000);
  });

  it('sends everything with an unlimited budget', () => {
    const { direct, searched } = planTools(many, { budget: Number.POSITIVE_INFINITY });
    expect([direct, searched]).toEqual([many, []]);
  });

  it('searches a small catalogue that exceeds the budget', () => {
    expect(planTools(few, { budget: costOf(few) - 1 }).servers).toMatchObject([
      { server: 'few', mode: 'search', reason: 'over-budget', sent: 0 },
    ]);
  });

  it('sends servers that are always loaded, whatever their cost', () => {
    const { servers, direct } = planTools([...many, ...few], {
      budget: 0,
      always: new Set(['many']),
    });
    expect(servers).toMatchObject([
      { server: 'few', mode: 'search', reason: 'over-budget' },
      { server: 'many', mode: 'direct', reason: 'always-loaded', sent: 80 },
    ]);
    expect(direct).toEqual(many);
  });

  it('offers scripts if they cost less than a search', () => {
    expect(planTools(many, { ...ROOMY, codeTokens: 400 }).servers).toMatchObject([
      { server: 'many', mode: 'code', reason: 'cheapest' },
    ]);
    expect(planTools(many, { ...ROOMY, codeTokens: 5000 }).servers).toMatchObject([
      { mode: 'search' },
    ]);
    expect(planTools(few, { ...ROOMY, codeTokens: 1200 }).servers).toMatchObject([
      { mode: 'direct' },
    ]);
  });

  it('sends single tools that are used often, and searches for the others of their server', () => {
    const used = usedBy({ mcp__many__t7: 0.9, mcp__many__t3: 0.6, mcp__many__t5: 0.01 });
    const { servers, direct } = planTools([...few, ...many], { ...ROOMY, ...used });
    expect(namesOf(direct)).toEqual(['mcp__many__t3', 'mcp__many__t7']);
    expect(servers).toMatchObject([
      { server: 'few', mode: 'search', sent: 0 },
      { server: 'many', mode: 'search', sent: 2 },
    ]);
  });

  it('sends a whole server that is used often', () => {
    const used = usedBy({ mcp__few__t0: 0.4, mcp__few__t1: 0.4 });
    const { servers, direct } = planTools([...few, ...many], { ...ROOMY, ...used });
    expect(direct).toEqual(few);
    expect(servers).toMatchObject([
      { server: 'few', mode: 'direct', reason: 'used-often', sent: 3 },
      { server: 'many', mode: 'search', sent: 0 },
    ]);
  });

  it('prefers tools that are used most in proportion to their length if the budget is too small', () => {
    const [first] = many;
    if (first === undefined) throw new Error('no tool');
    const used = usedBy({ mcp__many__t7: 0.5, mcp__many__t3: 0.9 });
    const { direct } = planTools(many, { budget: toolTokens(first), ...used });
    expect(namesOf(direct)).toEqual(['mcp__many__t3']);
  });

  it('counts tokens with the given tokenizer', () => {
    const { servers } = planTools(few, { ...ROOMY, count: () => 7 });
    expect(servers).toMatchObject([{ tokens: 21 }]);
  });

  const server = fc.constantFrom('a', 'b', 'c', 'd');
  const catalogue = fc
    .array(
      fc.tuple(server, fc.integer({ min: 0, max: 60 }), fc.double({ min: 0, max: 1, noNaN: true })),
      {
        maxLength: 60,
      },
    )
    .map((rows) =>
      rows.map(([name, words, chance], at) => ({
        ...{ name: `mcp__${name}__${at}`, server: name, tool: `${at}`, chance },
        ...{ description: 'word '.repeat(words), inputSchema: {} },
      })),
    );
  const options = fc.record({
    budget: fc.integer({ min: 0, max: 6000 }),
    always: fc.subarray(['a', 'b', 'c', 'd']).map((names) => new Set(names)),
    codeTokens: fc.option(fc.integer({ min: 0, max: 2000 }), { nil: undefined }),
  });
  type Chanced = Sample & { readonly chance: number };
  const planned = (tools: readonly Chanced[], { codeTokens, ...given }: PlanOptions<Chanced>) =>
    planTools(tools, {
      ...given,
      ...(codeTokens === undefined ? {} : { codeTokens }),
      chanceOf: ({ chance }) => chance,
    });

  it('contains every tool once, and keeps the budget except for servers that are always loaded', () => {
    fc.assert(
      fc.property(catalogue, options, (tools, { codeTokens, ...given }) => {
        const wanted = { ...given, ...(codeTokens === undefined ? {} : { codeTokens }) };
        const { direct, searched, servers, surfaceTokens } = planned(tools, wanted);
        expect(new Set([...direct, ...searched])).toEqual(new Set(tools));
        expect(direct.length + searched.length).toBe(tools.length);
        const always = costOf(direct.filter((tool) => given.always.has(tool.server)));
        expect(costOf(direct)).toBeLessThanOrEqual(Math.max(given.budget, always));
        expect(servers.reduce((sum, { sentTokens }) => sum + sentTokens, 0)).toBe(costOf(direct));
        expect(surfaceTokens > 0).toBe(searched.length > 0);
        for (const { mode, tools: all, sent } of servers) {
          expect(mode === 'direct').toBe(sent === all);
        }
      }),
    );
  });

  it('does not depend on the order of tools', () => {
    fc.assert(
      fc.property(catalogue, options, (tools, { codeTokens, ...given }) => {
        const wanted = { ...given, ...(codeTokens === undefined ? {} : { codeTokens }) };
        const there = planned(tools, wanted);
        const back = planned(tools.toReversed(), wanted);
        expect(back.servers).toEqual(there.servers);
        expect(back.direct.toReversed()).toEqual(there.direct);
      }),
    );
  });
});

describe('a budget for tools', () => {
  it.for([
    ['30000', { tokens: 30_000 }, 30_000],
    [0, { tokens: 0 }, 0],
    ['15%', { share: 0.15 }, 30_000],
    ['2.5%', { share: 0.025 }, 5000],
    ['100%', { share: 1 }, 200_000],
  ] as const)('is read from %j', ([written, budget, tokens]) => {
    expect(readToolBudget(written)).toEqual(budget);
    expect(budgetTokens(budget, 200_000)).toBe(tokens);
  });

  it.for(['', 'much', '-1', '101%', '1.5', '1e3', '%', -5, 0.5])(
    'is not read from %j',
    (written) => {
      expect(readToolBudget(written)).toBeUndefined();
    },
  );
});
