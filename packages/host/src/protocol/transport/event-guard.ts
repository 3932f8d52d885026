// Watches an event stream on its way to the SDK: drops and reports events that are too large or nest too deep, passes the
// others on, and limits the reconnection time. Reports how the stream ended, and whether it may have contained an answer.

import type { ProtocolFailure } from '../neutral/failure.ts';
import { DepthMeter } from '@plugboard/base';
import { MAX_DEPTH } from '../frame/limits.ts';
import { UNREADABLE } from '../frame/failed-answer.ts';
import { judgeEvent, type WrittenMessage } from './judge-event.ts';
import { LineSplitter, type SplitLine } from '../frame/line-splitter.ts';

/** The edges of a dropped event, which may contain the id of its request. */
export interface Edges {
  readonly head: string;
  readonly tail: string;
}

export interface StreamEnd {
  /** The error that interrupted the stream; `undefined` if it ended normally. */
  readonly thrown: unknown;
  readonly mayHaveAnswered: boolean;
  /** The events had ids, so the stream can be resumed. */
  readonly isResumable: boolean;
}

export interface EventWatch {
  /** The next read waits for this. */
  readonly reading?: Promise<void> | undefined;
  onRefused(failure: ProtocolFailure, edges: Edges): void;
  /** Called for a message that is passed on unchanged. */
  onMessage?(written: WrittenMessage): void;
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
/** The memory of a line beside its text, so that many short lines count as well. */
const LINE_COST = 64;

class EventGuard {
  readonly #limit: number;
  readonly #watch: EventWatch;
  readonly #splitter: LineSplitter;
  #lines: string[] = [];
  #size = 0;
  /** How many of the lines were checked for their depth. */
  #checked = 0;
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

  /** Returns the events that this piece completes, in the form to pass on. */
  push(bytes: Uint8Array): string {
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#splitter.push(piece, this.#onLine);
    return this.#take();
  }

  /** Reports the end. An event without an empty line after it is incomplete and ignored. */
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
    // A carriage return alone ends a line, too.
    if (line.text.includes('\r')) line.text.split('\r').forEach((part) => this.#onText(part));
    else this.#onText(line.text);
  };

  #onText(text: string): void {
    if (text === '') {
      this.#finishEvent();
      return;
    }
    // Comments only keep the connection alive.
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

  /** Not called for most events, which are shorter than the maximum depth. */
  #isTooDeep(): boolean {
    const unchecked = this.#lines.slice(this.#checked).filter(isData);
    this.#checked = this.#lines.length;
    return unchecked.some((line) => this.#meter.isTooDeep(line.slice(DATA.length)));
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
    this.#checked = 0;
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
    this.#noteContents(lines);
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

  #noteContents(lines: readonly string[]): void {
    for (const line of lines) {
      if (line.startsWith('id:')) this.#isResumable = true;
      this.#mayHaveAnswered ||= line.includes('"result"') || line.includes('"error"');
    }
  }
}

/** The last id is sent as a header to resume the stream, so its characters and its length are limited. */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]{0,4096}$/;

/** A request with such an id fails before it is sent, so the stream would never be resumed. */
function isUnsendableId(line: string): boolean {
  return line.startsWith('id:') && !SENDABLE.test(line);
}

/** Prevents reconnection without a pause, and times that exceed the 24 days of a timer. */
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
