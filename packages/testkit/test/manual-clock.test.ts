import { delay, never } from '@plugboard/base';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../src/manual-clock.ts';

describe('manual clock', () => {
  it('moves wall time and elapsed time together, and only when told', async () => {
    const clock = new ManualClock(1_000);
    await clock.advance(250);
    expect([clock.now(), clock.elapsed()]).toEqual([1_250, 250]);
  });

  it('fires timers in the order they are due, at their own time, ties as they were set', async () => {
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

  it('lets promises run between timers, so that a loop of delays plays out in one move', async () => {
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

  it('does not fire a timer that was disposed, also by an earlier one of the same moment', async () => {
    const clock = new ManualClock();
    const fired: string[] = [];
    clock.after(10, () => second[Symbol.dispose]());
    const second = clock.after(10, () => fired.push('second'));
    await clock.advance(10);
    expect([fired, clock.pending]).toEqual([[], 0]);
  });

  it('rejects with what a task throws and keeps the timers after it', async () => {
    const clock = new ManualClock();
    clock.after(1, () => {
      throw new Error('boom');
    });
    clock.after(2, () => {});
    await expect(clock.advance(5)).rejects.toThrow('boom');
    expect(clock.pending).toBe(1);
  });
});
