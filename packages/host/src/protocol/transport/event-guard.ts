// Watches an event stream on its way to the SDK: an event that is too large or nests too deep is left
// out and reported, the others pass. How soon the server wants to be asked again is bounded. It also says how the stream ended, and whether something that
// could be an answer came before.

import type { ProtocolFailure } from '../neutral/failure.ts';
import { DepthMeter } from '@plugboard/base';
import { MAX_DEPTH } from '../frame/limits.ts';
import { UNREADABLE } from '../frame/failed-answer.ts';
import { judgeEvent, type Written } from './judge-event.ts';
import { LineSplitter, type SplitLine } from '../frame/line-splitter.ts';

/** What was kept of an event that was left out: enough to find out which request it answered. */
export interface Edges {
  readonly head: string;
  readonly tail: string;
}

export interface StreamEnd {
  /** What cut the stream off, where it did not end by itself. */
  readonly thrown: unknown;
  readonly mayHaveAnswered: boolean;
  /** Events had ids, so that the stream can be taken up again. */
  readonly isResumable: boolean;
}

export interface EventWatch {
  /** What reading on has to wait for. */
  readonly reading?: Promise<void> | undefined;
  onRefused(failure: ProtocolFailure, edges: Edges): void;
  /** A message passes as it came. */
  onMessage?(written: Written): void;
  onEnd(end: StreamEnd): void;
}

export function guardEvents(
  body: ReadableStream<Uint8Array>,
  limit: number,
  watch: EventWatch,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const guard = new EventGuard(limit, watch);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        for (;;) {
          if (watch.reading !== undefined) await watch.reading;
          const { done, value } = await reader.read();
          if (done) {
            guard.end(undefined);
            controller.close();
            return;
          }
          const passed = guard.push(value);
          if (passed === '') continue;
          controller.enqueue(Buffer.from(passed));
          return;
        }
      } catch (thrown) {
        guard.end(thrown);
        controller.error(thrown);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

const EDGE_LENGTH = 512;
/** What a kept line costs beside its text; without it, many short ones would cost nearly nothing. */
const LINE_COST = 64;

class EventGuard {
  readonly #limit: number;
  readonly #watch: EventWatch;
  readonly #splitter: LineSplitter;
  #lines: string[] = [];
  #size = 0;
  /** How many of the lines have been measured. */
  #metered = 0;
  #refusal: { readonly failure: ProtocolFailure; readonly edges: Edges } | undefined;
  #meter = new DepthMeter(MAX_DEPTH);
  #passed = '';
  #mayHaveAnswered = false;
  #isResumable = false;

  constructor(limit: number, watch: EventWatch) {
    this.#limit = limit;
    this.#watch = watch;
    this.#splitter = new LineSplitter(limit);
  }

  /** The events that are complete with this piece, as they are to be passed on. */
  push(bytes: Uint8Array): string {
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#splitter.push(piece, this.#onLine);
    return this.#take();
  }

  /** An event without an empty line after it is incomplete, and means nothing. */
  end(thrown: unknown): void {
    const isResumable = this.#isResumable;
    this.#watch.onEnd({ thrown, isResumable, mayHaveAnswered: this.#mayHaveAnswered });
  }

  #take(): string {
    const passed = this.#passed;
    this.#passed = '';
    return passed;
  }

  readonly #onLine = (line: SplitLine): void => {
    if (line.kind === 'oversize') {
      const { bytes, head, tail } = line;
      this.#refuse({ kind: 'too-large', bytes, limit: this.#limit }, { head, tail });
      return;
    }
    // A carriage return alone ends a line as well.
    if (line.text.includes('\r')) line.text.split('\r').forEach((part) => this.#onText(part));
    else this.#onText(line.text);
  };

  #onText(text: string): void {
    if (text === '') {
      this.#finishEvent();
      return;
    }
    // Comments keep a connection awake and say nothing.
    if (text.startsWith(':') || isUnsendableId(text)) return;
    if (this.#refusal !== undefined) return;
    this.#size += text.length + (this.#lines.length === 0 ? 0 : LINE_COST);
    this.#lines.push(boundedRetry(text));
    if (this.#size > this.#limit) {
      const failure = { kind: 'too-large', bytes: this.#size, limit: this.#limit } as const;
      this.#refuse(failure, edgesOf(this.#lines));
    } else if (this.#size > MAX_DEPTH && this.#isTooDeep()) {
      this.#refuse(UNREADABLE, edgesOf(this.#lines));
    }
  }

  /** Most events are shorter than the levels allowed, and are never measured. */
  #isTooDeep(): boolean {
    const unseen = this.#lines.slice(this.#metered).filter(isData);
    this.#metered = this.#lines.length;
    return unseen.some((line) => this.#meter.isTooDeep(line.slice(DATA.length)));
  }

  #refuse(failure: ProtocolFailure, edges: Edges): void {
    this.#refusal ??= { failure, edges };
    this.#lines = [];
  }

  #finishEvent(): void {
    const refusal = this.#refusal;
    const lines = this.#lines;
    this.#lines = [];
    this.#size = 0;
    this.#metered = 0;
    this.#refusal = undefined;
    this.#meter = new DepthMeter(MAX_DEPTH);
    if (refusal !== undefined) {
      this.#mayHaveAnswered = true;
      this.#watch.onRefused(refusal.failure, {
        head: withoutField(refusal.edges.head),
        tail: refusal.edges.tail,
      });
    } else if (lines.length > 0) {
      this.#judge(lines);
    }
  }

  #judge(lines: readonly string[]): void {
    this.#look(lines);
    const judged = judgeEvent(lines);
    if (judged.kind === 'passed') {
      if (judged.written !== undefined) this.#watch.onMessage?.(judged.written);
      this.#passed += `${judged.lines.join('\n')}\n\n`;
      return;
    }
    const { head, tail } = edgesOf(lines);
    this.#mayHaveAnswered = true;
    this.#watch.onRefused(judged.failure, { head: withoutField(head), tail });
  }

  #look(lines: readonly string[]): void {
    for (const line of lines) {
      if (line.startsWith('id:')) this.#isResumable = true;
      this.#mayHaveAnswered ||= line.includes('"result"') || line.includes('"error"');
    }
  }
}

/** A stream is taken up again by sending its last id as a header, which holds neither every character nor any length. */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]{0,4096}$/;

/** Asking with it fails before anything is sent, and whatever waits for the stream would wait in vain. */
function isUnsendableId(line: string): boolean {
  return line.startsWith('id:') && !SENDABLE.test(line);
}

/** A stream that ends at once would be opened again without a pause; and no timer is longer than 24 days. */
const LEAST_RETRY_MS = 250;
const MOST_RETRY_MS = 10 * 60_000;
const RETRY = /^retry: ?(\d+)$/;

function boundedRetry(line: string): string {
  const ms = RETRY.exec(line)?.[1];
  if (ms === undefined) return line;
  return `retry: ${Math.min(MOST_RETRY_MS, Math.max(LEAST_RETRY_MS, Number(ms)))}`;
}

const DATA = 'data:';

function isData(line: string): boolean {
  return line.startsWith(DATA);
}

function withoutField(head: string): string {
  return isData(head) ? head.slice(DATA.length) : head;
}

function edgesOf(lines: readonly string[]): Edges {
  const data = lines.filter(isData);
  return {
    head: (data[0] ?? '').slice(0, EDGE_LENGTH),
    tail: (data.at(-1) ?? '').slice(-EDGE_LENGTH),
  };
}
