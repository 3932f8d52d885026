// Keeps networks for a while after use, each for one place, so that the next request to the same place finds
// its connection open. The caller checks beforehand whether that place may be reached; the network itself
// closes idle connections after some seconds.

import type { Network } from './network.ts';

/** The right to use a network until it is disposed. */
export interface Lease extends AsyncDisposable {
  readonly network: Network;
  /** It was used before, so its connection may be an old one. */
  readonly isKept: boolean;
}

export class KeptNetworks {
  #most: number;
  /** In order of use; the most recently used is last. */
  readonly #kept = new Map<string, { readonly network: Network; users: number }>();

  /** `most`: how many are kept while unused. */
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

  /** Also closes networks in use, whose requests then fail. Nothing is kept from now on. */
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
