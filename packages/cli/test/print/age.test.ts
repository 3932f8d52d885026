import { expect, it } from 'vitest';
import { ageOf } from '../../src/print/age.ts';

it.for([
  [0, 'less than a minute ago'],
  [59_999, 'less than a minute ago'],
  [60_000, '1 minute ago'],
  [59 * 60_000, '59 minutes ago'],
  [60 * 60_000, '1 hour ago'],
  [23.9 * 3_600_000, '23 hours ago'],
  [24 * 3_600_000, '1 day ago'],
  [9 * 24 * 3_600_000, '9 days ago'],
] as const)('the age of %i ms reads %s', ([ms, words]) => {
  expect(ageOf(ms)).toBe(words);
});
