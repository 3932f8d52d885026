import { ManualClock } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { BurstGatherer } from '../../src/platform/burst-gatherer.ts';

function gathering(clock: ManualClock) {
  const told: number[] = [];
  const gathered = new BurstGatherer({
    clock,
    quietMs: 150,
    maxWaitMs: 600,
    onGathered: () => void told.push(clock.elapsed()),
  });
  return { gathered, told };
}

describe('gathering a burst of events', () => {
  it('reports once, after it has been quiet for long enough', async () => {
    const clock = new ManualClock();
    const { gathered, told } = gathering(clock);
    for (let change = 0; change < 3; change += 1) {
      gathered.note();
      await clock.advance(100);
    }
    await clock.advance(1000);
    expect(told).toEqual([350]);
  });

  it('reports a burst that does not end, and the rest of it', async () => {
    const clock = new ManualClock();
    const { gathered, told } = gathering(clock);
    for (let change = 0; change < 10; change += 1) {
      gathered.note();
      await clock.advance(100);
    }
    await clock.advance(1000);
    expect(told).toEqual([600, 1050]);
  });

  it('reports nothing and keeps no timer once it is disposed', async () => {
    const clock = new ManualClock();
    const { gathered, told } = gathering(clock);
    gathered.note();
    gathered[Symbol.dispose]();
    expect(clock.pending).toBe(0);
    await clock.advance(1000);
    expect(told).toEqual([]);
  });
});
