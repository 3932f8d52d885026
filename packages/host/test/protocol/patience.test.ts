import { never } from '@plugboard/base';
import { ManualClock } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { Patience } from '../../src/protocol/patience.ts';

describe('the idle deadline of a call', () => {
  it('aborts the call if the server shows no sign of life', async () => {
    const clock = new ManualClock();
    using waiting = new Patience(clock).begin(1000, never);
    await clock.advance(900);
    waiting.restart();
    await clock.advance(900);
    expect(waiting.signal.aborted).toBe(false);
    await clock.advance(100);
    expect(waiting.signal.reason).toMatchObject({ code: 'deadline-exceeded' });
  });

  it('is paused while the user is asked, and restarts after that', async () => {
    const clock = new ManualClock();
    const patience = new Patience(clock);
    using waiting = patience.begin(1000, never);
    let answer = (): void => {};
    const asked = patience.pauseWhile(
      () =>
        new Promise<void>((resolve) => {
          answer = resolve;
        }),
    );
    using later = patience.begin(1000, never);
    await clock.advance(60_000);
    waiting.restart();
    await clock.advance(60_000);
    expect([waiting.signal.aborted, later.signal.aborted]).toEqual([false, false]);
    answer();
    await asked;
    await clock.advance(999);
    expect([waiting.signal.aborted, later.signal.aborted]).toEqual([false, false]);
    await clock.advance(1);
    expect([waiting.signal.aborted, later.signal.aborted]).toEqual([true, true]);
  });

  it('follows the signal of the call, and leaves no timer behind', () => {
    const clock = new ManualClock();
    const caller = new AbortController();
    {
      using waiting = new Patience(clock).begin(1000, caller.signal);
      caller.abort();
      expect(waiting.signal.aborted).toBe(true);
    }
    expect(clock.pending).toBe(0);
  });
});
