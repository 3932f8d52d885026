// Pools of connections to servers, for clients without a session and for all clients of modern servers. A modern server keeps
// no state between requests, so one connection serves all clients. A legacy server does not say which request its questions
// belong to, so while it may ask a client, its process works for no other. Log messages do not say it either, so a request
// for logs has a connection of its own.

import type { CancelSignal, Clock } from '@plugboard/base';
import type { Host } from '@plugboard/host';
import { type Era, isAskable } from '@plugboard/host/relay';
import type { Client, Exchange, Parked } from '../client/index.ts';
import { Upstream, type UpstreamListener } from '../endpoint/index.ts';
import { PendingWork } from './pending-work.ts';

/** Working processes of one pool: one server, principal and set of capabilities. Further requests wait. */
const MOST_WORKING = 8;
/** Processes of one pool, with those that wait for their client. Beyond it, the longest wait is given up. */
const MOST_PROCESSES = 24;
/** Processes of one principal for one server, over all pools: a client can claim any name, but processes cost. */
const MOST_OF_PRINCIPAL = 64;
/** A connection is closed after this time without use. */
const IDLE_MS = 5 * 60_000;

interface Slot {
  readonly upstream: Upstream;
  /** The pool that it belongs to. */
  pool: Pool;
  /** The requests that it works on. */
  readonly users: Exchange[];
  /** Whether it works on one request alone, and accepts no other meanwhile. */
  isTaken: boolean;
  /** In the clock's elapsed time. */
  lastUse: number;
  /** Keeps running during use, since most requests end long before it fires. */
  idle: Disposable | undefined;
}

interface Pool {
  /** The server, and the principal if the pool belongs to one. Pools with the same owner share a bound. */
  readonly owner: string;
  readonly slots: Slot[];
  /** In the order of arrival. */
  readonly waiting: Set<() => void>;
}

export class ModernUpstreams implements AsyncDisposable {
  readonly #host: Host;
  readonly #clock: Clock;
  readonly #pools = new Map<string, Pool>();
  /** Pools with a request that waits for room in another pool. */
  readonly #crowded = new Set<Pool>();
  readonly #eras = new Map<string, Era>();
  readonly #closing = new PendingWork();

  constructor(host: Host, clock: Clock) {
    this.#host = host;
    this.#clock = clock;
  }

  readonly use = async <T>(
    server: string,
    exchange: Exchange,
    work: (upstream: Upstream) => Promise<T>,
  ): Promise<T | undefined> => {
    const { client } = exchange;
    const isModern = this.isModern(server);
    // Requests for logs have connections of their own, which principals do not share.
    const ownPrincipal = exchange.logLevel === undefined ? undefined : client.principal;
    const pool = isModern ? this.#modernPool(server, ownPrincipal) : this.#poolOf(server, client);
    const isShared = isModern || !isAskable(client.capabilities);
    const taken = this.#take(pool, exchange, isShared);
    const slot = taken instanceof Promise ? await taken : taken;
    if (slot === undefined) return undefined;
    try {
      return await work(slot.upstream);
    } finally {
      const era = slot.upstream.eraOf(server);
      if (era !== undefined) this.learn(server, era);
      if (era === 'modern' && !isModern) this.#move(slot, server);
      this.#release(slot, exchange);
    }
  };

  isModern(server: string): boolean {
    return this.#eras.get(server) === 'modern';
  }

  /** Records the era of a server. */
  learn(server: string, era: Era): void {
    this.#eras.set(server, era);
  }

  /** A request now waits for its client, which may make room for another request. */
  onPark(): void {
    for (const pool of this.#pools.values()) callNext(pool);
  }

  #modernPool(server: string, principal?: string): Pool {
    const key = JSON.stringify(['modern', server, principal]);
    return this.#pool(key, key);
  }

  #poolOf(server: string, { principal, capabilities, clientInfo }: Client): Pool {
    const key = JSON.stringify([server, principal, capabilities, clientInfo]);
    return this.#pool(key, JSON.stringify([server, principal]));
  }

  #pool(key: string, owner: string): Pool {
    const pool = this.#pools.get(key) ?? { owner, slots: [], waiting: new Set() };
    this.#pools.set(key, pool);
    return pool;
  }

  /** Moves the connection to the pool of all clients once its server turned out to be modern. */
  #move(slot: Slot, server: string): void {
    const { pool } = slot;
    const modern = this.#modernPool(server);
    if (modern.slots.length > 0 || slot.users.length > 1) return;
    pool.slots.splice(pool.slots.indexOf(slot), 1);
    modern.slots.push(slot);
    slot.pool = modern;
    this.#callNext(pool);
  }

  /** `undefined` if the client cancels before there is room; synchronous if there is room now. */
  #take(
    pool: Pool,
    exchange: Exchange,
    isShared: boolean,
  ): Slot | undefined | Promise<Slot | undefined> {
    if (exchange.signal.aborted) return undefined;
    const isAlone = !isShared || exchange.logLevel !== undefined;
    return this.#tryTake(pool, exchange, isAlone) ?? this.#wait(pool, exchange, isAlone);
  }

  #tryTake(pool: Pool, exchange: Exchange, isAlone: boolean): Slot | undefined {
    const { client } = exchange;
    const slot = isAlone ? this.#slotAlone(pool, client) : this.#sharedSlot(pool, client);
    if (slot === undefined) return undefined;
    slot.users.push(exchange);
    slot.isTaken = isAlone;
    return slot;
  }

  async #wait(pool: Pool, exchange: Exchange, isAlone: boolean): Promise<Slot | undefined> {
    const { signal } = exchange;
    for (;;) {
      const isCalled = await waitForTurn(pool, signal);
      if (signal.aborted) {
        if (isCalled) this.#callNext(pool);
        this.#dropEmpty(pool);
        return undefined;
      }
      const slot = this.#tryTake(pool, exchange, isAlone);
      if (slot !== undefined) return slot;
    }
  }

  #slotAlone(pool: Pool, client: Client): Slot | undefined {
    if (takenIn(pool) >= MOST_WORKING) return undefined;
    const free = pool.slots.find(({ users }) => users.length === 0);
    return free ?? (makeRoom(pool) ? this.#add(pool, client) : undefined);
  }

  /** A slot that is not taken by one request, or a new one within the bound of the owner. */
  #sharedSlot(pool: Pool, client: Client): Slot | undefined {
    return pool.slots.find(({ isTaken }) => !isTaken) ?? this.#add(pool, client);
  }

  /** Adds a slot; at the bound of the owner, in place of the least recently used one. */
  #add(pool: Pool, client: Client): Slot | undefined {
    const slots = this.#slotsOf(pool.owner);
    if (slots.length >= MOST_OF_PRINCIPAL) {
      const [oldest] = slots
        .filter(({ users }) => users.length === 0)
        .toSorted((a, b) => a.lastUse - b.lastUse);
      if (oldest === undefined) {
        this.#crowded.add(pool);
        return undefined;
      }
      this.#end(oldest);
    }
    // Notifications belong to one request, whichever client opened the connection.
    const upstream = new Upstream(this.#host, { ...client, era: 'modern' }, NO_NOTIFICATIONS);
    const slot: Slot = { upstream, pool, users: [], isTaken: false, lastUse: 0, idle: undefined };
    pool.slots.push(slot);
    return slot;
  }

  #slotsOf(owner: string): readonly Slot[] {
    return [...this.#pools.values()].flatMap((pool) => (pool.owner === owner ? pool.slots : []));
  }

  #callNext(pool: Pool): void {
    callNext(pool);
    for (const crowded of this.#crowded) {
      if (crowded.owner !== pool.owner) continue;
      this.#crowded.delete(crowded);
      callNext(crowded);
    }
  }

  #release(slot: Slot, exchange: Exchange): void {
    slot.users.splice(slot.users.indexOf(exchange), 1);
    if (slot.users.length === 0) {
      slot.isTaken = false;
      slot.lastUse = this.#clock.elapsed();
      if (slot.idle === undefined) this.#endLater(slot, IDLE_MS);
    }
    this.#callNext(slot.pool);
  }

  #endLater(slot: Slot, ms: number): void {
    slot.idle = this.#clock.after(ms, () => {
      slot.idle = undefined;
      const left = slot.lastUse + IDLE_MS - this.#clock.elapsed();
      if (slot.users.length > 0) return;
      if (left > 0) this.#endLater(slot, left);
      else this.#end(slot);
    });
  }

  #dropEmpty(pool: Pool): void {
    if (pool.slots.length > 0 || pool.waiting.size > 0) return;
    this.#crowded.delete(pool);
    for (const [key, each] of this.#pools) if (each === pool) this.#pools.delete(key);
  }

  #end(slot: Slot): void {
    const { pool } = slot;
    slot.idle?.[Symbol.dispose]();
    pool.slots.splice(pool.slots.indexOf(slot), 1);
    this.#dropEmpty(pool);
    void this.#closing.add(slot.upstream[Symbol.asyncDispose]());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const pool of [...this.#pools.values()]) {
      for (const slot of [...pool.slots]) this.#end(slot);
    }
    await this.#closing.ended();
  }
}

/** How many connections work on one request alone. */
function takenIn({ slots }: Pool): number {
  return slots.filter((slot) => slot.isTaken && parkedIn(slot).length === 0).length;
}

/** Whether one more process may start now. Otherwise gives up a parked request, whose end makes room. */
function makeRoom({ slots }: Pool): boolean {
  const held = slots.map(parkedIn).filter((parked) => parked.length > 0);
  if (slots.length - held.length >= MOST_WORKING) return false;
  if (slots.length < MOST_PROCESSES) return true;
  const [oldest] = held.flat().toSorted((a, b) => a.since - b.since);
  oldest?.giveUp();
  return false;
}

/** The requests of a process if all of them wait for their clients; otherwise none. */
function parkedIn({ users }: Slot): readonly Parked[] {
  const parked: Parked[] = [];
  for (const user of users) {
    if (user.parked === undefined) return [];
    parked.push(user.parked);
  }
  return parked;
}

/** Waits for a turn; `false` if the signal aborts first. */
function waitForTurn({ waiting }: Pool, signal: CancelSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isCalled: boolean): void => {
      waiting.delete(call);
      signal.removeEventListener('abort', leave);
      resolve(isCalled);
    };
    const call = (): void => settle(true);
    const leave = (): void => settle(false);
    waiting.add(call);
    signal.addEventListener('abort', leave, { once: true });
  });
}

function callNext({ waiting }: Pool): void {
  const [first] = waiting;
  first?.();
}

/** Clients without a session receive changes by `subscriptions/listen`. */
const NO_NOTIFICATIONS: UpstreamListener = { notification: () => {} };
