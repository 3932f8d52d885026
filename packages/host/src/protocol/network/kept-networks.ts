// Keeps networks after use, each for one place, so that the next request to the same place can reuse its connection. The
// caller checks whether that place may be reached; the network itself closes idle connections after some seconds.

import type { Network } from './network.ts';

/** The right to use a network until the lease is disposed of. */
export interface Lease extends AsyncDisposable {
  readonly network: Network;
  /** The network was used before, so its connection may have been closed. */
  readonly isKept: boolean;
}

export class KeptNetworks {
  #most: number;
  /** In the order of use, the most recent last. */
  readonly #kept = new Map<string, { readonly network: Network; users: number }>();

  /** `most` is the number of unused networks to keep. */
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

  /** Closes all networks, including those in use, whose requests then fail. Keeps none from then on. */
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
