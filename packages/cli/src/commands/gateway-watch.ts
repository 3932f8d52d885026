// Watches the pending items of all gateways of this user, including gateways that start later. A gateway that ends is looked
// for again, since one in the background is restarted.

import { delay, stayAlive, systemClock } from '@plugboard/base';
import type { ConsoleEvent, WaitingView } from '@plugboard/gateway/console-api';
import type { ConsoleClient } from '@plugboard/gateway/console-client';
import type { HostEnvironment } from '@plugboard/host/configuration';
import { consoleOf, type RunningGateway, runningGateways } from './running-gateways.ts';

export interface WaitingItem {
  readonly url: string;
  readonly waiting: WaitingView;
  readonly console: ConsoleClient;
}

export interface WatchListener {
  /** A gateway is watched from now on. */
  found(url: string): void;
  /** A gateway has ended, with all its pending items. */
  lost(url: string): void;
  waiting(item: WaitingItem): void;
  /** An item was answered, by this command or elsewhere, or it was withdrawn. */
  answered(id: string, answer: string): void;
}

const POLL_MS = 500;

/** Resolves when the signal aborts. */
export async function watchGateways(
  environment: HostEnvironment,
  listener: WatchListener,
  signal: AbortSignal,
): Promise<void> {
  using _ = stayAlive();
  const followed = new Map<string, Promise<void>>();
  while (!signal.aborted) {
    for (const gateway of await runningGateways(environment)) {
      if (followed.has(gateway.note)) continue;
      const following = follow(gateway, { environment, listener, signal });
      const over = following.finally(() => followed.delete(gateway.note));
      followed.set(gateway.note, over);
    }
    await delay(POLL_MS, systemClock, signal).catch(() => {});
  }
  await Promise.all(followed.values());
}

interface Following {
  readonly environment: HostEnvironment;
  readonly listener: WatchListener;
  readonly signal: AbortSignal;
}

async function follow(
  gateway: RunningGateway,
  { environment, listener, signal }: Following,
): Promise<void> {
  const { url } = gateway;
  const console = await consoleOf(gateway, environment);
  const reported = new Set<string>();
  const report = (waiting: WaitingView): void => {
    if (reported.has(waiting.id)) return;
    reported.add(waiting.id);
    listener.waiting({ url, waiting, console });
  };
  let isFound = false;
  for (;;) {
    const state = await console.state(signal);
    const feed = state.ok ? await console.feed(state.value.cursor, signal) : state;
    if (!state.ok || !feed.ok) break;
    if (!isFound) listener.found(url);
    isFound = true;
    for (const waiting of state.value.waiting) report(waiting);
    const isOver = await readFeed(feed.value, (event) => {
      if (event.kind === 'waiting') report(event.waiting);
      else if (event.kind === 'answered') listener.answered(event.id, event.answer);
    });
    if (isOver) break;
  }
  if (isFound && !signal.aborted) listener.lost(url);
}

/** False if the feed was reset and must be read again, true if it has ended. */
async function readFeed(
  events: AsyncIterable<ConsoleEvent>,
  listener: (event: ConsoleEvent) => void,
): Promise<boolean> {
  for await (const event of events) {
    if (event.kind === 'reset') return false;
    listener(event);
  }
  return true;
}
