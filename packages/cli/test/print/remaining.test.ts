import { describe, expect, it } from 'vitest';
import { remainingOf } from '../../src/print/remaining.ts';

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
