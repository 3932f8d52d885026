// What each server lists, as far as the host knows. A list waits briefly for a server of which nothing is known. It does not
// wait again for a server that is slower, or fails; a change is announced once that server has answered.

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
import type { HostRelay, ListKind, PrimitiveList } from '@plugboard/host/relay';

export type ListName = 'tools' | PrimitiveList;

interface ListFacts {
  readonly method: string;
  /** Where its result has the items. */
  readonly key: string;
  /** The member of an item that names it. */
  readonly named: 'name' | 'uri' | 'uriTemplate';
  readonly announcedAs: ListKind;
}

/** The lists of a server. Templates are announced with resources. */
export const LISTS: Readonly<Record<ListName, ListFacts>> = {
  tools: { method: 'tools/list', key: 'tools', named: 'name', announcedAs: 'tools' },
  prompts: { method: 'prompts/list', key: 'prompts', named: 'name', announcedAs: 'prompts' },
  resources: {
    method: 'resources/list',
    key: 'resources',
    named: 'uri',
    announcedAs: 'resources',
  },
  templates: {
    method: 'resources/templates/list',
    key: 'resourceTemplates',
    named: 'uriTemplate',
    announcedAs: 'resources',
  },
};

export interface ServerListPorts {
  /** The gateway's own connections to servers. */
  readonly relay: HostRelay;
  readonly clock: Clock;
  /** How long a list waits for servers of which nothing is known. */
  readonly waitMs: number;
  /** Reports a list that was missing in an earlier answer. */
  readonly onLate: (list: ListKind, server: string) => void;
}

/** The items of a list; empty for tools, which the relay has. */
type Items = readonly JsonObject[];
const NONE: Items = [];

interface Reading {
  readonly items: Promise<Items | undefined>;
  wasMissed: boolean;
}

export class ServerLists {
  readonly #ports: ServerListPorts;
  readonly #reading = new Map<string, Reading>();
  /** Keys of lists that were not there in time. */
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

  /** What each of these servers lists within the time limit. */
  async all(list: ListName, servers: readonly string[], signal: CancelSignal): Promise<Items[]> {
    using limit = deadline(this.#ports.waitMs, this.#ports.clock, signal);
    const limitSignal = shared(limit.signal);
    return await Promise.all(servers.map((server) => this.#oneInTime(list, server, limitSignal)));
  }

  /** Without a time limit, since there is nothing else to answer with. */
  async one(list: ListName, server: string, signal: CancelSignal): Promise<Items> {
    try {
      return (await abortable(this.#read(list, server).items, signal)) ?? NONE;
    } catch {
      return NONE;
    }
  }

  /** Reads the missing lists of a server that is connected now. */
  onReady(server: string): void {
    for (const key of this.#late) {
      const [list = '', name] = key.split(' ');
      if (name === server) this.#read(list as ListName, server).wasMissed = true;
    }
  }

  async #oneInTime(list: ListName, server: string, limit: AbortSignal): Promise<Items> {
    const key = `${list} ${server}`;
    const reading = this.#read(list, server);
    try {
      const items = await abortable(reading.items, this.#late.has(key) ? NO_TIME : limit);
      if (items !== undefined) return items;
    } catch {
      // The client disconnected, which says nothing about the server.
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
      if (reading.wasMissed) this.#ports.onLate(LISTS[list].announcedAs, server);
    });
    return reading;
  }

  /** `undefined` if the server cannot list it. Ignores the signals of requests, since several may wait for one reading. */
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

const NO_TIME = AbortSignal.abort();
