// Who hears of every frame that goes over a wire, and of what a local server says beside it. What is
// done with it is the business of whoever implements it; it must be quick and must not throw.

import type { Instant } from '@plugboard/base';

export interface FrameRecord {
  readonly at: Instant;
  readonly direction: 'sent' | 'received';
  /** `failed`: a frame that could not be sent, or was refused. */
  readonly kind: 'request' | 'notification' | 'result' | 'error' | 'failed';
  /** Of an answer: the method of what it answers. */
  readonly method?: string | undefined;
  readonly id?: string | number | undefined;
  /** Size of the message, about. */
  readonly bytes: number;
  /** Of an answer: how long it took. */
  readonly ms?: number | undefined;
  /** Of an error or a failure: its code, or the HTTP status. */
  readonly code?: number | undefined;
  /** The message with what may be secret hidden, where bodies are kept. */
  readonly body?: string | undefined;
}

export interface Recorder {
  /** Whether messages themselves are wanted, not only what is known about them. */
  readonly keepsBodies: boolean;
  frame(record: FrameRecord): void;
  /** A piece of what a local server wrote to stderr. */
  stderr(text: string): void;
  /** A line that a local server wrote to stdout, though it is no message. */
  stray(line: string): void;
}
