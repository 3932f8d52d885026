// A hand-written HTTP/1.1 client on one open socket: one request at a time, and it parses only what it needs to find
// the end of the response. It costs a fraction of `node:http`, so that the time of the server dominates.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Address {
  readonly port: number;
  readonly path: string;
}

export interface Answer {
  readonly head: string;
  readonly body: string;
}

const NO_BODY = /^HTTP\/1\.1 20[24]/;

export class RawHttp implements Disposable {
  readonly #socket: Socket;
  #text = '';
  #settle: ((answer: Answer) => void) | undefined;
  #fail: ((reason: Error) => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    // Every byte one character: what is sent is ASCII.
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => this.#hear(chunk));
    socket.on('close', () => this.#fail?.(new Error(`the connection was closed: ${this.#text}`)));
    socket.on('error', (error) => this.#fail?.(error));
  }

  static async open(port: number): Promise<RawHttp> {
    const socket = connect({ port, host: '127.0.0.1' });
    await once(socket, 'connect');
    return new RawHttp(socket);
  }

  /** `head` is the request's with all headers but the length of the body. */
  post(head: string, body: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#fail = reject;
      this.#socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
    });
  }

  [Symbol.dispose](): void {
    this.#fail = undefined;
    this.#socket.destroy();
  }

  #hear(chunk: string): void {
    this.#text += chunk;
    const text = this.#text;
    const headEnd = text.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, headEnd))?.[1];
    const start = headEnd + 4;
    const isWhole =
      length === undefined
        ? // Of chunks, the last is empty.
          text.endsWith('\r\n0\r\n\r\n') || NO_BODY.test(text)
        : text.length - start >= Number(length);
    if (!isWhole) return;
    this.#text = '';
    this.#fail = undefined;
    this.#settle?.({ head: text.slice(0, headEnd), body: text.slice(start) });
  }
}
