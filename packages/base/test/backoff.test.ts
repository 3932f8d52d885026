import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffDelay } from '../src/backoff.ts';

const policies = fc
  .record({
    firstMs: fc.nat(10_000),
    more: fc.nat(1_000_000),
    maxAttempts: fc.integer({ min: 1, max: 3000 }),
  })
  .map(({ firstMs, more, maxAttempts }) => ({ firstMs, maxMs: firstMs + more, maxAttempts }));
const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('the wait before a retry', () => {
  it('is between half of the full wait and the maximum', () => {
    fc.assert(
      fc.property(policies, fc.nat(3000), randoms, (policy, attempt, random) => {
        fc.pre(attempt < policy.maxAttempts);
        const wait = backoffDelay(attempt, policy, () => random) ?? Number.NaN;
        expect(wait).toBeGreaterThanOrEqual(policy.firstMs / 2);
        expect(wait).toBeLessThanOrEqual(policy.maxMs);
      }),
    );
  });

  it('never shrinks from one attempt to the next, for the same random value', () => {
    fc.assert(
      fc.property(policies, fc.nat(3000), randoms, (policy, attempt, random) => {
        fc.pre(attempt + 1 < policy.maxAttempts);
        const wait = backoffDelay(attempt, policy, () => random) ?? Number.NaN;
        const next = backoffDelay(attempt + 1, policy, () => random) ?? Number.NaN;
        expect(next).toBeGreaterThanOrEqual(wait);
      }),
    );
  });

  it('is undefined only when no attempt is left', () => {
    fc.assert(
      fc.property(policies, fc.nat(4000), randoms, (policy, attempt, random) => {
        const isLeft = attempt < policy.maxAttempts;
        expect(backoffDelay(attempt, policy, () => random) !== undefined).toBe(isLeft);
      }),
    );
  });

  it('doubles from the first wait to the maximum', () => {
    const policy = { firstMs: 100, maxMs: 1000, maxAttempts: 7 };
    const waits = [1, 2, 3, 4, 5, 6, 7].map((attempt) => backoffDelay(attempt, policy, () => 0));
    expect(waits).toEqual([50, 100, 200, 400, 500, 500, undefined]);
  });
});
