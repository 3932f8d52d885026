import { ManualClock } from '@plugboard/testkit';
import { expect, test } from 'vitest';
import { PausableDeadline } from '../src/pausable-deadline.ts';

test('a deadline expires after its time, not counting pauses', async () => {
  const clock = new ManualClock();
  let expired = 0;
  using deadline = new PausableDeadline(100, clock, () => {
    expired += 1;
  });
  await clock.advance(60);
  const first = deadline.pause();
  const second = deadline.pause();
  await clock.advance(1000);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  await clock.advance(1000);
  expect(expired).toBe(0);
  second[Symbol.dispose]();
  await clock.advance(39);
  expect(expired).toBe(0);
  await clock.advance(1);
  expect(expired).toBe(1);
});

test('a disposed deadline does not start again when a pause ends', async () => {
  const clock = new ManualClock();
  let expired = 0;
  const deadline = new PausableDeadline(100, clock, () => {
    expired += 1;
  });
  const pause = deadline.pause();
  deadline[Symbol.dispose]();
  pause[Symbol.dispose]();
  await clock.advance(1000);
  expect(expired).toBe(0);
});
