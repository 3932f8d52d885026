// The listener for every frame on a wire, and for other output of a local server. Implementations must be quick
// and must not throw.

import type { Instant } from '@plugboard/base';

export interface FrameRecord {
  readonly at: Instant;
  readonly direction: 'sent' | 'received';
  /** `failed`: a frame that could not be sent, or was refused. */
  readonly kind: 'request' | 'notification' | 'result' | 'error' | 'failed';
  /** Of an answer: the method of the request. */
  readonly method?: string | undefined;
  readonly id?: string | number | undefined;
  /** Approximate size of the message. */
  readonly bytes: number;
  /** Of an answer: how long it took. */
  readonly ms?: number | undefined;
  /** Of an error or a failure: its code, or the HTTP status. */
  readonly code?: number | undefined;
  /** The message with possible secrets hidden, if bodies are kept. */
  readonly body?: string | undefined;
}

export interface Recorder {
  /** What is written beside messages is all that is wanted. */
  readonly isOfLines?: boolean;
  /** Whether message bodies are wanted, not only their metadata. */
  readonly keepsBodies: boolean;
  frame(record: FrameRecord): void;
  /** A chunk of what a local server wrote to stderr. */
  stderr(text: string): void;
  /** A line on a local server's stdout that is not a message. */
  stray(line: string): void;
}
