import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SingleFlight } from '../src/single-flight.ts';

describe('single flight', () => {
  it('runs the work once per flight, and gives every caller the same outcome', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.boolean()), { minLength: 1 }),
        async (scheduler, asks) => {
          const flights = new SingleFlight<string, object>();
          const inFlight = new Map<string, number>();
          const works: { key: string; outcome: object }[] = [];
          const asked = asks.map(([key, fails]) =>
            flights.run(key, async () => {
              expect(inFlight.get(key) ?? 0).toBe(0);
              inFlight.set(key, 1);
              const outcome = new Error(key);
              works.push({ key, outcome });
              await scheduler.schedule(Promise.resolve());
              inFlight.set(key, 0);
              if (fails) throw outcome;
              return outcome;
            }),
          );
          const [settled] = await Promise.all([Promise.allSettled(asked), scheduler.waitAll()]);
          // All calls came before any work ended, so there was one flight per key.
          expect(works.map(({ key }) => key)).toEqual([...new Set(asks.map(([key]) => key))]);
          settled.forEach((outcome, index) => {
            const own = works.find(({ key }) => key === asks[index]?.[0])?.outcome;
            expect(outcome.status === 'fulfilled' ? outcome.value : outcome.reason).toBe(own);
          });
          expect(flights.size).toBe(0);
        },
      ),
    );
  });

  it('runs the work again once the first run has ended', async () => {
    const flights = new SingleFlight<string, number>();
    let works = 0;
    const ask = (): Promise<number> =>
      flights.run('key', () => {
        works += 1;
        return Promise.resolve(works);
      });
    expect([await ask(), await ask()]).toEqual([1, 2]);
  });

  it('does not keep a failure, not even of work that throws before it returns a promise', async () => {
    const flights = new SingleFlight<string, string>();
    const failure = new Error('failed');
    await expect(flights.run('key', () => Promise.reject(failure))).rejects.toBe(failure);
    const throwing = flights.run('key', () => {
      throw failure;
    });
    await expect(throwing).rejects.toBe(failure);
    expect(flights.size).toBe(0);
    expect(await flights.run('key', () => Promise.resolve('value'))).toBe('value');
  });

  it('has forgotten the flight when its callers receive the outcome', async () => {
    const flights = new SingleFlight<string, string>();
    await flights.run('key', () => Promise.resolve('value'));
    expect(flights.size).toBe(0);
  });
});
