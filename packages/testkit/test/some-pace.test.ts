import { describe, expect, it } from 'vitest';
import { atSomePace } from '../src/some-pace.ts';

describe('an attempt at some pace', () => {
  it('is made with twice the time until it succeeds', async () => {
    const tried: number[] = [];
    const made = await atSomePace((unitMs) => {
      tried.push(unitMs);
      return unitMs < 400 ? Promise.reject(new Error('too fast')) : Promise.resolve('made');
    });
    expect([made, tried]).toEqual(['made', [100, 200, 400]]);
  });

  it('fails as the slowest one did', async () => {
    const attempt = (unitMs: number): Promise<never> => Promise.reject(new Error(`at ${unitMs}`));
    await expect(atSomePace(attempt)).rejects.toThrow('at 12800');
  });
});
