// One HTTP response: JSON, or an event stream as soon as a message precedes the answer. The configured faults replace
// the right answer or come on top of it.

import type { ServerResponse } from 'node:http';
import { encode } from '../scripted-server/dispatcher.ts';
import type { Outgoing } from '../scripted-server/json-rpc.ts';
import type { HttpFaults, HttpScript } from '../scripted-server/script.ts';

const PAGE = '<!doctype html><html><body><h1>Something went wrong</h1></body></html>';

export class HttpAnswer {
  readonly #response: ServerResponse;
  readonly #script: HttpScript;
  readonly #faults: HttpFaults;
  #streaming = false;

  constructor(response: ServerResponse, script: HttpScript, faults: HttpFaults) {
    this.#response = response;
    this.#script = script;
    this.#faults = faults;
  }

  /** Sends a fault that replaces the answer; `false` if there is none. */
  failInstead(): boolean {
    const { status, body, html, emptyBody } = this.#faults;
    if (status === undefined && html !== true && emptyBody !== true) return false;
    if (status === 401) this.#response.setHeader('www-authenticate', 'Bearer');
    const code = status ?? 200;
    if (emptyBody === true) this.#response.writeHead(code).end();
    else if (html === true) this.#finish(code, 'text/html', PAGE);
    else
      this.#finish(code, 'application/json', JSON.stringify(body ?? { error: `status ${code}` }));
    return true;
  }

  send(message: Outgoing, method: string, status: number): void {
    const text = encode(message, method, this.#script);
    const { answerWith } = this.#script.http ?? {};
    if ('method' in message) {
      if (answerWith !== 'json') this.#stream(text);
      return;
    }
    if (this.#streaming) this.#response.end(event(text));
    else if (answerWith === 'sse' && status === 200) this.#finish(200, EVENT_STREAM, event(text));
    else this.#finish(status, 'application/json', text);
  }

  #stream(text: string): void {
    if (!this.#streaming) this.#response.writeHead(200, { 'content-type': EVENT_STREAM });
    this.#streaming = true;
    this.#response.write(event(text));
  }

  #finish(status: number, contentType: string, body: string): void {
    const { wrongContentType, resetAfterBytes } = this.#faults;
    if (resetAfterBytes === 0) {
      this.#response.destroy();
      return;
    }
    const declared = wrongContentType === true ? 'text/plain' : contentType;
    this.#response.writeHead(status, { 'content-type': declared });
    if (resetAfterBytes === undefined) {
      this.#response.end(body);
      return;
    }
    const part = Buffer.from(body).subarray(0, resetAfterBytes);
    this.#response.write(part, () => this.#response.destroy());
  }
}

const EVENT_STREAM = 'text/event-stream';

function event(text: string): string {
  return `event: message\ndata: ${text}\n\n`;
}
