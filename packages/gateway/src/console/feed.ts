// The feed of the console: what changed, in order, each step with a number by which a reader goes on where it left off.
// The last steps are kept; a reader that was away for longer is told to begin again. A reader that does not read is cut
// off, and comes back with its number.

import type { Clock } from '@plugboard/base';
import { type Audience, mayRead, type Reader } from '../client/index.ts';
import type { ConsoleEvent } from '../console-api.ts';
import type { EventStream } from '../front/index.ts';

interface Step {
  readonly cursor: number;
  readonly text: string;
  readonly audience: Audience;
}

interface OpenReader {
  readonly reader: Reader;
  readonly stream: EventStream;
}

/** How many steps are kept, and how long they are together. */
export interface FeedLimits {
  readonly kept: number;
  readonly keptLength: number;
}

const LIMITS: FeedLimits = { kept: 5000, keptLength: 4 * 1024 * 1024 };
/** Steps of one millisecond before the numbers of a gateway could reach those of the next one. */
const STEPS_PER_MS = 1000;

export class Feed {
  readonly #limits: FeedLimits;
  readonly #steps: Step[] = [];
  readonly #readers = new Set<OpenReader>();
  #length = 0;
  #cursor: number;

  /** Numbers begin with the time: those of a gateway that was there before are older than all. */
  constructor(clock: Clock, limits: FeedLimits = LIMITS) {
    this.#cursor = clock.now() * STEPS_PER_MS;
    this.#limits = limits;
  }

  /** Of the newest step. */
  get cursor(): number {
    return this.#cursor;
  }

  emit(event: ConsoleEvent, audience: Audience): void {
    const step = { cursor: (this.#cursor += 1), text: JSON.stringify(event), audience };
    this.#steps.push(step);
    this.#length += step.text.length;
    while (this.#isOver) this.#length -= this.#steps.shift()?.text.length ?? 0;
    for (const { reader, stream } of this.#readers) send(stream, reader, step);
  }

  /** Sends what came after `after`, or from now on, and what comes until the stream closes. */
  attach(stream: EventStream, reader: Reader, after: number | undefined): Disposable {
    const open = { reader, stream };
    const oldest = this.#steps[0]?.cursor ?? this.#cursor + 1;
    const isKnown = after === undefined || (after >= oldest - 1 && after <= this.#cursor);
    if (!isKnown) {
      const reset: ConsoleEvent = { kind: 'reset' };
      stream.sendText('message', JSON.stringify(reset), this.#cursor);
    }
    const seen = isKnown ? (after ?? this.#cursor) : this.#cursor;
    for (const step of this.#steps.slice(Math.max(0, seen - oldest + 1))) {
      send(stream, reader, step);
    }
    this.#readers.add(open);
    return { [Symbol.dispose]: () => void this.#readers.delete(open) };
  }

  get #isOver(): boolean {
    const { kept, keptLength } = this.#limits;
    return this.#steps.length > kept || (this.#steps.length > 1 && this.#length > keptLength);
  }
}

function send(stream: EventStream, reader: Reader, { audience, text, cursor }: Step): void {
  if (mayRead(reader, audience)) stream.sendText('message', text, cursor);
}
