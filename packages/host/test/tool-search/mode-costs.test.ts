// The cost of tasks for each way to offer tools to a model.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cheapestMode, modeCosts, paysToSend } from '../../src/tool-search/mode-costs.ts';

const count = fc.integer({ min: 0, max: 200_000 });
const task = fc.record({
  calls: fc.integer({ min: 1, max: 30 }),
  resultTokens: fc.integer({ min: 0, max: 20_000 }),
});

describe('the cost of a task', () => {
  it('counts the beginning of the conversation for each request', () => {
    const catalogue = { tools: 100, base: 100, direct: 1000, search: 500, code: 800 };
    expect(modeCosts(catalogue, { calls: 2, resultTokens: 50 })).toEqual({
      // Three requests; the first result is read twice, the second once.
      direct: 3 * 1100 + 2 * 50 + 50,
      // Four requests, and the answer to the search in three of them.
      search: 4 * 600 + 3 * 700 + 2 * 50 + 50,
      // Four requests; the answer to the search in three, a look and its result in two, a script and its result in one.
      code: 4 * 900 + 3 * 700 + 3 * (100 + 50),
    });
  });

  it('is infinite for scripts if none can be run', () => {
    const costs = modeCosts({ tools: 9, base: 0, direct: 1e9, search: 1e9 });
    expect(costs.code).toBe(Number.POSITIVE_INFINITY);
    expect(cheapestMode(costs)).not.toBe('code');
  });

  it.for([
    ['a few tools', { tools: 6, direct: 800, search: 500 }, 'direct'],
    ['fifty tools', { tools: 50, direct: 8000, search: 600 }, 'search'],
    [
      'fifty tools where scripts can be run',
      { tools: 50, direct: 8000, search: 600, code: 1000 },
      'code',
    ],
    ['five hundred tools', { tools: 500, direct: 85_000, search: 1000 }, 'search'],
  ] as const)('for %s is lowest in the expected mode', ([, catalogue, mode]) => {
    expect(cheapestMode(modeCosts({ base: 3000, ...catalogue }))).toBe(mode);
  });

  it('is lowest with scripts for many calls with long results', () => {
    const catalogue = { tools: 12, base: 500, direct: 1500, search: 600, code: 1100 };
    const modeOf = (calls: number, resultTokens: number) =>
      cheapestMode(modeCosts(catalogue, { calls, resultTokens }));
    expect(modeOf(1, 200)).toBe('direct');
    expect(modeOf(6, 2000)).toBe('code');
  });

  it('never favours sending more definitions', () => {
    fc.assert(
      fc.property(count, count, count, count, task, (base, direct, more, search, expected) => {
        const tools = 20;
        const before = cheapestMode(modeCosts({ tools, base, direct, search }, expected));
        const after = cheapestMode(
          modeCosts({ tools, base, direct: direct + more, search }, expected),
        );
        return before === 'direct' || after !== 'direct';
      }),
    );
  });
});

describe('a tool that is sent although others are searched for', () => {
  it('must be used often in proportion to its length', () => {
    const search = { prefix: 1200, answer: 700 };
    expect(paysToSend({ chance: 0, tokens: 1 }, search)).toBe(false);
    expect(paysToSend({ chance: 0.05, tokens: 150 }, search)).toBe(false);
    expect(paysToSend({ chance: 0.5, tokens: 150 }, search)).toBe(true);
    expect(paysToSend({ chance: 0.5, tokens: 3000 }, search)).toBe(false);
  });
});
