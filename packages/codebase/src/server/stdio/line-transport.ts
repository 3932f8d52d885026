// The protocol over a pair of streams, one message per line. Unlike the transport of the SDK, it answers invalid messages as
// JSON-RPC requires, survives a line that is too long, and answers pending requests after its input has ended, so that
// requests can be piped in. A client of the legacy era has to send `initialize` first, and only once.

import { StringDecoder } from 'node:string_decoder';
import {
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { type Clock, messageOf } from '@plugboard/base';
import type { StandardStreams } from '../../platform/index.ts';
import { type ErrorReply, readMessage } from '../wire/read-message.ts';

/** How long answers may take once the input has ended. */
const GRACE_MS = 2000;
const LONGEST_LINE = 4 * 1024 * 1024;
const OUT_OF_ORDER = -32_000;
/** The key of the revision in requests of the modern era. */
const REVISION = 'io.modelcontextprotocol/protocolVersion';

export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #streams: StandardStreams;
  readonly #clock: Clock;
  readonly #unanswered = new Set<RequestId>();
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';
  /** The current line is too long; its rest is skipped. */
  #isSkipping = false;
  #hasEnded = false;
  #isClosed = false;
  /** The id of the `initialize` request that began the session. */
  #initializeId: RequestId | undefined;

  constructor(streams: StandardStreams, clock: Clock) {
    this.#streams = streams;
    this.#clock = clock;
  }

  start(): Promise<void> {
    const { input } = this.#streams;
    input.on('data', this.#take);
    input.on('error', this.#fail);
    input.once('end', this.#end);
    input.once('close', this.#end);
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    try {
      await this.#streams.write(`${JSON.stringify(message)}\n`);
    } catch (thrown) {
      // The client no longer reads.
      this.#fail(thrown);
      await this.close();
    }
    if (!isJSONRPCResponse(message) || message.id === undefined) return;
    this.#unanswered.delete(message.id);
    // A refused `initialize` does not begin a session.
    if (message.id === this.#initializeId && 'error' in message) this.#initializeId = undefined;
    if (this.#hasEnded && this.#unanswered.size === 0) await this.close();
  }

  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    const { input } = this.#streams;
    input.off('data', this.#take);
    input.off('end', this.#end);
    input.off('close', this.#end);
    input.pause();
    this.onclose?.();
    return Promise.resolve();
  }

  readonly #end = (): void => {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#unanswered.size === 0) void this.close();
    else this.#clock.after(GRACE_MS, () => void this.close());
  };

  readonly #fail = (thrown: unknown): void =>
    this.onerror?.(thrown instanceof Error ? thrown : new Error(messageOf(thrown)));

  readonly #take = (piece: Buffer): void => {
    const lines = this.#decoder.write(piece).split('\n');
    const rest = lines.pop() ?? '';
    for (const line of lines) {
      const whole = this.#rest + line;
      this.#rest = '';
      if (this.#isSkipping) this.#isSkipping = false;
      else this.#takeLine(whole);
    }
    if (this.#isSkipping) return;
    this.#rest += rest;
    if (this.#rest.length <= LONGEST_LINE) return;
    this.#takeLine(this.#rest);
    this.#rest = '';
    this.#isSkipping = true;
  };

  #takeLine(line: string): void {
    if (line.trim() === '' || this.#isClosed) return;
    const read = readMessage(line, LONGEST_LINE);
    if (read.kind === 'refused') this.#answer(read.reply);
    else for (const message of read.messages) this.#deliver(message);
  }

  #deliver(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) {
      const refusal = this.#refusal(message);
      if (refusal !== undefined) {
        const error = { code: OUT_OF_ORDER, message: refusal };
        this.#answer({ jsonrpc: '2.0', id: message.id, error });
        return;
      }
      if (message.method === 'initialize') this.#initializeId = message.id;
      // This request is answered only when its subscription ends.
      if (message.method !== 'subscriptions/listen') this.#unanswered.add(message.id);
    } else if ('method' in message && message.method === 'notifications/cancelled') {
      // A cancelled request may never be answered.
      const id = message.params?.['requestId'];
      if (typeof id === 'string' || typeof id === 'number') this.#unanswered.delete(id);
    }
    this.onmessage?.(message);
  }

  /** Requests of the modern era contain their revision, and need no initialization. */
  #refusal({ method, params }: JSONRPCRequest): string | undefined {
    if (method === 'initialize') {
      return this.#initializeId === undefined ? undefined : 'the session is initialized already';
    }
    const isModern = params?._meta?.[REVISION] !== undefined;
    if (isModern || method === 'ping' || this.#initializeId !== undefined) return undefined;
    return `the session is not initialized: send initialize before ${method}`;
  }

  #answer(reply: ErrorReply): void {
    this.#streams.write(`${JSON.stringify(reply)}\n`).catch(this.#fail);
  }
}
