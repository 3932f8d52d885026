// For work that waits on a manual clock and on the outside world alternately: a test cannot know how often it looks at
// its clock, so time is advanced until the work is done.

import type { ManualClock } from './manual-clock.ts';
import { waitUntil } from './wait-until.ts';

/** How a promise comes out when time passes for it in steps until it does. */
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
