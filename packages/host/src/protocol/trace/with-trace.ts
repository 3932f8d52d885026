// A transport over another transport that reports every message to a recorder. It neither changes nor delays messages.

import type {
  JSONRPCMessage,
  MessageExtraInfo,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import { type Clock, isObject } from '@plugboard/base';
import type { AnswerTexts } from '../frame/answer-texts.ts';
import { redact } from './redact.ts';
import type { FrameRecord, Recorder } from './recorder.ts';
import { sizeOf } from './size-of.ts';

/** A transport that may provide sizes and texts of messages. */
export interface TraceableTransport extends Transport {
  /** The size in bytes of the message that was sent or received last. */
  readonly lastBytes?: number;
  /** The text of the message that is being delivered, if the transport has it. */
  readonly lastLine?: string | undefined;
  /** The texts of results, if the transport has them before the SDK delivers the messages. */
  readonly texts?: AnswerTexts | undefined;
}

export function withTrace(
  transport: TraceableTransport,
  ports: { readonly recorder: Recorder; readonly clock: Clock },
): TraceableTransport {
  return new TracedTransport(transport, ports.recorder, ports.clock);
}

interface PendingRequest {
  readonly method: string;
  readonly at: number;
}

/** Further unanswered requests are not tracked. */
const MAX_PENDING = 1000;

class TracedTransport implements TraceableTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #inner: TraceableTransport;
  readonly #recorder: Recorder;
  readonly #clock: Clock;
  readonly #pending = new Map<string | number, PendingRequest>();

  constructor(inner: TraceableTransport, recorder: Recorder, clock: Clock) {
    this.#inner = inner;
    this.#recorder = recorder;
    this.#clock = clock;
    inner.onmessage = (message: JSONRPCMessage, extra?: MessageExtraInfo) => {
      this.#note('received', message);
      this.onmessage?.(message, extra);
    };
    inner.onerror = (error) => this.onerror?.(error);
    inner.onclose = () => this.onclose?.();
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  get texts(): AnswerTexts | undefined {
    return this.#inner.texts;
  }

  get lastLine(): string | undefined {
    return this.#inner.lastLine;
  }

  get hasPerRequestStream(): boolean {
    return this.#inner.hasPerRequestStream === true;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#inner.setSupportedProtocolVersions?.(versions);
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const sending = this.#inner.send(message, options);
    // After sending has begun, because then the transport has the length of the message.
    this.#note('sent', message);
    sending.catch((thrown: unknown) => this.#noteFailure(message, thrown));
    return sending;
  }

  #note(direction: FrameRecord['direction'], message: JSONRPCMessage): void {
    const id = 'id' in message ? message.id : undefined;
    const isAnswer = !('method' in message);
    const request = isAnswer && id !== undefined ? this.#pending.get(id) : undefined;
    const now = this.#clock.elapsed();
    this.#recorder.frame({
      at: this.#clock.now(),
      direction,
      kind: kindOf(message, id),
      method: isAnswer ? request?.method : message.method,
      id,
      bytes: this.#inner.lastBytes ?? sizeOf(message),
      ms: request === undefined ? undefined : Math.round(now - request.at),
      code: 'error' in message ? codeIn(message.error) : undefined,
      body: this.#recorder.keeps === 'bodies' ? redact(message) : undefined,
    });
    if (id === undefined) return;
    if (isAnswer) this.#pending.delete(id);
    else if (direction === 'sent') this.#track(id, { method: message.method, at: now });
  }

  #track(id: string | number, request: PendingRequest): void {
    if (this.#pending.size < MAX_PENDING) this.#pending.set(id, request);
  }

  #noteFailure(message: JSONRPCMessage, thrown: unknown): void {
    const id = 'id' in message ? message.id : undefined;
    if (id !== undefined) this.#pending.delete(id);
    this.#recorder.frame({
      at: this.#clock.now(),
      direction: 'sent',
      kind: 'failed',
      method: 'method' in message ? message.method : undefined,
      id,
      bytes: 0,
      code: statusOf(thrown),
    });
  }
}

function kindOf(message: JSONRPCMessage, id: unknown): FrameRecord['kind'] {
  if ('method' in message) return id === undefined ? 'notification' : 'request';
  return 'error' in message ? 'error' : 'result';
}

/** Accepts any value as an error: recording must not fail over it. */
function codeIn(error: unknown): number | undefined {
  return isObject(error) && typeof error['code'] === 'number' ? error['code'] : undefined;
}

/** SDK errors contain the status, ours contain a failure with the status. */
function statusOf(thrown: unknown): number | undefined {
  if (!isObject(thrown)) return undefined;
  const { status, failure } = thrown;
  if (typeof status === 'number') return status;
  return isObject(failure) && typeof failure['status'] === 'number' ? failure['status'] : undefined;
}
