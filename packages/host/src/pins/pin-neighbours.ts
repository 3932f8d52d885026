// The tools of all servers, with which the scanner detects a tool that poses as another one: the tools listed in this
// run, and the accepted ones of servers that have not been listed yet.

import { type Neighbours, Peers } from '../policy/index.ts';
import type { PinnedDefinition } from './definition-hash.ts';
import type { PinStore } from './pin-store.ts';
import type { PinSubject } from './pin-subject.ts';

/** Two servers with so many common tools are one program under two names. */
const SAME_TOOLS = 2;
const SAME_SHARE = 0.6;

export class PinNeighbours {
  readonly #store: PinStore;
  readonly #subjects: () => readonly PinSubject[];
  readonly #peers = new Peers();
  /** Loaded once: later lists are added by `of`. */
  #loaded: Promise<void> | undefined;

  constructor(store: PinStore, subjects: () => readonly PinSubject[]) {
    this.#store = store;
    this.#subjects = subjects;
  }

  /** The neighbours of a server, which lists these tools now. */
  async of(subject: PinSubject, tools: readonly PinnedDefinition[]): Promise<Neighbours> {
    this.#loaded ??= this.#load();
    await this.#loaded;
    const peers = this.#peers;
    peers.set(subject.server, tools.map(toPeer));
    const names = new Set(tools.map(({ name }) => name));
    const software = new Map(this.#subjects().map((each) => [each.server, each.software]));
    return {
      peers,
      isPeer: (server) => {
        if (!software.has(server) || software.get(server) === subject.software) return false;
        const shared = peers.shared(server, names);
        return shared < SAME_TOOLS || shared < names.size * SAME_SHARE;
      },
    };
  }

  async #load(): Promise<void> {
    await Promise.all(
      this.#subjects().map(async ({ server, key }) => {
        const accepted = await this.#store.definitions(key);
        this.#peers.set(
          server,
          [...accepted.values()].filter(({ name }) => name !== '').map(toPeer),
        );
      }),
    );
  }
}

function toPeer({ name, description = '' }: PinnedDefinition) {
  return { name, description };
}
