// The room that one WebSocket takes from its principal: for an incomplete message, and for large messages until they are
// answered. It counts the bytes from the network, since the library reports a message only when it is complete.

import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { BodyRoom } from './body-room.ts';

/** The memory of a piece, in addition to its bytes. */
const PIECE_BYTES = 300;
/** Head and mask of a control frame, which has at most 125 bytes. */
const CONTROL_HEAD_BYTES = 6;
/** Smaller messages take no room, like the first chunk of a request over HTTP. */
const SMALL_BYTES = 64 * 1024;

export class SocketRoom implements Disposable {
  readonly #room: BodyRoom;
  readonly #principal: string;
  /** The bytes of the incomplete message, and the room taken for them. */
  #bytes = 0;
  #received = 0;
  /** The room taken for messages without an answer. */
  #unanswered = 0;
  #isClosed = false;

  constructor(room: BodyRoom, principal: string) {
    this.#room = room;
    this.#principal = principal;
  }

  /** Has to be called before the first piece arrives. */
  watch(socket: WebSocket, network: Duplex, onFull: () => void): void {
    network.prependListener('data', (piece: Buffer) => {
      const bytes = piece.length + PIECE_BYTES;
      if (this.#isClosed) return;
      if (!this.#room.take(this.#principal, bytes)) return onFull();
      this.#bytes += piece.length;
      this.#received += bytes;
    });
    // Control frames also arrive between the parts of a message.
    const control = (data: Buffer): void => this.#freeReceived(data.length + CONTROL_HEAD_BYTES);
    socket.on('ping', control);
    socket.on('pong', control);
  }

  /** Takes room for a complete message until `answered` settles. */
  hold(bytes: number, answered: Promise<void>): void {
    // The start of the next message is at most the rest of one piece, which is small.
    this.#freeReceived(this.#bytes);
    if (bytes <= SMALL_BYTES || this.#isClosed) return;
    // Cannot fail in practice: the same room was just freed.
    if (!this.#room.take(this.#principal, bytes)) return;
    this.#unanswered += bytes;
    void answered.finally(() => {
      if (this.#isClosed) return;
      this.#unanswered -= bytes;
      this.#room.free(this.#principal, bytes);
    });
  }

  #freeReceived(bytes: number): void {
    if (this.#isClosed) return;
    this.#bytes = Math.max(0, this.#bytes - bytes);
    const freed = this.#bytes === 0 ? this.#received : bytes;
    this.#received -= freed;
    this.#room.free(this.#principal, freed);
  }

  [Symbol.dispose](): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#room.free(this.#principal, this.#received + this.#unanswered);
  }
}
