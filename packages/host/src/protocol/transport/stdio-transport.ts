// The SDK's transport interface over the stdin and stdout of a child process. The process has its own group and a minimal
// environment. Stray output is tolerated and counted, stderr is kept for failure messages, and a line beyond the limit
// fails only its request.

import type { Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { type Clock, delay, never } from '@plugboard/base';
import {
  isOnlyRunner,
  packageRunnerOf,
  type ProcessLedger,
  type RunningProcess,
  spawnProcess,
} from '../../platform/index.ts';
import { FailureError, type ProcessEvidence, type ProtocolFailure } from '../neutral/failure.ts';
import type { StdioLaunch } from '../neutral/launch.ts';
import { LineSplitter, type SplitLine } from '../frame/line-splitter.ts';
import { failedAnswer, refusedRequest, UNREADABLE } from '../frame/failed-answer.ts';
import { MAX_MESSAGE_BYTES } from '../frame/limits.ts';
import { type Frame, idOfOversizeAnswer, readFrame } from '../frame/read-frame.ts';
import { OutputEvidence, SHOWN_LINE_LENGTH } from '../frame/output-evidence.ts';
import { drained, writeLine } from '../frame/write-line.ts';
import type { OutputRecorder } from '../trace/recorder.ts';
import { UntakenAnswers } from './untaken-answers.ts';

/** How long to wait for the last output after the exit, since a grandchild can keep the pipe open. */
const DRAIN_MS = 100;
const EDGE = 512;

export interface StdioPorts {
  readonly clock: Clock;
  readonly ledger: ProcessLedger | undefined;
  readonly recorder?: OutputRecorder | undefined;
}

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  /** Length of the line that was sent or received last. */
  lastBytes = 0;
  /** The line of the message that is being delivered. */
  lastLine: string | undefined;

  readonly #launch: StdioLaunch;
  readonly #ports: StdioPorts;
  readonly #splitter = new LineSplitter(MAX_MESSAGE_BYTES);
  readonly #evidence = new OutputEvidence();
  readonly #untaken: UntakenAnswers;
  #process: RunningProcess | undefined;
  #hasReceived = false;
  #end: ProtocolFailure | undefined;
  #starting: Promise<void> | undefined;
  #draining: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(launch: StdioLaunch, ports: StdioPorts) {
    this.#launch = launch;
    this.#ports = ports;
    this.#untaken = new UntakenAnswers({
      clock: ports.clock,
      pause: () => void this.#process?.stdout.pause(),
      resume: () => void this.#process?.stdout.resume(),
      giveUp: (failure) => this.#giveUp(failure),
    });
  }

  /** Why the connection ended, once it has. */
  get end(): ProtocolFailure | undefined {
    return this.#end;
  }

  /** The process id, while there is a process. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Whether the process reads its input more slowly than it is sent. */
  get isHeldUp(): boolean {
    return this.#draining !== undefined;
  }

  evidence(): ProcessEvidence {
    return this.#evidence.all;
  }

  /** Returns the package runner if it has not started the server yet. */
  async installing(): Promise<string | undefined> {
    const { command, args } = this.#launch;
    const runner = packageRunnerOf(command, args);
    const child = this.#process;
    if (runner === undefined || child === undefined || this.#hasReceived) return undefined;
    if (this.#end !== undefined) return undefined;
    return (await isOnlyRunner(child.pid)) ? runner : undefined;
  }

  /** Starts the process ahead of `start`, while the client is still being loaded. */
  begin(): void {
    this.#starting ??= this.#spawn();
    // `start` reports the failure.
    this.#starting.catch(() => {});
  }

  async start(): Promise<void> {
    this.begin();
    await this.#starting;
    if (this.#end !== undefined) throw new FailureError(this.#end);
  }

  async #spawn(): Promise<void> {
    const spawned = await spawnProcess(this.#launch, {
      clock: this.#ports.clock,
      session: 'host',
      ...(this.#ports.ledger === undefined ? {} : { ledger: this.#ports.ledger }),
    });
    if (!spawned.ok) {
      this.#end = spawned.error;
      throw new FailureError(spawned.error);
    }
    const child = spawned.value;
    this.#process = child;
    if (this.#closing !== undefined) {
      await child.stop();
      throw new FailureError({ kind: 'closed' });
    }
    child.stdout.on('data', (chunk: Buffer) => this.#splitter.push(chunk, this.#onLine));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#evidence.addStderr(text);
      this.#ports.recorder?.stderr(text);
    });
    void this.#awaitExit(child);
  }

  send(message: JSONRPCMessage): Promise<void> {
    const child = this.#process;
    if (child === undefined || this.#end !== undefined) {
      return Promise.reject(new FailureError(this.#end ?? { kind: 'closed' }));
    }
    const line = `${JSON.stringify(message)}\n`;
    this.lastBytes = line.length - 1;
    if (writeLine(child.stdin, line)) return DONE;
    this.#draining ??= this.#drained(child.stdin);
    if (!('method' in message)) this.#untaken.add(line.length, this.#draining);
    return this.#draining;
  }

  /** All senders share this promise while the pipe is full. */
  async #drained(stdin: Writable): Promise<void> {
    await drained(stdin);
    this.#draining = undefined;
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish({ kind: 'closed' });
    return this.#closing;
  }

  readonly #onLine = (line: SplitLine): void => {
    if (line.kind === 'oversize') {
      this.#onOversize(line);
      return;
    }
    this.lastBytes = line.text.length;
    this.#onFrame(readFrame(line.text), line.text);
  };

  #onFrame(frame: Frame, text: string): void {
    switch (frame.kind) {
      case 'message':
        this.lastLine = text;
        this.#deliver(frame.message);
        this.lastLine = undefined;
        break;
      case 'batch':
        for (const sorted of frame.sorted) this.#onFrame(sorted, text);
        break;
      case 'blank':
        break;
      case 'unsound-request':
        this.#noteStray(text);
        // Fails only if the server has ended, which is reported elsewhere.
        this.send(refusedRequest(frame.id)).catch(() => {});
        break;
      case 'unsound-answer':
        this.#deliver(failedAnswer(frame.id, { kind: 'invalid-result', detail: frame.detail }));
        break;
      case 'broken':
        this.#evidence.addStray(text);
        // Without this, the host would wait for an answer until the deadline.
        if (!this.#hasReceived) this.#giveUp(this.#brokenFrame(text));
        else this.#failAnswered(text);
        break;
      case 'stray':
        this.#noteStray(text);
        break;
      default:
        frame satisfies never;
    }
  }

  #deliver(message: JSONRPCMessage): void {
    this.#hasReceived = true;
    this.onmessage?.(message);
  }

  #noteStray(text: string): void {
    this.#evidence.addStray(text);
    this.#ports.recorder?.stray(text);
  }

  #onOversize(line: SplitLine & { readonly kind: 'oversize' }): void {
    const failure = { kind: 'too-large', bytes: line.bytes, limit: MAX_MESSAGE_BYTES } as const;
    const id = idOfOversizeAnswer(line);
    if (id === undefined) {
      this.#evidence.addStray(line.head);
      this.onerror?.(new FailureError(failure));
      return;
    }
    this.onmessage?.(failedAnswer(id, failure));
  }

  /** Fails the request whose id is at one of the edges of the line. */
  #failAnswered(line: string): void {
    const id = idOfOversizeAnswer({ head: line.slice(0, EDGE), tail: line.slice(-EDGE) });
    if (id !== undefined) this.onmessage?.(failedAnswer(id, UNREADABLE));
  }

  #brokenFrame(text: string): ProtocolFailure {
    const line = text.slice(0, SHOWN_LINE_LENGTH);
    return { kind: 'broken-frame', line, evidence: this.evidence() };
  }

  #giveUp(failure: ProtocolFailure): void {
    this.#end ??= failure;
    void this.close();
  }

  async #awaitExit(child: RunningProcess): Promise<void> {
    const exit = await child.exited;
    child.stdout.resume();
    // The last output may arrive after the exit event, and failures quote it.
    const open = [child.stdout, child.stderr].filter((pipe) => !pipe.readableEnded);
    if (open.length > 0) {
      const ends = open.map((pipe) => new Promise((resolve) => pipe.once('end', resolve)));
      await Promise.race([Promise.all(ends), delay(DRAIN_MS, this.#ports.clock, never)]);
    }
    this.#closing ??= this.#finish({ kind: 'exited', exit, evidence: this.evidence() });
    await this.#closing;
  }

  async #finish(end: ProtocolFailure): Promise<void> {
    this.#end ??= end;
    const stopping = this.#process?.stop();
    // Reported while the process is still being stopped, so that no call goes to it, but after `#closing` is set.
    await DONE;
    this.onclose?.();
    await stopping;
  }
}

const DONE = Promise.resolve();
