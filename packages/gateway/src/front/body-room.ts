// Bounds the bytes that all fronts together hold for one principal. A message may be large, and a client may send many
// of them without finishing any.

import type { ServerResponse } from 'node:http';

/** Takes room for so many bytes; `false` if there is not enough. */
export type TakeRoom = (bytes: number) => boolean;

export class BodyRoom {
  readonly #most: number;
  /** By principal. */
  readonly #taken = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Takes room for one request, and frees it when the response closes. */
  of(principal: string, response: ServerResponse): TakeRoom {
    let own = 0;
    return (bytes) => {
      if (response.destroyed || !this.take(principal, bytes)) return false;
      if (own === 0) response.once('close', () => this.free(principal, own));
      own += bytes;
      return true;
    };
  }

  /** The caller has to free what it takes. */
  take(principal: string, bytes: number): boolean {
    const taken = this.#taken.get(principal) ?? 0;
    if (taken + bytes > this.#most) return false;
    this.#taken.set(principal, taken + bytes);
    return true;
  }

  free(principal: string, bytes: number): void {
    const left = (this.#taken.get(principal) ?? 0) - bytes;
    if (left > 0) this.#taken.set(principal, left);
    else this.#taken.delete(principal);
  }
}
