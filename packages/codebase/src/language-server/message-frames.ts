// The frames of the language server protocol: a header with the number of bytes, then JSON. Pure. Reading ends at input
// that is not a frame, or longer than any answer should be.

import { isObject, parseJson } from '@plugboard/base';

export type Message = Readonly<Record<string, unknown>>;

const MOST_BYTES = 32 * 1024 * 1024;
const MOST_HEADER_BYTES = 4096;
const LIMITS = { maxLength: MOST_BYTES, maxDepth: 100 };

export function frameOf(message: Message): string {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  /** The messages that are now complete; `undefined` if the input is not a frame. */
  take(bytes: Buffer): readonly Message[] | undefined {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const found: Message[] = [];
    for (;;) {
      const end = this.#rest.indexOf('\r\n\r\n');
      if (end < 0) return this.#rest.length > MOST_HEADER_BYTES ? undefined : found;
      const header = this.#rest.toString('latin1', 0, end);
      const length = Number(/^content-length: *(\d{1,9})\s*$/im.exec(header)?.[1] ?? Number.NaN);
      if (!(length <= MOST_BYTES)) return undefined;
      const from = end + 4;
      if (this.#rest.length < from + length) return found;
      const parsed = parseJson(this.#rest.toString('utf8', from, from + length), LIMITS);
      if (!parsed.ok || !isObject(parsed.value)) return undefined;
      found.push(parsed.value);
      this.#rest = this.#rest.subarray(from + length);
    }
  }
}
