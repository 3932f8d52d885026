import { getEventListeners } from 'node:events';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyedMutex } from '../src/keyed-mutex.ts';
import { Semaphore } from '../src/semaphore.ts';
import { never } from '../src/signal.ts';

const reason = new Error('given up');

interface Task {
  /** Aborts right after its request. */
  readonly leaves: boolean;
  readonly fails: boolean;
}

const tasks = fc.array(fc.record({ leaves: fc.boolean(), fails: fc.boolean() }), { maxLength: 15 });
const permits = fc.integer({ min: 1, max: 4 });

describe('a semaphore that is resized', () => {
  /** Work that runs until it is ended. */
  function works(semaphore: Semaphore) {
    const ends: (() => void)[] = [];
    const begin = (): void => {
      void semaphore.run(never, () => new Promise<void>((resolve) => ends.push(resolve)));
    };
    return { begin, ends, settled: () => new Promise((resolve) => setImmediate(resolve)) };
  }

  it('admits waiting work, and holds back other work until the running work has ended', async () => {
    const semaphore = new Semaphore(1);
    const { begin, ends, settled } = works(semaphore);
    for (let index = 0; index < 6; index += 1) begin();
    await settled();
    expect(ends).toHaveLength(1);
    semaphore.resize(3);
    await settled();
    expect(ends).toHaveLength(3);
    semaphore.resize(1);
    ends[0]?.();
    ends[1]?.();
    await settled();
    // One task still runs, and only one is permitted.
    expect(ends).toHaveLength(3);
    ends[2]?.();
    await settled();
    expect(ends).toHaveLength(4);
    expect(() => semaphore.resize(0)).toThrow(RangeError);
  });
});

describe('a semaphore', () => {
  it('never admits more work than it has permits, in order, and gets all permits back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), permits, tasks, async (scheduler, count, plan) => {
        const semaphore = new Semaphore(count);
        const begun: number[] = [];
        let inside = 0;
        const work = (task: Task, index: number) => async (): Promise<void> => {
          begun.push(index);
          inside += 1;
          expect(inside).toBeLessThanOrEqual(count);
          await scheduler.schedule(Promise.resolve());
          inside -= 1;
          if (task.fails) throw new Error(`task ${index}`);
        };
        const controllers = plan.map(() => new AbortController());
        const asked = plan.map((task, index) => {
          const controller = controllers[index] ?? new AbortController();
          const running = semaphore.run(controller.signal, work(task, index));
          if (task.leaves) controller.abort(reason);
          return running;
        });
        const [settled] = await Promise.all([Promise.allSettled(asked), scheduler.waitIdle()]);

        const hasLeft = settled.map((each) => each.status === 'rejected' && each.reason === reason);
        // Tasks that got a permit at once run before they can abort.
        expect(hasLeft).toEqual(plan.map((task, index) => task.leaves && index >= count));
        expect(begun).toEqual([...plan.keys()].filter((index) => hasLeft[index] === false));
        for (const { signal } of controllers) {
          expect(getEventListeners(signal, 'abort')).toEqual([]);
        }
        expect(await entersAtOnce(semaphore, count + 1)).toBe(count);
      }),
    );
  });

  it('does not start work whose caller has given up', async () => {
    const semaphore = new Semaphore(1);
    const begun: string[] = [];
    const running = semaphore.run(AbortSignal.abort(reason), () => {
      begun.push('begun');
      return Promise.resolve();
    });
    await expect(running).rejects.toBe(reason);
    expect([begun, await entersAtOnce(semaphore, 2)]).toEqual([[], 1]);
  });

  it('gets its permit back from work that throws before it returns a promise', async () => {
    const semaphore = new Semaphore(1);
    const running = semaphore.run(never, () => {
      throw reason;
    });
    await expect(running).rejects.toBe(reason);
    expect(await entersAtOnce(semaphore, 2)).toBe(1);
  });

  it('needs at least one permit', () => {
    for (const count of [0, -1, 1.5, Number.NaN]) {
      expect(() => new Semaphore(count)).toThrow(RangeError);
    }
  });
});

/** How many of `count` tasks are admitted while none of them ends. */
async function entersAtOnce(semaphore: Semaphore, count: number): Promise<number> {
  const leaving = new AbortController();
  let inside = 0;
  const asked = Array.from({ length: count }, () =>
    semaphore.run(never, () => {
      inside += 1;
      return untilAborted(leaving.signal);
    }),
  );
  await new Promise((resolve) => setImmediate(resolve));
  const entered = inside;
  leaving.abort();
  await Promise.all(asked);
  return entered;
}

describe('a keyed mutex', () => {
  it('runs one task at a time per key, in order, and keeps no key afterwards', async () => {
    const asks = fc.array(
      fc.record({
        key: fc.constantFrom('a', 'b', 'c'),
        leaves: fc.boolean(),
        fails: fc.boolean(),
      }),
      { maxLength: 15 },
    );
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), asks, async (scheduler, plan) => {
        const mutex = new KeyedMutex<string>();
        const begun: number[] = [];
        const inside = new Set<string>();
        const asked = plan.map(({ key, leaves, fails }, index) => {
          const controller = new AbortController();
          const running = mutex.run(key, controller.signal, async () => {
            expect(inside.has(key)).toBe(false);
            inside.add(key);
            begun.push(index);
            await scheduler.schedule(Promise.resolve());
            inside.delete(key);
            if (fails) throw new Error(`ask ${index}`);
          });
          if (leaves) controller.abort(reason);
          return running;
        });
        expect(mutex.size).toBe(new Set(plan.map(({ key }) => key)).size);
        await Promise.all([Promise.allSettled(asked), scheduler.waitIdle()]);

        for (const key of ['a', 'b', 'c']) {
          const ofKey = [...plan.keys()].filter((index) => plan[index]?.key === key);
          expect(begun.filter((index) => plan[index]?.key === key)).toEqual(
            ofKey.filter((index, turn) => turn === 0 || plan[index]?.leaves === false),
          );
        }
        expect(mutex.size).toBe(0);
      }),
    );
  });

  it('does not make different keys wait for each other', async () => {
    const mutex = new KeyedMutex<string>();
    const holding = new AbortController();
    const held = mutex.run('held', never, () => untilAborted(holding.signal));
    expect(await mutex.run('other', never, () => Promise.resolve('done'))).toBe('done');
    expect(mutex.size).toBe(1);
    holding.abort();
    await held;
    expect(mutex.size).toBe(0);
  });
});

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
