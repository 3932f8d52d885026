import { expect, it } from 'vitest';
import { median } from '../../src/ui/sparkline.tsx';

it('computes the median of values in any order', () => {
  expect([median([3, 1, 2]), median([4]), median([])]).toEqual([2, 4, 0]);
});
