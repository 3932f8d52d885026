// The SDK's transport interface over the socket of a broker. To its user, the shared server looks like a process of this
// host, including its stderr and its exit. Closing leaves the server running for other hosts.

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { type Clock, deadline, never } from '@plugboard/base';
import type { ProcessLedger } from '../../platform/index.ts';
import { failedAnswer } from '../frame/failed-answer.ts';
import type { SplitLine } from '../frame/line-splitter.ts';
import { type Frame, readFrame } from '../frame/read-frame.ts';
import { OutputEvidence } from '../frame/output-evidence.ts';
import { drained, writeLine } from '../frame/write-line.ts';
import { FailureError, type ProcessEvidence, type ProtocolFailure } from '../neutral/failure.ts';
import type { Root } from '../neutral/roots.ts';
import { brokerTerms, type SharedLaunch } from './broker-terms.ts';
import { brokerFailed, type BrokerConnection, reachBroker } from './reach-broker.ts';
import { readFromBroker, type ToHost } from './terms.ts';
import type { OutputRecorder } from '../trace/recorder.ts';

export interface SharedPorts {
  readonly clock: Clock;
  readonly ledger: ProcessLedger | undefined;
  readonly recorder?: OutputRecorder | undefined;
  /** The broker's program, in case it has to be started. */
  readonly program: string;
  readonly roots: readonly Root[] | undefined;
  /** Aborts connecting to the broker. */
  readonly signal: AbortSignal;
}

const FAREWELL_MS = 500;

export class SharedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  /** Length of the line that was sent or received last. */
  lastBytes = 0;
  /** Resolves when a running broker was joined, or has to be started. */
  readonly brokerChecked: Promise<void>;

  readonly #launch: SharedLaunch;
  readonly #ports: SharedPorts;
  readonly #evidence = new OutputEvidence();
  readonly #giveUp = new AbortController();
  /** Requests that are not answered yet. */
  readonly #waiting = new Set<unknown>();
  #isOutdated = false;
  #onBrokerChecked: () => void = () => {};
  #joined: BrokerConnection | undefined;
  #end: ProtocolFailure | undefined;
  #starting: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(launch: SharedLaunch, ports: SharedPorts) {
    this.brokerChecked = new Promise((resolve) => {
      this.#onBrokerChecked = resolve;
    });
    this.#launch = launch;
    this.#ports = ports;
  }

  /** Why the connection ended, once it has. */
  get end(): ProtocolFailure | undefined {
    return this.#end;
  }

  /** The server had answered another host before this one joined. */
  get isRunning(): boolean {
    return this.#joined?.greeting.isRunning === true;
  }

  /** The server's answer to the handshake of another host. */
  get handshake(): unknown {
    return this.#joined?.greeting.handshake;
  }

  evidence(): ProcessEvidence {
    return this.#evidence.all;
  }

  /** Connects to the broker ahead of `start`, while the client is still being loaded. */
  begin(): void {
    this.#starting ??= this.#reach().finally(this.#onBrokerChecked);
    // `start` reports the failure.
    this.#starting.catch(() => {});
  }

  async start(): Promise<void> {
    this.begin();
    await this.#starting;
    if (this.#end !== undefined) throw new FailureError(this.#end);
    this.#listen();
  }

  send(message: JSONRPCMessage): Promise<void> {
    const socket = this.#joined?.socket;
    if (socket === undefined || this.#end !== undefined) {
      return Promise.reject(new FailureError(this.#end ?? { kind: 'closed' }));
    }
    this.#noteSent(message);
    const line = `${JSON.stringify(message)}\n`;
    this.lastBytes = line.length - 1;
    return writeLine(socket, line) ? SENT : drained(socket);
  }

  /** Tracks pending requests. Other roots require another server process, but pending requests are awaited first. */
  #noteSent(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message) this.#waiting.add(message.id);
    else if (message.method === 'notifications/cancelled')
      this.#settle(message.params?.['requestId']);
    else if (message.method === 'notifications/roots/list_changed') {
      this.#isOutdated = true;
      this.#settle(undefined);
    }
  }

  #settle(id: unknown): void {
    this.#waiting.delete(id);
    if (!this.#isOutdated || this.#waiting.size > 0 || this.#end !== undefined) return;
    this.#end = { kind: 'session-expired', url: '', status: 0 };
    // Reported before the socket closes, so that the next call does not get this session.
    this.onclose?.();
    this.#closing ??= this.#leave();
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish({ kind: 'closed' });
    return this.#closing;
  }

  async #reach(): Promise<void> {
    const { program, roots, clock, ledger } = this.#ports;
    const terms = await brokerTerms(this.#launch, roots);
    if (!terms.ok) throw this.#failed(brokerFailed(terms.error));
    const signal = AbortSignal.any([this.#ports.signal, this.#giveUp.signal]);
    const onAbsent = this.#onBrokerChecked;
    const reached = await reachBroker(program, terms.value, { clock, ledger, signal, onAbsent });
    if (!reached.ok) throw this.#failed(reached.error);
    this.#joined = reached.value;
    if (this.#closing === undefined) return;
    reached.value.socket.destroy();
    throw new FailureError({ kind: 'closed' });
  }

  #failed(failure: ProtocolFailure): FailureError {
    this.#end ??= failure;
    return new FailureError(this.#end);
  }

  #listen(): void {
    const joined = this.#joined;
    if (joined === undefined) return;
    const { socket, splitter, greeting, firstLines } = joined;
    this.#evidence.restore(greeting.evidence);
    socket.on('data', (chunk: Buffer) => splitter.push(chunk, this.#onLine));
    socket.once('close', () => {
      // The broker did not report an end: it was killed, and the server with it.
      const exit = { code: null, signal: null };
      this.#closing ??= this.#finish({ kind: 'exited', exit, evidence: this.evidence() });
    });
    firstLines.forEach(this.#onLine);
    socket.resume();
  }

  readonly #onLine = (line: SplitLine): void => {
    if (line.kind === 'oversize') {
      void this.close();
      return;
    }
    const terms = readFromBroker(line.text);
    if (terms !== undefined) {
      this.#onTerms(terms);
      return;
    }
    this.lastBytes = line.text.length;
    this.#onFrame(readFrame(line.text));
  };

  #onTerms(terms: ToHost): void {
    const { recorder } = this.#ports;
    switch (terms.plugboard) {
      case 'stderr':
        this.#evidence.addStderr(terms.text);
        if (terms.isYours) recorder?.stderr(terms.text);
        break;
      case 'stray':
        this.#evidence.addStray(terms.text);
        if (terms.isYours) recorder?.stray(terms.text);
        break;
      case 'failed':
        this.onmessage?.(failedAnswer(terms.id, terms.failure));
        this.#settle(terms.id);
        break;
      case 'ended':
        this.#closing ??= this.#finish(terms.failure);
        break;
      case 'state':
      case 'joined':
      case 'refused':
        break;
      default:
        terms satisfies never;
    }
  }

  /** The broker has sorted the output of the server, so only messages arrive. */
  #onFrame(frame: Frame): void {
    if (frame.kind !== 'message') return;
    const { message } = frame;
    this.onmessage?.(message);
    if (!('method' in message)) this.#settle(message.id);
  }

  async #finish(end: ProtocolFailure): Promise<void> {
    this.#end ??= end;
    this.#giveUp.abort();
    try {
      await this.#starting?.catch(() => {});
      await this.#leave();
    } finally {
      this.onclose?.();
    }
  }

  /** Closes the socket after the last messages, such as the cancellation of a call. */
  async #leave(): Promise<void> {
    const socket = this.#joined?.socket;
    if (socket === undefined || socket.closed) return;
    using limit = deadline(FAREWELL_MS, this.#ports.clock, never);
    limit.signal.addEventListener('abort', () => socket.destroy(), { once: true });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resume();
    socket.end();
    await closed;
  }
}

const SENT = Promise.resolve();
