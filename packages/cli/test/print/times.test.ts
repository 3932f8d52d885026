import { describe, expect, it } from 'vitest';
import { ageOf, remainingOf } from '../../src/print/times.ts';

describe('remainingOf', () => {
  it.each([
    [-5, 'in less than a minute'],
    [29_999, 'in less than a minute'],
    [30_000, 'in 1 minute'],
    [599_900, 'in 10 minutes'],
    [3_599_000, 'in 1 hour'],
    [3 * 24 * 3_600_000, 'in 3 days'],
  ])('%d ms: %s', (ms, words) => {
    expect(remainingOf(ms)).toBe(words);
  });
});

it.for([
  [0, 'less than a minute ago'],
  [59_999, 'less than a minute ago'],
  [60_000, '1 minute ago'],
  [59 * 60_000, '59 minutes ago'],
  [60 * 60_000, '1 hour ago'],
  [23.9 * 3_600_000, '23 hours ago'],
  [24 * 3_600_000, '1 day ago'],
  [9 * 24 * 3_600_000, '9 days ago'],
] as const)('ageOf: %i ms is %s', ([ms, words]) => {
  expect(ageOf(ms)).toBe(words);
});
