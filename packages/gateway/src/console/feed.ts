// The feed of the console: changes in order, each with a number from which a reader can continue. The latest steps are
// kept; a reader that was away for longer gets `reset`. A reader that does not read is disconnected, and reconnects
// with its number.

import type { Clock } from '@plugboard/base';
import { type Audience, mayRead, type Reader } from '../client/index.ts';
import type { ConsoleEvent } from '../console-api.ts';
import type { EventStream } from '../front/index.ts';

interface Step {
  readonly cursor: number;
  readonly text: string;
  readonly audience: Audience;
}

interface Subscriber {
  readonly reader: Reader;
  readonly stream: EventStream;
}

/** The number of kept steps, and their length in total. */
export interface FeedLimits {
  readonly kept: number;
  readonly keptLength: number;
}

const LIMITS: FeedLimits = { kept: 5000, keptLength: 4 * 1024 * 1024 };
/** More steps per millisecond than this would let the numbers of one gateway reach those of the next. */
const STEPS_PER_MS = 1000;

export class Feed {
  readonly #limits: FeedLimits;
  readonly #steps: Step[] = [];
  readonly #subscribers = new Set<Subscriber>();
  #length = 0;
  #cursor: number;

  /** Numbers begin with the time, so that all numbers of an earlier gateway are lower. */
  constructor(clock: Clock, limits: FeedLimits = LIMITS) {
    this.#cursor = clock.now() * STEPS_PER_MS;
    this.#limits = limits;
  }

  /** The number of the newest step. */
  get cursor(): number {
    return this.#cursor;
  }

  emit(event: ConsoleEvent, audience: Audience): void {
    const step = { cursor: (this.#cursor += 1), text: JSON.stringify(event), audience };
    this.#steps.push(step);
    this.#length += step.text.length;
    while (this.#isOver) this.#length -= this.#steps.shift()?.text.length ?? 0;
    for (const { reader, stream } of this.#subscribers) send(stream, reader, step);
  }

  /** Sends the steps after `after`, or only new ones, until disposed. */
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
    this.#subscribers.add(open);
    return { [Symbol.dispose]: () => void this.#subscribers.delete(open) };
  }

  get #isOver(): boolean {
    const { kept, keptLength } = this.#limits;
    return this.#steps.length > kept || (this.#steps.length > 1 && this.#length > keptLength);
  }
}

function send(stream: EventStream, reader: Reader, { audience, text, cursor }: Step): void {
  if (mayRead(reader, audience)) stream.sendText('message', text, cursor);
}
