// How a process tree is stopped: politely first, then firmly, and within a bound that is known
// beforehand. Ends as soon as the tree is gone. What "gone" means is the tree's business.

import { type Clock, delay, never } from '@plugboard/base';
import type { ProcessTree, StopSignal } from './process-tree.ts';

export interface LadderStep {
  readonly action: 'close-stdin' | StopSignal;
  readonly thenWaitMs: number;
}

/** The last wait is for the kernel: SIGKILL needs no consent, but it is not instant. */
export const STOP_LADDER: readonly LadderStep[] = [
  { action: 'close-stdin', thenWaitMs: 50 },
  { action: 'SIGINT', thenWaitMs: 100 },
  { action: 'SIGTERM', thenWaitMs: 400 },
  { action: 'SIGKILL', thenWaitMs: 80 },
];

const POLL_MS = 5;

export interface Climb {
  readonly tree: ProcessTree;
  readonly closeStdin: () => void;
  /** Settles when the leader exited, so that the common case need not wait for the next look. */
  readonly leaderExited: Promise<unknown>;
  readonly clock: Clock;
}

/** Climbs until the tree is gone or the ladder ends. */
export async function climbStopLadder(climb: Climb): Promise<'gone' | 'still-there'> {
  const { tree, clock } = climb;
  // Each step has its time from the start, so that late timers do not add up.
  let until = clock.elapsed();
  for (const { action, thenWaitMs } of STOP_LADDER) {
    if (await tree.isGone()) return 'gone';
    if (action === 'close-stdin') climb.closeStdin();
    else await tree.signal(action);
    until += thenWaitMs;
    // What was killed is given its time in any case, however late the ladder is.
    if (action === 'SIGKILL') until = Math.max(until, clock.elapsed() + thenWaitMs);
    await goneBefore(until, climb);
  }
  return (await tree.isGone()) ? 'gone' : 'still-there';
}

async function goneBefore(until: number, climb: Climb): Promise<void> {
  const { tree, clock } = climb;
  for (;;) {
    const left = until - clock.elapsed();
    if (left <= 0 || (await tree.isGone())) return;
    const nextLook = Math.min(POLL_MS, left);
    // Once the leader has exited only the others are waited for.
    await (tree.hasLeader()
      ? firstOf(climb.leaderExited, nextLook, clock)
      : delay(nextLook, clock, never));
  }
}

async function firstOf(event: Promise<unknown>, ms: number, clock: Clock): Promise<void> {
  const wait = new AbortController();
  const elapsed = delay(ms, clock, wait.signal).catch(() => {
    // Given up because the event came first.
  });
  await Promise.race([event, elapsed]);
  wait.abort();
}
