import { getEventListeners } from 'node:events';
import { ManualClock } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { abortable, deadline, DeadlineExceeded, delay, never, shared } from '../src/signal.ts';

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

const reason = new Error('given up');

describe('abortable', () => {
  it('settles as the promise does, and leaves no listener', async () => {
    const { signal } = new AbortController();
    const failure = new Error('failed');
    expect(await abortable(Promise.resolve('value'), signal)).toBe('value');
    await expect(abortable(Promise.reject(failure), signal)).rejects.toBe(failure);
    expect(listenersOf(signal)).toBe(0);
  });

  it('rejects with the reason when the signal aborts first, and leaves no listener', async () => {
    const controller = new AbortController();
    const waiting = abortable(new Promise(() => {}), controller.signal);
    expect(listenersOf(controller.signal)).toBe(1);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(listenersOf(controller.signal)).toBe(0);
  });

  it('rejects at once when the signal has already aborted, whatever happens to the promise', async () => {
    const signal = AbortSignal.abort(reason);
    const failing = Promise.reject(new Error('nobody hears this'));
    await expect(abortable(failing, signal)).rejects.toBe(reason);
    expect(listenersOf(signal)).toBe(0);
  });

  it('follows whichever comes first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const controller = new AbortController();
        const order: string[] = [];
        const work = scheduler.schedule(Promise.resolve('value')).then((value) => {
          order.push('work');
          return value;
        });
        void scheduler.schedule(Promise.resolve()).then(() => {
          order.push('abort');
          return controller.abort(reason);
        });
        const [outcome] = await Promise.all([
          Promise.allSettled([abortable(work, controller.signal)]),
          scheduler.waitAll(),
        ]);
        expect(outcome).toEqual([
          order[0] === 'work'
            ? { status: 'fulfilled', value: 'value' }
            : { status: 'rejected', reason },
        ]);
        expect(listenersOf(controller.signal)).toBe(0);
      }),
    );
  });
});

describe('delay', () => {
  it('waits for its time on the clock', async () => {
    const clock = new ManualClock();
    const done: string[] = [];
    const listenersBefore = listenersOf(never);
    const waiting = delay(100, clock, never).then(() => done.push('done'));
    await clock.advance(99);
    expect(done).toEqual([]);
    await clock.advance(1);
    await waiting;
    expect([done, clock.pending, listenersOf(never)]).toEqual([['done'], 0, listenersBefore]);
  });

  it('leaves neither timer nor listener when aborted', async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const waiting = delay(100, clock, controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(delay(100, clock, controller.signal)).rejects.toBe(reason);
    expect([clock.pending, listenersOf(controller.signal)]).toEqual([0, 0]);
  });
});

describe('deadline', () => {
  it('aborts when its time is up, and states the time', async () => {
    const clock = new ManualClock();
    using limit = deadline(100, clock, never);
    await clock.advance(99);
    expect(limit.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(limit.signal.reason).toBeInstanceOf(DeadlineExceeded);
    expect(limit.signal.reason).toMatchObject({ code: 'deadline-exceeded', data: { ms: 100 } });
  });

  it('aborts only when no restart came during its whole time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 150 })), async (pauses) => {
        const clock = new ManualClock();
        using limit = deadline(100, clock, never);
        for (const pause of pauses) {
          await clock.advance(pause);
          limit.restart();
        }
        expect(limit.signal.aborted).toBe(pauses.some((pause) => pause >= 100));
      }),
      { numRuns: 50 },
    );
  });

  it('follows its parent, which may already have aborted', () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    using early = deadline(100, clock, controller.signal);
    controller.abort(reason);
    using late = deadline(100, clock, controller.signal);
    late.restart();
    expect([early.signal.reason, late.signal.reason]).toEqual([reason, reason]);
  });

  it('leaves neither timer nor listener once disposed, and never aborts', async () => {
    const clock = new ManualClock();
    const parent = new AbortController();
    const limit = deadline(100, clock, parent.signal);
    limit[Symbol.dispose]();
    limit.restart();
    expect([clock.pending, listenersOf(parent.signal)]).toEqual([0, 0]);
    await clock.advance(200);
    parent.abort(reason);
    expect(limit.signal.aborted).toBe(false);
  });

  it('keeps no timer when its parent has aborted', async () => {
    const clock = new ManualClock();
    const parent = new AbortController();
    using limit = deadline(100, clock, parent.signal);
    parent.abort(reason);
    limit.restart();
    expect([clock.pending, listenersOf(parent.signal)]).toEqual([0, 0]);
  });

  it('keeps no listener on its parent when its time is up', async () => {
    const clock = new ManualClock();
    const parent = new AbortController();
    using limit = deadline(100, clock, parent.signal);
    await clock.advance(100);
    limit.restart();
    expect([clock.pending, listenersOf(parent.signal)]).toEqual([0, 0]);
  });
});

describe('shared', () => {
  it('lets any number of listeners follow one signal, without a warning', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on('warning', onWarning);
    try {
      for (const signal of [never, shared(new AbortController().signal)]) {
        const waits = Array.from({ length: 50 }, () => abortable(Promise.resolve(1), signal));
        expect(await Promise.all(waits)).toHaveLength(50);
      }
      // Warnings are emitted on the next tick.
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.off('warning', onWarning);
    }
    expect(warnings).toEqual([]);
  });
});
