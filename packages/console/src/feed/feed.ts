// The live feed of the gateway: server-sent events, each with a cursor. It reconnects by itself and continues where it was, so
// that no event is lost or repeated. Events are passed on in batches, a few times a second.

import type { ConsoleEvent } from '@plugboard/gateway/console-api';

export interface FeedReader {
  onEvents(events: readonly ConsoleEvent[]): void;
  onOpen(): void;
  /** The connection is lost. With `retries`, the feed reconnects by itself. */
  onLost(how: 'retries' | 'closed'): void;
}

/** Short enough to look live, and long enough that the page stays responsive in a flood of calls. */
const BATCH_MS = 80;

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
      this.#enqueue(JSON.parse(data) as ConsoleEvent);
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

  #enqueue(event: ConsoleEvent): void {
    this.#queue.push(event);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const events = this.#queue;
      this.#queue = [];
      this.#reader.onEvents(events);
    }, BATCH_MS);
  }
}
