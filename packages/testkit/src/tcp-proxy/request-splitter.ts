// Splits the bytes of an HTTP/1.1 client into requests, so that a proxy can answer one of them itself and keep the
// connection usable. Bytes are passed on unchanged. From an upgrade or a chunked request on, the connection is passed
// on without splitting.

export type RequestPiece =
  | { readonly kind: 'head'; readonly bytes: Buffer; readonly method: string }
  | { readonly kind: 'body'; readonly bytes: Buffer }
  /** The request is complete; the next piece is another head. */
  | { readonly kind: 'end' }
  | { readonly kind: 'unframed'; readonly bytes: Buffer };

type Stage =
  | { readonly kind: 'head'; readonly read: Buffer }
  | { readonly kind: 'body'; readonly left: number }
  | { readonly kind: 'unframed' };

const HEAD_END = '\r\n\r\n';
const NOTHING = Buffer.alloc(0);

export class RequestSplitter {
  #stage: Stage = { kind: 'head', read: NOTHING };

  push(chunk: Buffer): RequestPiece[] {
    const pieces: RequestPiece[] = [];
    let rest = chunk;
    while (rest.length > 0) rest = this.#step(rest, pieces);
    return pieces;
  }

  /** Consumes the bytes of the current stage; returns the rest of the chunk. */
  #step(chunk: Buffer, pieces: RequestPiece[]): Buffer {
    switch (this.#stage.kind) {
      case 'head':
        return this.#head(Buffer.concat([this.#stage.read, chunk]), pieces);
      case 'body':
        return this.#body(chunk, this.#stage.left, pieces);
      case 'unframed':
        pieces.push({ kind: 'unframed', bytes: chunk });
        return NOTHING;
      default:
        return this.#stage satisfies never;
    }
  }

  #head(read: Buffer, pieces: RequestPiece[]): Buffer {
    const end = read.indexOf(HEAD_END);
    if (end === -1) {
      this.#stage = { kind: 'head', read };
      return NOTHING;
    }
    const bytes = read.subarray(0, end + HEAD_END.length);
    const text = bytes.toString('latin1');
    if (/^(?:upgrade|transfer-encoding):/im.test(text)) {
      this.#stage = { kind: 'unframed' };
      return read;
    }
    pieces.push({ kind: 'head', bytes, method: text.slice(0, text.indexOf(' ')) });
    const left = Number(/^content-length:\s*(\d+)/im.exec(text)?.[1] ?? 0);
    this.#stage = { kind: 'body', left };
    if (left === 0) this.#end(pieces);
    return read.subarray(bytes.length);
  }

  #body(chunk: Buffer, left: number, pieces: RequestPiece[]): Buffer {
    const bytes = chunk.subarray(0, left);
    pieces.push({ kind: 'body', bytes });
    this.#stage = { kind: 'body', left: left - bytes.length };
    if (bytes.length === left) this.#end(pieces);
    return chunk.subarray(bytes.length);
  }

  #end(pieces: RequestPiece[]): void {
    pieces.push({ kind: 'end' });
    this.#stage = { kind: 'head', read: NOTHING };
  }
}
