// Connections to servers for clients without a session. Servers of the modern era keep nothing between requests, so one
// connection serves all clients. A legacy server does, and asks without saying in the course of which request: while one
// of its processes works for a client that it may ask, it works for no other. Logs do not say either what they belong to:
// no connection has two requests at a time that want them.

import { canonicalJson, type Clock } from '@plugboard/base';
import type { Host } from '@plugboard/host';
import type { Era } from '@plugboard/host/relay';
import { type Client, type Exchange, isAskable } from '../client/index.ts';
import { Upstream, type UpstreamListener } from '../endpoint/index.ts';

/** Of one principal and one set of capabilities, for one server. Further requests wait. */
const MOST_PROCESSES = 8;
/** A connection that was not used for so long is ended. */
const IDLE_MS = 5 * 60_000;

interface Slot {
  readonly upstream: Upstream;
  users: number;
  /** How many of them want a log. */
  logging: number;
  idle: Disposable | undefined;
}

interface Pool {
  readonly slots: Slot[];
  readonly waiting: (() => void)[];
}

export class ModernUpstreams implements AsyncDisposable {
  readonly #host: Host;
  readonly #clock: Clock;
  readonly #pools = new Map<string, Pool>();
  readonly #eras = new Map<string, Era>();
  readonly #leaving = new Set<Promise<void>>();

  constructor(host: Host, clock: Clock) {
    this.#host = host;
    this.#clock = clock;
  }

  readonly use = async <T>(
    server: string,
    exchange: Exchange,
    work: (upstream: Upstream) => Promise<T>,
  ): Promise<T> => {
    const { client } = exchange;
    const isModern = this.#eras.get(server) === 'modern';
    const pool = this.#pool(isModern ? modernKey(server) : poolKey(server, client));
    const isShared = isModern || !isAskable(client);
    const slot = await this.#take(pool, exchange, isShared);
    try {
      return await work(slot.upstream);
    } finally {
      const era = slot.upstream.eraOf(server);
      if (era !== undefined) this.learn(server, era);
      const isNews = era === 'modern' && !isModern && this.#move(pool, slot, server);
      this.#release(isNews ? this.#pool(modernKey(server)) : pool, slot, exchange);
    }
  };

  /** The host's own connection has found out what the server speaks. */
  learn(server: string, era: Era): void {
    this.#eras.set(server, era);
  }

  #pool(key: string): Pool {
    const pool = this.#pools.get(key) ?? { slots: [], waiting: [] };
    this.#pools.set(key, pool);
    return pool;
  }

  /** A connection that turned out to be to a modern server is for all clients: what it began must be found again. */
  #move(pool: Pool, slot: Slot, server: string): boolean {
    const modern = this.#pool(modernKey(server));
    if (modern.slots.length > 0 || slot.users > 1) return false;
    pool.slots.splice(pool.slots.indexOf(slot), 1);
    modern.slots.push(slot);
    pool.waiting.shift()?.();
    return true;
  }

  async #take(pool: Pool, { client, logLevel }: Exchange, isShared: boolean): Promise<Slot> {
    const wanted = logLevel === undefined ? 0 : 1;
    for (;;) {
      const free = pool.slots.find(
        ({ users, logging }) => (isShared || users === 0) && logging + wanted < 2,
      );
      if (free !== undefined) {
        free.users += 1;
        free.logging += wanted;
        free.idle?.[Symbol.dispose]();
        free.idle = undefined;
        return free;
      }
      if (pool.slots.length < MOST_PROCESSES) {
        const upstream = new Upstream(this.#host, client, SILENT);
        const slot: Slot = { upstream, users: 1, logging: wanted, idle: undefined };
        pool.slots.push(slot);
        return slot;
      }
      await new Promise<void>((resolve) => pool.waiting.push(resolve));
    }
  }

  #release(pool: Pool, slot: Slot, { logLevel }: Exchange): void {
    slot.users -= 1;
    if (logLevel !== undefined) slot.logging -= 1;
    if (slot.users === 0) slot.idle = this.#clock.after(IDLE_MS, () => this.#end(pool, slot));
    pool.waiting.shift()?.();
  }

  #end(pool: Pool, slot: Slot): void {
    pool.slots.splice(pool.slots.indexOf(slot), 1);
    if (pool.slots.length === 0) {
      for (const [key, each] of this.#pools) if (each === pool) this.#pools.delete(key);
    }
    const leaving = slot.upstream[Symbol.asyncDispose]().finally(() =>
      this.#leaving.delete(leaving),
    );
    this.#leaving.add(leaving);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const pool of [...this.#pools.values()]) {
      for (const slot of [...pool.slots]) {
        slot.idle?.[Symbol.dispose]();
        this.#end(pool, slot);
      }
    }
    await Promise.all(this.#leaving);
  }
}

/** Clients without a session hear of changes by `subscriptions/listen`, over the host's own connections. */
const SILENT: UpstreamListener = { notification: () => {} };

function modernKey(server: string): string {
  return `modern ${server}`;
}

function poolKey(server: string, { principal, capabilities, clientInfo }: Client): string {
  return canonicalJson([server, principal, capabilities, clientInfo]);
}
