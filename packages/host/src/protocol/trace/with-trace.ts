// A transport that reports every frame to a recorder, over any transport below. It neither changes nor delays a
// frame: it records a few numbers and a name.

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

/** A transport that may know the size in bytes of the last frame that it sent or received. */
export interface TraceableTransport extends Transport {
  readonly lastBytes?: number;
  /** The text of the message that is being delivered, where the transport has it. */
  readonly lastLine?: string | undefined;
  /** The texts of results, where the transport hears of them before the SDK delivers the messages. */
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

/** Beyond this many, requests that the server has not answered are dropped. */
const MAX_ASKED = 1000;

class TracedTransport implements TraceableTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #inner: TraceableTransport;
  readonly #recorder: Recorder;
  readonly #clock: Clock;
  readonly #asked = new Map<string | number, PendingRequest>();

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
    // After sending has begun: by then a transport that serializes the message knows its length.
    this.#note('sent', message);
    sending.catch((thrown: unknown) => this.#noteFailure(message, thrown));
    return sending;
  }

  #note(direction: FrameRecord['direction'], message: JSONRPCMessage): void {
    const id = 'id' in message ? message.id : undefined;
    const isAnswer = !('method' in message);
    const asked = isAnswer && id !== undefined ? this.#asked.get(id) : undefined;
    const now = this.#clock.elapsed();
    this.#recorder.frame({
      at: this.#clock.now(),
      direction,
      kind: kindOf(message, id),
      method: isAnswer ? asked?.method : message.method,
      id,
      bytes: this.#inner.lastBytes ?? sizeOf(message),
      ms: asked === undefined ? undefined : Math.round(now - asked.at),
      code: 'error' in message ? codeIn(message.error) : undefined,
      body: this.#recorder.keepsBodies ? redact(message) : undefined,
    });
    if (id === undefined) return;
    if (isAnswer) this.#asked.delete(id);
    else if (direction === 'sent') this.#expect(id, { method: message.method, at: now });
  }

  #expect(id: string | number, asked: PendingRequest): void {
    if (this.#asked.size < MAX_ASKED) this.#asked.set(id, asked);
  }

  #noteFailure(message: JSONRPCMessage, thrown: unknown): void {
    const id = 'id' in message ? message.id : undefined;
    if (id !== undefined) this.#asked.delete(id);
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

/** SDK errors hold the status themselves, ours in the failure that they carry. */
function statusOf(thrown: unknown): number | undefined {
  if (!isObject(thrown)) return undefined;
  const { status, failure } = thrown;
  if (typeof status === 'number') return status;
  return isObject(failure) && typeof failure['status'] === 'number' ? failure['status'] : undefined;
}
