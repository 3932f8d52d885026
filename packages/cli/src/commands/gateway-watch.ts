// What waits for an answer at the gateways of this user: those that run now, and those that start later. A gateway that
// ends is looked for again, since one in the background is restarted.

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
  /** It is watched from now on. */
  found(url: string): void;
  /** It has ended, with all that waited there. */
  lost(url: string): void;
  waiting(item: WaitingItem): void;
  /** By this command or elsewhere, or it was given up. */
  answered(id: string, answer: string): void;
}

const LOOK_MS = 500;

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
    await delay(LOOK_MS, systemClock, signal).catch(() => {});
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
  const told = new Set<string>();
  const tell = (waiting: WaitingView): void => {
    if (told.has(waiting.id)) return;
    told.add(waiting.id);
    listener.waiting({ url, waiting, console });
  };
  let isFound = false;
  for (;;) {
    const state = await console.state(signal);
    const feed = state.ok ? await console.feed(state.value.cursor, signal) : state;
    if (!state.ok || !feed.ok) break;
    if (!isFound) listener.found(url);
    isFound = true;
    for (const waiting of state.value.waiting) tell(waiting);
    const isOver = await hear(feed.value, (event) => {
      if (event.kind === 'waiting') tell(event.waiting);
      else if (event.kind === 'answered') listener.answered(event.id, event.answer);
    });
    if (isOver) break;
  }
  if (isFound && !signal.aborted) listener.lost(url);
}

/** Whether the feed has ended. Where it has to be read again, it has not. */
async function hear(
  events: AsyncIterable<ConsoleEvent>,
  listener: (event: ConsoleEvent) => void,
): Promise<boolean> {
  for await (const event of events) {
    if (event.kind === 'reset') return false;
    listener(event);
  }
  return true;
}
