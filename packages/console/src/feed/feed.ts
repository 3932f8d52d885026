// The live feed of the gateway: server-sent events, each with a cursor. It reconnects by itself and goes on where it was, so
// that nothing is missed and nothing comes twice. Events are handed on a few times a second, many at once.

import type { ConsoleEvent } from '@plugboard/gateway/console-api';

export interface FeedReader {
  onEvents(events: readonly ConsoleEvent[]): void;
  onOpen(): void;
  /** The connection is lost. With `retries`, the feed comes back by itself. */
  onLost(how: 'retries' | 'closed'): void;
}

/** Often enough to look live, and seldom enough that a flood of calls leaves time for keys. */
const HAND_ON_MS = 80;

export class Feed {
  readonly #reader: FeedReader;
  #source: EventSource | undefined;
  #queue: ConsoleEvent[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(reader: FeedReader) {
    this.#reader = reader;
  }

  open(after: number): void {
    this.close();
    const source = new EventSource(`api/events?after=${after}`);
    this.#source = source;
    source.addEventListener('open', () => this.#reader.onOpen());
    source.addEventListener('message', ({ data }: MessageEvent<string>) => {
      this.#take(JSON.parse(data) as ConsoleEvent);
    });
    source.addEventListener('error', () => {
      this.#reader.onLost(source.readyState === EventSource.CLOSED ? 'closed' : 'retries');
    });
  }

  close(): void {
    this.#source?.close();
    this.#source = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#queue = [];
  }

  #take(event: ConsoleEvent): void {
    this.#queue.push(event);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const events = this.#queue;
      this.#queue = [];
      this.#reader.onEvents(events);
    }, HAND_ON_MS);
  }
}
