import { expect, it } from 'vitest';
import { median } from '../../src/ui/sparkline.tsx';

it('takes the value in the middle, whatever their order', () => {
  expect([median([3, 1, 2]), median([4]), median([])]).toEqual([2, 4, 0]);
});
