// The listener for all messages of a server and for the other output of a local server. Implementations must be quick and
// must not throw.

import type { Instant } from '@plugboard/base';

export interface FrameRecord {
  readonly at: Instant;
  readonly direction: 'sent' | 'received';
  /** `failed`: the message could not be sent, or was refused. */
  readonly kind: 'request' | 'notification' | 'result' | 'error' | 'failed';
  /** For an answer, the method of the request. */
  readonly method?: string | undefined;
  readonly id?: string | number | undefined;
  /** Approximate size of the message. */
  readonly bytes: number;
  /** For an answer, how long it took. */
  readonly ms?: number | undefined;
  /** For an error or a failure, its code or the HTTP status. */
  readonly code?: number | undefined;
  /** The message with possible secrets hidden, if bodies are kept. */
  readonly body?: string | undefined;
}

export interface Recorder extends OutputRecorder {
  /** `lines`: only output beside messages; `metadata`: messages, too, but not their bodies. */
  readonly keeps: 'lines' | 'metadata' | 'bodies';
  frame(record: FrameRecord): void;
}

/** The listener for the output of a local server beside messages. */
export interface OutputRecorder {
  /** Receives a chunk of a local server's stderr. */
  stderr(text: string): void;
  /** Receives a line on a local server's stdout that is not a message. */
  stray(line: string): void;
}
