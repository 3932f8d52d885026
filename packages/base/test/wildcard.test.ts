import * as fc from 'fast-check';
import { processorMs } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { matchesWildcard } from '../src/wildcard.ts';

describe('a wildcard', () => {
  it.each([
    ['', ''],
    ['*', ''],
    ['*', 'anything'],
    ['**', 'a'],
    ['a*', 'a'],
    ['*.b', 'a.b'],
    ['a*b', 'a-b-b'],
    ['a*aab*c', 'a-aaab-c'],
    ['*aab*', 'aaab'],
    ['a*b*a', 'aba'],
  ])('%j matches %j', (pattern, text) => {
    expect(matchesWildcard(pattern, text)).toBe(true);
  });

  it.each([
    ['', 'a'],
    ['a', 'aa'],
    ['a*', 'ba'],
    ['*.b', 'a.bc'],
    ['aba*ba', 'aba'],
    ['a*b*c', 'acb'],
    ['.', 'a'],
  ])('%j does not match %j', (pattern, text) => {
    expect(matchesWildcard(pattern, text)).toBe(false);
  });

  it('agrees with a matcher that tries every way', () => {
    const short = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 });
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });
    fc.assert(
      fc.property(pattern, short, (wild, text) => {
        const everyWay = new RegExp(`^${wild.replaceAll('*', '.*')}$`);
        expect(matchesWildcard(wild, text)).toBe(everyWay.test(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('is matched in linear time, whatever the texts', async () => {
    const many = 'a'.repeat(200_000);
    const took = await processorMs(() => {
      expect(matchesWildcard(`*${'a'.repeat(100_000)}b*`, many)).toBe(false);
      expect(matchesWildcard(`${'*a'.repeat(50_000)}*b*`, many)).toBe(false);
      expect(matchesWildcard(`*${'ab'.repeat(50_000)}*`, many)).toBe(false);
    });
    // Trying every way would take ten thousand million steps or more.
    expect(took).toBeLessThan(5000);
  });
});
