// Reads and writes the frames of RFC 6455 without a library, so that the peer shares no code with the client and can
// violate the rules. It supports no extensions, and joins fragmented messages.

export type Frame =
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'close'; readonly code: number }
  | { readonly kind: 'ping'; readonly payload: Buffer }
  | { readonly kind: 'pong' };

const CONTINUATION = 0;
const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

const NO_STATUS = 1005;

export function textFrame(text: string): Buffer {
  return frame(TEXT, Buffer.from(text));
}

export function closeFrame(code: number): Buffer {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code);
  return frame(CLOSE, payload);
}

export function pongFrame(payload: Buffer): Buffer {
  return frame(PONG, payload);
}

/** The head of a text message with this declared length; the caller decides what follows. */
export function textHead(bytes: number): Buffer {
  return head(TEXT, bytes);
}

function frame(opcode: number, payload: Buffer): Buffer {
  return Buffer.concat([head(opcode, payload.length), payload]);
}

function head(opcode: number, length: number): Buffer {
  const first = 0x80 | opcode;
  if (length < 126) return Buffer.from([first, length]);
  if (length < 65_536) {
    const bytes = Buffer.from([first, 126, 0, 0]);
    bytes.writeUInt16BE(length, 2);
    return bytes;
  }
  const bytes = Buffer.alloc(10);
  bytes[0] = first;
  bytes[1] = 127;
  bytes.writeBigUInt64BE(BigInt(length), 2);
  return bytes;
}

export class FrameReader {
  #unread = Buffer.alloc(0);
  #fragments: Buffer[] = [];

  /** The frames that these bytes complete, in order. */
  push(chunk: Buffer): Frame[] {
    this.#unread = Buffer.concat([this.#unread, chunk]);
    const frames: Frame[] = [];
    for (let raw = this.#next(); raw !== undefined; raw = this.#next()) {
      const read = this.#read(raw);
      if (read !== undefined) frames.push(read);
    }
    return frames;
  }

  #next(): RawFrame | undefined {
    const measured = measure(this.#unread);
    if (measured === undefined) return undefined;
    const { start, length, mask } = measured;
    if (this.#unread.length < start + length) return undefined;
    const payload = Buffer.from(this.#unread.subarray(start, start + length));
    for (let index = 0; index < payload.length; index += 1) {
      payload[index] = (payload[index] ?? 0) ^ (mask[index % 4] ?? 0);
    }
    const [first = 0] = this.#unread;
    this.#unread = this.#unread.subarray(start + length);
    return { isLast: (first & 0x80) !== 0, opcode: first & 0x0f, payload };
  }

  #read({ isLast, opcode, payload }: RawFrame): Frame | undefined {
    switch (opcode) {
      case CONTINUATION:
      case TEXT:
      case BINARY: {
        this.#fragments.push(payload);
        if (!isLast) return undefined;
        const text = Buffer.concat(this.#fragments).toString('utf8');
        this.#fragments = [];
        return { kind: 'message', text };
      }
      case CLOSE:
        return { kind: 'close', code: payload.length < 2 ? NO_STATUS : payload.readUInt16BE() };
      case PING:
        return { kind: 'ping', payload };
      default:
        return { kind: 'pong' };
    }
  }
}

interface RawFrame {
  readonly isLast: boolean;
  readonly opcode: number;
  readonly payload: Buffer;
}

/** The start and length of the payload, once the head is complete. Clients always mask. */
function measure(
  bytes: Buffer,
): { readonly start: number; readonly length: number; readonly mask: Buffer } | undefined {
  if (bytes.length < 2) return undefined;
  const short = (bytes[1] ?? 0) & 0x7f;
  const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
  const start = 2 + extra + 4;
  if (bytes.length < start) return undefined;
  const length =
    extra === 0 ? short : extra === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  return { start, length, mask: Buffer.from(bytes.subarray(start - 4, start)) };
}
