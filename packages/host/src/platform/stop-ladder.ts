// Stops a process tree: politely first, then by force, and within a fixed time. Ends as soon as the tree is gone.

import { type Clock, delay, never } from '@plugboard/base';
import type { ProcessTree, StopSignal } from './process-tree.ts';

export interface LadderStep {
  readonly action: 'close-stdin' | StopSignal;
  readonly thenWaitMs: number;
}

/** The last wait is for the kernel: SIGKILL cannot be ignored, but takes a moment. */
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
  /** Settles when the leader exited, so that the common case need not wait for the next check. */
  readonly leaderExited: Promise<unknown>;
  readonly clock: Clock;
}

/** Climbs until the tree is gone or the ladder ends. */
export async function climbStopLadder(climb: Climb): Promise<'gone' | 'still-there'> {
  const { tree, clock } = climb;
  // The time of each step counts from the start, so that late timers do not add up.
  let until = clock.elapsed();
  for (const { action, thenWaitMs } of STOP_LADDER) {
    if (await tree.isGone()) return 'gone';
    if (action === 'close-stdin') climb.closeStdin();
    else await tree.signal(action);
    until += thenWaitMs;
    // Killing gets its full time, however late the ladder is.
    if (action === 'SIGKILL') until = Math.max(until, clock.elapsed() + thenWaitMs);
    await waitUntilGone(until, climb);
  }
  return (await tree.isGone()) ? 'gone' : 'still-there';
}

async function waitUntilGone(until: number, climb: Climb): Promise<void> {
  const { tree, clock } = climb;
  for (;;) {
    const left = until - clock.elapsed();
    if (left <= 0 || (await tree.isGone())) return;
    const nextCheck = Math.min(POLL_MS, left);
    // Once the leader has exited, only its descendants are left to wait for.
    await (tree.hasLeader()
      ? firstOf(climb.leaderExited, nextCheck, clock)
      : delay(nextCheck, clock, never));
  }
}

async function firstOf(event: Promise<unknown>, ms: number, clock: Clock): Promise<void> {
  const wait = new AbortController();
  const elapsed = delay(ms, clock, wait.signal).catch(() => {
    // Cancelled because the event came first.
  });
  await Promise.race([event, elapsed]);
  wait.abort();
}
