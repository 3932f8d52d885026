// Keeps a modern server's stream of changes open. The SDK does not reopen a stream that ends; this does, with growing
// pauses. Every gap counts as a change, because changes during a gap are not delivered.

import type { McpSubscription } from '@modelcontextprotocol/client';
import { backoffDelay, type Clock, delay, type Random } from '@plugboard/base';

export interface ListWatchPorts {
  readonly clock: Clock;
  readonly random: Random;
  /** Opens one stream; rejects when the server refuses. */
  listen(): Promise<Pick<McpSubscription, 'closed' | 'close'>>;
  /** Called after a gap in which changes may have been missed. */
  onGap(): void;
}

const PAUSES = { firstMs: 1000, maxMs: 30_000, maxAttempts: Number.POSITIVE_INFINITY };
/** After a stream that lasted this long, the next pause is the shortest again. */
const STABLE_MS = 10_000;

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
      // A stream that is refused or not acknowledged counts as one that ended at once.
    }
    failures = clock.elapsed() - opened >= STABLE_MS ? 1 : failures + 1;
    const pause = backoffDelay(failures, PAUSES, ports.random) ?? PAUSES.maxMs;
    await delay(pause, clock, signal).catch(() => {
      // Aborted, which ends the loop.
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
