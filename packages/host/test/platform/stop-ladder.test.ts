import { once } from 'node:events';
import { ManualClock, verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { climbStopLadder, STOP_LADDER } from '../../src/platform/stop-ladder.ts';

interface ClimbReport {
  readonly outcome: string;
  readonly actions: readonly (readonly [number, string])[];
  readonly endedAt: number;
}

/** Runs the ladder for a tree that is gone at `goneAt`. */
async function climb(goneAt: number): Promise<ClimbReport> {
  const clock = new ManualClock();
  const actions: [number, string][] = [];
  const note = (action: string): void => void actions.push([clock.elapsed(), action]);
  const ended = climbStopLadder({
    tree: {
      hasLeader: () => false,
      signal: async (signal) => note(signal),
      isGone: async () => clock.elapsed() >= goneAt,
    },
    closeStdin: () => note('close-stdin'),
    leaderExited: Promise.resolve(),
    clock,
  }).then((outcome) => ({ outcome, actions, endedAt: clock.elapsed() }));
  await clock.advance(1000);
  expect(clock.pending).toBe(0);
  return await ended;
}

const ALL_ACTIONS = [
  [0, 'close-stdin'],
  [50, 'SIGINT'],
  [150, 'SIGTERM'],
  [550, 'SIGKILL'],
] as const;

describe('the stop ladder', () => {
  verifies('CON-10');

  it('takes every step in its time and then gives up, within 700 ms', async () => {
    expect(await climb(Number.POSITIVE_INFINITY)).toEqual({
      outcome: 'still-there',
      actions: ALL_ACTIONS,
      endedAt: 630,
    });
  });

  it('does nothing to a tree that is gone', async () => {
    expect(await climb(0)).toEqual({ outcome: 'gone', actions: [], endedAt: 0 });
  });

  it('ends as soon as the tree is gone, and takes no step after that', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 630 }), async (goneAt) => {
        const climbed = await climb(goneAt);
        expect(climbed.outcome).toBe('gone');
        expect(climbed.actions).toEqual(ALL_ACTIONS.filter(([at]) => at < goneAt));
        expect(climbed.endedAt - goneAt).toBeGreaterThanOrEqual(0);
        expect(climbed.endedAt - goneAt).toBeLessThan(5);
      }),
      { numRuns: 20 },
    );
  });

  it('does not wait for the next check when the leader ends', async () => {
    const clock = new ManualClock();
    const leader = new AbortController();
    const leaderExited = once(leader.signal, 'abort');
    const hasExited = (): boolean => leader.signal.aborted;
    const outcome = await climbStopLadder({
      tree: {
        hasLeader: () => !hasExited(),
        signal: async () => {},
        isGone: async () => hasExited(),
      },
      closeStdin: () => leader.abort(),
      leaderExited,
      clock,
    });
    expect({ outcome, elapsed: clock.elapsed(), pending: clock.pending }).toEqual({
      outcome: 'gone',
      elapsed: 0,
      pending: 0,
    });
  });

  it('begins with its mildest step and ends with SIGKILL', () => {
    expect(STOP_LADDER.map((step) => step.action)).toEqual(ALL_ACTIONS.map(([, action]) => action));
  });
});
