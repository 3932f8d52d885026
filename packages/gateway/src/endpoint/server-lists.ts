// What each server lists, as the host knows it. A list waits a moment for a server of which nothing is known; a server
// that is slower than that, or fails, is not waited for again, and is announced once it has answered.

import {
  abortable,
  type CancelSignal,
  type Clock,
  deadline,
  DeadlineExceeded,
  type JsonObject,
  never,
  shared,
} from '@plugboard/base';
import type { HostRelay, PrimitiveList } from '@plugboard/host/relay';

export type ListName = 'tools' | PrimitiveList;

export interface ServerListPorts {
  /** The gateway's own way to servers. */
  readonly relay: HostRelay;
  readonly clock: Clock;
  /** How long a list waits for servers of which nothing is known. */
  readonly waitMs: number;
  /** A list is there that an earlier answer went without. */
  readonly onLate: (list: ListName, server: string) => void;
}

/** The items of a list; of tools, none, since the relay has them. */
type Items = readonly JsonObject[];
const NONE: Items = [];

interface Reading {
  readonly items: Promise<Items | undefined>;
  wasMissed: boolean;
}

export class ServerLists {
  readonly #ports: ServerListPorts;
  readonly #reading = new Map<string, Reading>();
  /** Those that were not there in time. */
  readonly #late = new Set<string>();

  constructor(ports: ServerListPorts) {
    this.#ports = ports;
  }

  get tools(): HostRelay['tools'] {
    return this.#ports.relay.tools;
  }

  toolsOf(server: string): HostRelay['tools'] {
    return this.#ports.relay.toolsOf(server);
  }

  /** What each of these servers lists, within the time that a list may take. */
  async all(list: ListName, servers: readonly string[], signal: CancelSignal): Promise<Items[]> {
    using limit = deadline(this.#ports.waitMs, this.#ports.clock, signal);
    const inTime = shared(limit.signal);
    return await Promise.all(servers.map((server) => this.#inTime(list, server, inTime)));
  }

  /** However long it takes: there is nothing else to answer with. */
  async one(list: ListName, server: string, signal: CancelSignal): Promise<Items> {
    try {
      return (await abortable(this.#read(list, server).items, signal)) ?? NONE;
    } catch {
      return NONE;
    }
  }

  /** A server is connected: it can say what was missing. */
  onReady(server: string): void {
    for (const key of this.#late) {
      const [list = '', name] = key.split(' ');
      if (name === server) this.#read(list as ListName, server).wasMissed = true;
    }
  }

  async #inTime(list: ListName, server: string, limit: AbortSignal): Promise<Items> {
    const key = `${list} ${server}`;
    const reading = this.#read(list, server);
    try {
      const items = await abortable(reading.items, this.#late.has(key) ? NOW : limit);
      if (items !== undefined) return items;
    } catch {
      // The client has left, which says nothing about the server.
      if (limit.aborted && !(limit.reason instanceof DeadlineExceeded)) return NONE;
    }
    reading.wasMissed = true;
    this.#late.add(key);
    return NONE;
  }

  #read(list: ListName, server: string): Reading {
    const key = `${list} ${server}`;
    const known = this.#reading.get(key);
    if (known !== undefined) return known;
    const reading: Reading = { items: this.#itemsOf(list, server), wasMissed: false };
    this.#reading.set(key, reading);
    void reading.items.then((items) => {
      this.#reading.delete(key);
      if (items === undefined) return;
      this.#late.delete(key);
      if (reading.wasMissed) this.#ports.onLate(list, server);
    });
    return reading;
  }

  /** `undefined` if the server cannot say. Not by the signal of one request, since others wait for it as well. */
  async #itemsOf(list: ListName, server: string): Promise<Items | undefined> {
    const { relay } = this.#ports;
    try {
      if (list === 'tools') return (await relay.know(server, never)).ok ? NONE : undefined;
      const { items, problems } = await relay.list(list, server, never);
      return problems.length === 0 ? items : undefined;
    } catch {
      return undefined;
    }
  }
}

const NOW = AbortSignal.abort();
