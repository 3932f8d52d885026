import { ManualClock } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SamplingBudget, type SamplingLimits } from '../../src/inbound/sampling-budget.ts';

const limits: SamplingLimits = {
  maxRequests: 5,
  maxRequestsPerMinute: 2,
  maxTokens: 1000,
  maxTokensPerMinute: 300,
  maxTokensPerRequest: 100,
};

function granted(budget: SamplingBudget, promptTokens: number, answerTokens: number): unknown {
  const reserved = budget.reserve({ promptTokens, answerTokens }, limits);
  return reserved.ok ? reserved.value.answerTokens : reserved.error;
}

describe('the sampling budget of a server', () => {
  it('limits the length of one answer', () => {
    expect(granted(new SamplingBudget(new ManualClock()), 10, 5000)).toBe(100);
  });

  it('limits the requests per minute, and resets in the next one', async () => {
    const clock = new ManualClock();
    const budget = new SamplingBudget(clock);
    expect([granted(budget, 1, 1), granted(budget, 1, 1), granted(budget, 1, 1)]).toEqual([
      1,
      1,
      { limit: 'maxRequestsPerMinute', most: 2 },
    ]);
    await clock.advance(60_000);
    expect(granted(budget, 1, 1)).toBe(1);
  });

  it('limits the total number of requests', async () => {
    const clock = new ManualClock();
    const budget = new SamplingBudget(clock);
    const all: unknown[] = [];
    for (let count = 0; count < 6; count += 1) {
      all.push(granted(budget, 1, 1));
      await clock.advance(60_000);
    }
    expect(all).toEqual([1, 1, 1, 1, 1, { limit: 'maxRequests', most: 5 }]);
  });

  it('counts prompts too, which reduces the next answer', () => {
    const budget = new SamplingBudget(new ManualClock());
    expect([granted(budget, 150, 100), granted(budget, 20, 100)]).toEqual([100, 30]);
  });

  it('refuses a prompt that leaves nothing for an answer', async () => {
    const clock = new ManualClock();
    const budget = new SamplingBudget(clock);
    expect(granted(budget, 300, 1)).toEqual({ limit: 'maxTokensPerMinute', most: 300 });
    for (let count = 0; count < 3; count += 1) {
      granted(budget, 190, 100);
      await clock.advance(60_000);
    }
    expect(granted(budget, 190, 100)).toEqual({ limit: 'maxTokens', most: 1000 });
  });

  it('returns what was not used, also when the minute is over', async () => {
    const clock = new ManualClock();
    const budget = new SamplingBudget(clock);
    const first = budget.reserve({ promptTokens: 200, answerTokens: 100 }, limits);
    if (!first.ok) throw new Error('refused');
    expect(granted(budget, 1, 1)).toEqual({ limit: 'maxTokensPerMinute', most: 300 });
    first.value.settle(0);
    expect(granted(budget, 199, 100)).toBe(100);
    await clock.advance(60_000);
    const late = budget.reserve({ promptTokens: 200, answerTokens: 100 }, limits);
    if (!late.ok) throw new Error('refused');
    await clock.advance(60_000);
    granted(budget, 1, 1);
    late.value.settle(0);
    await clock.advance(60_000);
    expect(granted(budget, 200, 100)).toBe(100);
  });

  it('never grants more than its limits, for any sequence of requests', async () => {
    const step = fc.record({
      prompt: fc.nat(400),
      answer: fc.integer({ min: 1, max: 400 }),
      wait: fc.nat(40_000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const clock = new ManualClock();
        const budget = new SamplingBudget(clock);
        const uses: { readonly at: number; readonly tokens: number }[] = [];
        for (const { prompt, answer, wait } of steps) {
          const given = budget.reserve({ promptTokens: prompt, answerTokens: answer }, limits);
          if (given.ok) {
            expect(given.value.answerTokens).toBeGreaterThan(0);
            uses.push({ at: clock.elapsed(), tokens: prompt + given.value.answerTokens });
          }
          await clock.advance(wait);
        }
        const sum = (some: typeof uses): number =>
          some.reduce((all, { tokens }) => all + tokens, 0);
        expect(uses.length).toBeLessThanOrEqual(limits.maxRequests);
        expect(sum(uses)).toBeLessThanOrEqual(limits.maxTokens);
        for (const { at } of uses) {
          const minute = uses.filter((use) => use.at >= at && use.at < at + 60_000);
          expect(minute.length).toBeLessThanOrEqual(limits.maxRequestsPerMinute);
          expect(sum(minute)).toBeLessThanOrEqual(limits.maxTokensPerMinute);
        }
      }),
      { numRuns: 50 },
    );
  });
});
