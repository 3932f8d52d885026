// For work that waits alternately on a manual clock and on the outside world: a test cannot know how often the work reads its
// clock, so time advances until the work is done.

import type { ManualClock } from './manual-clock.ts';
import { waitUntil } from './wait-until.ts';

/** Advances the clock in steps until the promise settles, and returns the promise. */
export async function overTime<T>(
  clock: ManualClock,
  promise: Promise<T>,
  stepMs = 500,
): Promise<T> {
  let isDone = false;
  const settle = (): void => void (isDone = true);
  promise.then(settle, settle);
  await waitUntil(
    async () => {
      await clock.advance(stepMs);
      return isDone;
    },
    { describe: 'the work to be done, however much time passed for it' },
  );
  return promise;
}
