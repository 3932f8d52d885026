// A host at the other end of a socket, as the broker has it. What it sends is bounded; one that does not
// read what it is sent is cut off, so that nobody else waits for it.

import type { Socket } from 'node:net';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Clock } from '@plugboard/base';
import type { RequestId } from '../frame/failed-answer.ts';
import { LineSplitter, type SplitLine } from '../frame/line-splitter.ts';
import { type Frame, readFrame } from '../frame/read-frame.ts';
import type { ProtocolFailure } from '../neutral/failure.ts';
import type { Line } from './line.ts';
import { lineOf, MAX_LINE_BYTES, readFromHost, type ToBroker, type ToHost } from './terms.ts';

export interface HostLinePorts {
  readonly clock: Clock;
  readonly onTerms: (terms: ToBroker) => void;
  readonly onMessage: (message: JSONRPCMessage) => void;
  readonly onGone: () => void;
}

/** Room for the two longest messages, and something beside them. */
const MAX_UNREAD_BYTES = 2 * MAX_LINE_BYTES + 1024 * 1024;
/** One that was not let in by then has no business here. */
const JOIN_MS = 30_000;
/** What was said last has so long to arrive. */
const FAREWELL_MS = 1000;

export class HostLine implements Line {
  readonly #socket: Socket;
  readonly #ports: HostLinePorts;
  readonly #splitter = new LineSplitter(MAX_LINE_BYTES);
  #isJoined = false;
  readonly #joining: Disposable;

  constructor(socket: Socket, ports: HostLinePorts) {
    this.#socket = socket;
    this.#ports = ports;
    this.#joining = ports.clock.after(JOIN_MS, () => socket.destroy());
    socket.on('data', (chunk) => this.#splitter.push(chunk, this.#onLine));
    socket.on('error', () => {
      // It is gone, which `close` tells.
    });
    socket.once('close', () => {
      this.#joining[Symbol.dispose]();
      ports.onGone();
    });
  }

  join(): void {
    this.#isJoined = true;
    this.#joining[Symbol.dispose]();
  }

  say(terms: ToHost): void {
    this.#write(lineOf(terms));
  }

  deliver(message: JSONRPCMessage): void {
    this.#write(`${JSON.stringify(message)}\n`);
  }

  fail(id: RequestId, failure: ProtocolFailure): void {
    this.say({ plugboard: 'failed', id, failure });
  }

  /** While the server takes nothing, nothing more is read. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  end(): void {
    this.#socket.end();
    this.#ports.clock.after(FAREWELL_MS, () => this.#socket.destroy());
  }

  readonly #onLine = (line: SplitLine): void => {
    // Hosts check what they send: who sends more is none.
    if (line.kind === 'oversize') {
      this.#socket.destroy();
      return;
    }
    const terms = readFromHost(line.text);
    if (terms !== undefined) this.#ports.onTerms(terms);
    else if (this.#isJoined) this.#onFrame(readFrame(line.text));
    else this.#socket.destroy();
  };

  #onFrame(frame: Frame): void {
    if (frame.kind === 'message') this.#ports.onMessage(frame.message);
  }

  #write(line: string): void {
    if (this.#socket.destroyed || !this.#socket.writable) return;
    this.#socket.write(line);
    if (this.#socket.writableLength > MAX_UNREAD_BYTES) this.#socket.destroy();
  }
}
