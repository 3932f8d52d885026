// Networks that are kept for a while after they were used, each for one place, so that the next request
// to the same place finds its connection open. Whether anybody may go to that place is judged before, by
// whoever asks; a connection that nobody uses is closed after some seconds by the network itself.

import type { Network } from './network.ts';

interface Kept {
  readonly network: Network;
  users: number;
}

/** The right to use a network until it is given back. */
export interface Lease extends AsyncDisposable {
  readonly network: Network;
  /** It was used before, so its connection may be an old one. */
  readonly isKept: boolean;
}

export class KeptNetworks {
  #most: number;
  /** Whoever was used last is last. */
  readonly #kept = new Map<string, Kept>();

  /** So many are kept while nobody uses them. */
  constructor(most: number) {
    this.#most = most;
  }

  take(place: string, open: () => Network): Lease {
    const found = this.#kept.get(place);
    const kept = found ?? { network: open(), users: 0 };
    kept.users += 1;
    this.#kept.delete(place);
    this.#kept.set(place, kept);
    return {
      network: kept.network,
      isKept: found !== undefined,
      [Symbol.asyncDispose]: async () => {
        kept.users -= 1;
        await this.#closeOldest();
      },
    };
  }

  /** Also those that are in use; what is asked of them fails. Nothing is kept from now on. */
  async close(): Promise<void> {
    this.#most = 0;
    const all = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.all(all.map(({ network }) => network.close()));
  }

  async #closeOldest(): Promise<void> {
    for (const [place, { network, users }] of this.#kept) {
      if (this.#kept.size <= this.#most) return;
      if (users > 0) continue;
      this.#kept.delete(place);
      await network.close();
    }
  }
}
