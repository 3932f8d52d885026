// Keeps a modern server's stream of list changes open. The SDK opens one stream and does not reopen it when it
// drops; here it is reopened with growing pauses, and every gap counts as a change, since changes during the
// gap are not delivered.

import type { McpSubscription } from '@modelcontextprotocol/client';
import { backoffDelay, type Clock, delay, type Random } from '@plugboard/base';

export interface ListWatchPorts {
  readonly clock: Clock;
  readonly random: Random;
  /** Opens one stream; rejects when the server refuses. */
  listen(): Promise<Pick<McpSubscription, 'closed' | 'close'>>;
  /** Changes may have been missed. */
  onGap(): void;
}

const PAUSES = { firstMs: 1000, maxMs: 30_000, maxAttempts: Number.POSITIVE_INFINITY };
/** After a stream that lived this long, the next pause is the shortest again. */
const GOOD_MS = 10_000;

/** Watches until the signal aborts. Never rejects. */
export async function watchListStream(ports: ListWatchPorts, signal: AbortSignal): Promise<void> {
  const { clock } = ports;
  let failures = 0;
  while (!signal.aborted) {
    const opened = clock.elapsed();
    try {
      const stream = await ports.listen();
      if (failures > 0) ports.onGap();
      await closedOrAborted(stream, signal);
    } catch {
      // Refused or dropped before it was acknowledged: the same as a stream that ended at once.
    }
    failures = clock.elapsed() - opened >= GOOD_MS ? 1 : failures + 1;
    const pause = backoffDelay(failures, PAUSES, ports.random) ?? PAUSES.maxMs;
    await delay(pause, clock, signal).catch(() => {
      // Aborted: the loop ends by itself.
    });
  }
}

async function closedOrAborted(
  stream: Pick<McpSubscription, 'closed' | 'close'>,
  signal: AbortSignal,
): Promise<void> {
  const close = (): void => void stream.close().catch(() => {});
  if (signal.aborted) {
    close();
    return;
  }
  signal.addEventListener('abort', close, { once: true });
  try {
    await stream.closed;
  } finally {
    signal.removeEventListener('abort', close);
  }
}
