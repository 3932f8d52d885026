// What one WebSocket holds of the room of its principal: what came of a message that is not finished, and large messages until
// they are answered. It counts what comes from the network, since nothing is told of a message before its end.

import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { BodyRoom } from './body-room.ts';

/** What a piece takes beside its bytes, which may be a single one. */
const PIECE_BYTES = 300;
/** Of a frame of control, which is never longer than 125 bytes: its head, and its mask. */
const CONTROL_HEAD_BYTES = 6;
/** As of a request over HTTP, of which the first piece takes nothing. */
const SMALL_BYTES = 64 * 1024;

export class SocketRoom implements Disposable {
  readonly #room: BodyRoom;
  readonly #principal: string;
  /** What came of a message that is not finished, and what that takes with its pieces. */
  #bytes = 0;
  #coming = 0;
  /** Of messages that are not answered. */
  #asked = 0;
  #isClosed = false;

  constructor(room: BodyRoom, principal: string) {
    this.#room = room;
    this.#principal = principal;
  }

  /** Before the first piece came. */
  watch(socket: WebSocket, network: Duplex, onFull: () => void): void {
    network.prependListener('data', (piece: Buffer) => {
      const bytes = piece.length + PIECE_BYTES;
      if (this.#isClosed) return;
      if (!this.#room.take(this.#principal, bytes)) return onFull();
      this.#bytes += piece.length;
      this.#coming += bytes;
    });
    // They also come between the parts of a message.
    const control = (data: Buffer): void => this.#came(data.length + CONTROL_HEAD_BYTES);
    socket.on('ping', control);
    socket.on('pong', control);
  }

  /** A message is complete: it is held until `answered` settles. */
  hold(bytes: number, answered: Promise<void>): void {
    // What came of the next one already is part of the same piece, which is small.
    this.#came(this.#bytes);
    if (bytes <= SMALL_BYTES || this.#isClosed) return;
    // It was there a moment ago.
    if (!this.#room.take(this.#principal, bytes)) return;
    this.#asked += bytes;
    void answered.finally(() => {
      if (this.#isClosed) return;
      this.#asked -= bytes;
      this.#room.free(this.#principal, bytes);
    });
  }

  #came(bytes: number): void {
    if (this.#isClosed) return;
    this.#bytes = Math.max(0, this.#bytes - bytes);
    const freed = this.#bytes === 0 ? this.#coming : bytes;
    this.#coming -= freed;
    this.#room.free(this.#principal, freed);
  }

  [Symbol.dispose](): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#room.free(this.#principal, this.#coming + this.#asked);
  }
}
