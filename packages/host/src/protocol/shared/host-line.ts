// The broker's end of the socket to a host. Limits what the host sends, and disconnects a host that does not read, so that
// the others do not wait for it.

import type { Socket } from 'node:net';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Clock } from '@plugboard/base';
import type { RequestId } from '../frame/failed-answer.ts';
import { LineSplitter, type SplitLine } from '../frame/line-splitter.ts';
import { type Frame, readFrame } from '../frame/read-frame.ts';
import { writeLine } from '../frame/write-line.ts';
import type { ProtocolFailure } from '../neutral/failure.ts';
import type { Line } from './line.ts';
import { messageLine, MAX_LINE_BYTES, readFromHost, type ToBroker, type ToHost } from './terms.ts';

export interface HostLinePorts {
  readonly clock: Clock;
  readonly onTerms: (terms: ToBroker) => void;
  readonly onMessage: (message: JSONRPCMessage) => void;
  readonly onGone: () => void;
}

/** Two messages of maximum length, and some reserve. */
const MAX_UNREAD_BYTES = 2 * MAX_LINE_BYTES + 1024 * 1024;
/** A host that was not admitted in this time is disconnected. */
const JOIN_MS = 30_000;
/** How long the last message may take to arrive. */
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
      // The host is gone, which `close` reports.
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

  sendTerms(terms: ToHost): void {
    this.#write(messageLine(terms));
  }

  deliver(message: JSONRPCMessage): void {
    this.#write(`${JSON.stringify(message)}\n`);
  }

  fail(id: RequestId, failure: ProtocolFailure): void {
    this.sendTerms({ plugboard: 'failed', id, failure });
  }

  /** Stops reading while the server does not accept more input. */
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
    // Hosts never send such a line, so this is not a host.
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
    writeLine(this.#socket, line);
    if (this.#socket.writableLength > MAX_UNREAD_BYTES) this.#socket.destroy();
  }
}
