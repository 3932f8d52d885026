// The SDK's transport interface over a WebSocket, with one JSON-RPC message per WebSocket message. A message that is too
// large, broken or nested too deep fails its request, if its id is readable. A message beyond a second limit ends the
// connection.

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { type Clock, codeOf, delay, never } from '@plugboard/base';
import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { failedAnswer, refusedRequest, UNREADABLE } from '../frame/failed-answer.ts';
import { FailureError, type ProtocolFailure } from '../neutral/failure.ts';
import type { AuthorizationVerdict, RepeatReason } from '../neutral/authorization.ts';
import { httpUrl, type RemoteLaunch } from '../neutral/launch.ts';
import { type Network, networkOf } from '../network/network.ts';
import { networkCodeOf } from '../network/network-code.ts';
import { MAX_MESSAGE_BYTES } from '../frame/limits.ts';
import { type Frame, idOfOversizeAnswer, readFrame } from '../frame/read-frame.ts';
import { shownUrl } from '../network/shown-url.ts';
import { MOST_REPEATS } from './authorized-fetch.ts';
import { failureOfClose, failureOfResponse } from './socket-end.ts';
import { headersOf, judgeUpgrade, type UpgradeRefusal } from './socket-upgrade.ts';
import { UntakenAnswers } from './untaken-answers.ts';

const SUBPROTOCOL = 'mcp';
/** Messages up to this size are received, to find the request that they answer. */
const MAX_RECEIVED_BYTES = 4 * MAX_MESSAGE_BYTES;
const EDGE_BYTES = 512;
/** How long a server may take for the closing handshake. */
const FAREWELL_MS = 300;

export class WsTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  /** The text of the message that is being delivered. */
  lastLine: string | undefined;

  readonly #launch: RemoteLaunch;
  readonly #url: string;
  readonly #clock: Clock;
  readonly #network: Network;
  readonly #untaken: UntakenAnswers;
  #socket: WebSocket | undefined;
  #gone: Promise<unknown> = Promise.resolve();
  #end: ProtocolFailure | undefined;
  #closing: Promise<void> | undefined;

  constructor(launch: RemoteLaunch, clock: Clock) {
    this.#launch = launch;
    this.#url = shownUrl(launch);
    this.#clock = clock;
    this.#network = networkOf(launch.network);
    this.#untaken = new UntakenAnswers({
      clock,
      pause: () => this.#socket?.pause(),
      resume: () => this.#socket?.resume(),
      giveUp: (failure) => this.#giveUp(failure),
    });
  }

  /** Why the connection ended, once it has. */
  get end(): ProtocolFailure | undefined {
    return this.#end;
  }

  async start(): Promise<void> {
    const { authorization } = this.#launch;
    // A socket is opened by an HTTP request, to which proofs of possession refer.
    const request = { method: 'GET', url: new URL(httpUrl(this.#launch.url)) };
    for (const repeats: RepeatReason[] = []; ;) {
      const given = (await authorization?.headersFor(request, never)) ?? {};
      const refusal = await this.#connect(given);
      if (refusal === undefined) return;
      const verdict = await judgeUpgrade(refusal, { ...request, given, repeats }, authorization);
      if (verdict.kind !== 'repeat' || repeats.length >= MOST_REPEATS) {
        this.#refuse(refusal, verdict);
      }
      repeats.push(verdict.why);
    }
  }

  send(message: JSONRPCMessage): Promise<void> {
    const socket = this.#socket;
    if (socket === undefined || this.#end !== undefined) {
      return Promise.reject(new FailureError(this.#end ?? { kind: 'closed' }));
    }
    const text = JSON.stringify(message);
    const sending = new Promise<void>((resolve, reject) => {
      const fail = (): void => reject(new FailureError(this.#end ?? { kind: 'closed' }));
      socket.send(text, (error) => {
        if (error === undefined || error === null) resolve();
        else if (socket.readyState === WebSocket.CLOSED) fail();
        // The socket is being closed; the reason is known afterwards.
        else void this.#whenGone(fail);
      });
    });
    if (!('method' in message)) this.#untaken.add(text.length, sending);
    return sending;
  }

  async #whenGone(fail: () => void): Promise<void> {
    await this.#gone;
    fail();
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  /** Returns the server's refusal, or `undefined` if the socket is open. */
  async #connect(given: Readonly<Record<string, string>>): Promise<UpgradeRefusal | undefined> {
    const connection = await this.#dial();
    const socket = new WebSocket(this.#launch.url, SUBPROTOCOL, {
      headers: { ...this.#launch.headers, ...given },
      maxPayload: MAX_RECEIVED_BYTES,
      // Decompression could turn a small message into one that fills the memory.
      perMessageDeflate: false,
      // The library would queue pongs without a limit for a server that does not read.
      autoPong: false,
      createConnection: () => connection,
    });
    let refusal: UpgradeRefusal | undefined;
    this.#socket = socket;
    this.#gone = new Promise((resolve) => socket.once('close', resolve));
    socket.on('message', (data: Buffer) => this.#onData(data));
    socket.on('ping', (data) => {
      if (socket.readyState !== WebSocket.OPEN) return;
      const sending = new Promise<void>((resolve) => {
        socket.pong(data, undefined, () => resolve());
      });
      this.#untaken.add(data.length, sending);
    });
    socket.on('error', (error) => {
      if (refusal === undefined) this.#onFailure(error);
    });
    socket.on('unexpected-response', (_request, response) => {
      refusal = { status: response.statusCode ?? 0, headers: headersOf(response.headers) };
      socket.terminate();
    });
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(undefined));
      socket.once('close', (code) => {
        if (refusal !== undefined) {
          resolve(refusal);
          return;
        }
        this.#end ??= failureOfClose(code, this.#url);
        reject(new FailureError(this.#end));
        void this.close();
      });
    });
  }

  #refuse({ status, headers }: UpgradeRefusal, verdict: AuthorizationVerdict): never {
    const contentType = headers.get('content-type') ?? '';
    const failure = failureOfResponse({ status, contentType }, this.#url);
    this.#end ??=
      failure.kind === 'unauthorized' && verdict.kind === 'refused'
        ? { ...failure, reason: verdict.problem }
        : failure;
    void this.close();
    throw new FailureError(this.#end);
  }

  async #dial(): Promise<Socket> {
    try {
      if (this.#closing !== undefined) throw new FailureError({ kind: 'closed' });
      return await this.#network.connect(new URL(this.#launch.url));
    } catch (thrown) {
      this.#onFailure(thrown);
      throw new FailureError(this.#end ?? { kind: 'closed' });
    }
  }

  #onData(data: Buffer): void {
    if (data.length > MAX_MESSAGE_BYTES) {
      const failure = { kind: 'too-large', bytes: data.length, limit: MAX_MESSAGE_BYTES } as const;
      if (!this.#failRequest(data, failure)) this.#giveUp(failure);
      return;
    }
    this.lastLine = data.toString('utf8');
    this.#onFrame(readFrame(this.lastLine), data);
    this.lastLine = undefined;
  }

  #onFrame(frame: Frame, data: Buffer): void {
    switch (frame.kind) {
      case 'message':
        this.onmessage?.(frame.message);
        break;
      case 'batch':
        for (const sorted of frame.sorted) this.#onFrame(sorted, data);
        break;
      case 'unsound-request':
        // Fails only if the server has ended, which is reported elsewhere.
        this.send(refusedRequest(frame.id)).catch(() => {});
        break;
      case 'unsound-answer':
        this.onmessage?.(failedAnswer(frame.id, { kind: 'invalid-result', detail: frame.detail }));
        break;
      case 'blank':
        break;
      case 'broken':
      case 'stray':
        if (!this.#failRequest(data, UNREADABLE)) this.onerror?.(new FailureError(UNREADABLE));
        break;
      default:
        frame satisfies never;
    }
  }

  /** Returns false if the message does not show which request it answers. */
  #failRequest(data: Buffer, failure: ProtocolFailure): boolean {
    const id = idOfOversizeAnswer({
      head: data.toString('utf8', 0, EDGE_BYTES),
      tail: data.toString('utf8', Math.max(0, data.length - EDGE_BYTES)),
    });
    if (id === undefined) return false;
    this.onmessage?.(failedAnswer(id, failure));
    return true;
  }

  #onFailure(thrown: unknown): void {
    this.#end ??= failureOf(thrown, this.#url);
    this.onerror?.(new FailureError(this.#end));
  }

  #giveUp(failure: ProtocolFailure): void {
    this.#end ??= failure;
    void this.close();
  }

  async #finish(): Promise<void> {
    this.#end ??= { kind: 'closed' };
    const socket = this.#socket;
    try {
      if (socket !== undefined && socket.readyState !== WebSocket.CLOSED) {
        socket.close(1000);
        await Promise.race([this.#gone, delay(FAREWELL_MS, this.#clock, never)]);
        socket.terminate();
      }
      await this.#network.close();
    } finally {
      this.onclose?.();
    }
  }
}

function failureOf(thrown: unknown, url: string): ProtocolFailure {
  if (thrown instanceof FailureError) return thrown.failure;
  if (codeOf(thrown) === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') {
    // The message was not received; its size is only known to be larger than this.
    return { kind: 'too-large', bytes: MAX_RECEIVED_BYTES + 1, limit: MAX_MESSAGE_BYTES };
  }
  const code = networkCodeOf(thrown);
  // Errors of the network and of the WebSocket protocol have a code. An error without one is an unexpected answer of the
  // server.
  return code === 'UNKNOWN'
    ? { kind: 'not-mcp', url, contentType: '' }
    : { kind: 'unreachable', url, code };
}
