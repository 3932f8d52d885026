import { delay, never } from '@plugboard/base';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../src/manual-clock.ts';

describe('the manual clock', () => {
  it('moves wall time and elapsed time together, and only on advance', async () => {
    const clock = new ManualClock(1_000);
    await clock.advance(250);
    expect([clock.now(), clock.elapsed()]).toEqual([1_250, 250]);
  });

  it('fires timers in the order they are due, at their own time, ties in the order they were set', async () => {
    const clock = new ManualClock();
    const fired: [string, number][] = [];
    const note = (name: string) => () => fired.push([name, clock.elapsed()]);
    clock.after(30, note('c'));
    clock.after(10, note('a'));
    clock.after(20, note('b1'));
    clock.after(20, note('b2'));
    clock.after(31, note('later'));
    await clock.advance(30);
    expect(fired).toEqual([
      ['a', 10],
      ['b1', 20],
      ['b2', 20],
      ['c', 30],
    ]);
    expect(clock.pending).toBe(1);
  });

  it('lets promises run between timers, so that a loop of delays completes in one advance', async () => {
    const clock = new ManualClock();
    const steps: number[] = [];
    const loop = (async () => {
      for (let step = 0; step < 4; step += 1) {
        await delay(10, clock, never);
        steps.push(clock.elapsed());
      }
    })();
    await clock.advance(35);
    expect(steps).toEqual([10, 20, 30]);
    await clock.advance(5);
    await loop;
    expect(steps).toEqual([10, 20, 30, 40]);
  });

  it('does not fire a disposed timer, also if an earlier one of the same moment disposed it', async () => {
    const clock = new ManualClock();
    const fired: string[] = [];
    clock.after(10, () => second[Symbol.dispose]());
    const second = clock.after(10, () => fired.push('second'));
    await clock.advance(10);
    expect([fired, clock.pending]).toEqual([[], 0]);
  });

  it('rejects with the error of a task and keeps the timers after it', async () => {
    const clock = new ManualClock();
    clock.after(1, () => {
      throw new Error('boom');
    });
    clock.after(2, () => {});
    await expect(clock.advance(5)).rejects.toThrow('boom');
    expect(clock.pending).toBe(1);
  });
});
