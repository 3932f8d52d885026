// Connections to servers for clients without a session, and for all clients to servers of the modern era: those keep
// nothing between requests, so that one connection serves everyone. A legacy server does, and asks without saying in the
// course of which request: while one of its processes works for a client that it may ask, it works for no other. Logs do
// not say either what they belong to: a request that wants them has a connection to itself.

import type { CancelSignal, Clock } from '@plugboard/base';
import type { Host } from '@plugboard/host';
import { type Era, isAskable } from '@plugboard/host/relay';
import type { Client, Exchange, Parked } from '../client/index.ts';
import { Upstream, type UpstreamListener } from '../endpoint/index.ts';

/** Of one principal and one set of capabilities, for one server, while they work. Further requests wait. */
const MOST_WORKING = 8;
/** With those whose request waits for its client: beyond that, the one that waits the longest is given up for another. */
const MOST_PROCESSES = 24;
/** Of one principal for one server, whatever its requests say of their client: a name is free, and a process is not. */
const MOST_OF_PRINCIPAL = 64;
/** A connection that was not used for so long is ended. */
const IDLE_MS = 5 * 60_000;

interface Slot {
  readonly upstream: Upstream;
  /** That it is in. */
  pool: Pool;
  /** The requests that it works on. */
  readonly users: Exchange[];
  /** It works on one request, and takes no other meanwhile. */
  isTaken: boolean;
  /** In the clock's elapsed time. */
  lastUse: number;
  /** Left running while it is used again, since most requests are over long before it fires. */
  idle: Disposable | undefined;
}

interface Pool {
  /** The server, and the principal where it is not for all: pools with the same owner share a bound. */
  readonly owner: string;
  readonly slots: Slot[];
  /** In the order in which they came. */
  readonly waiting: Set<() => void>;
}

export class ModernUpstreams implements AsyncDisposable {
  readonly #host: Host;
  readonly #clock: Clock;
  readonly #pools = new Map<string, Pool>();
  /** Those in which a request waits for a place of another pool. */
  readonly #crowded = new Set<Pool>();
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
  ): Promise<T | undefined> => {
    const { client } = exchange;
    const isModern = this.isModern(server);
    // Requests that want logs have connections to themselves, of which no principal has those of another.
    const alone = exchange.logLevel === undefined ? undefined : client.principal;
    const pool = isModern ? this.#modernPool(server, alone) : this.#poolOf(server, client);
    const isShared = isModern || !isAskable(client.capabilities);
    const taking = this.#take(pool, exchange, isShared);
    const slot = taking instanceof Promise ? await taking : taking;
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

  /** The host's own connection has found out what the server speaks. */
  learn(server: string, era: Era): void {
    this.#eras.set(server, era);
  }

  /** A request waits for its client from now on, which may make room for another. */
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

  /** A connection that turned out to be to a modern server is for all clients: what it began must be found again. */
  #move(slot: Slot, server: string): void {
    const { pool } = slot;
    const modern = this.#modernPool(server);
    if (modern.slots.length > 0 || slot.users.length > 1) return;
    pool.slots.splice(pool.slots.indexOf(slot), 1);
    modern.slots.push(slot);
    slot.pool = modern;
    this.#callNext(pool);
  }

  /** Nothing, where the client gives its request up before there is room for it. At once where there is room. */
  #take(
    pool: Pool,
    exchange: Exchange,
    isShared: boolean,
  ): Slot | undefined | Promise<Slot | undefined> {
    if (exchange.signal.aborted) return undefined;
    const isAlone = !isShared || exchange.logLevel !== undefined;
    return this.#taken(pool, exchange, isAlone) ?? this.#wait(pool, exchange, isAlone);
  }

  #taken(pool: Pool, exchange: Exchange, isAlone: boolean): Slot | undefined {
    const { client } = exchange;
    const slot = isAlone ? this.#alone(pool, client) : this.#amongOthers(pool, client);
    if (slot === undefined) return undefined;
    slot.users.push(exchange);
    slot.isTaken = isAlone;
    return slot;
  }

  async #wait(pool: Pool, exchange: Exchange, isAlone: boolean): Promise<Slot | undefined> {
    const { signal } = exchange;
    for (;;) {
      const isCalled = await turnIn(pool, signal);
      if (signal.aborted) {
        if (isCalled) this.#callNext(pool);
        this.#dropEmpty(pool);
        return undefined;
      }
      const slot = this.#taken(pool, exchange, isAlone);
      if (slot !== undefined) return slot;
    }
  }

  #alone(pool: Pool, client: Client): Slot | undefined {
    if (takenIn(pool) >= MOST_WORKING) return undefined;
    const free = pool.slots.find(({ users }) => users.length === 0);
    return free ?? (makeRoom(pool) ? this.#add(pool, client) : undefined);
  }

  /** Those that have connections to themselves keep no other waiting, up to the bound of their principal. */
  #amongOthers(pool: Pool, client: Client): Slot | undefined {
    return pool.slots.find(({ isTaken }) => !isTaken) ?? this.#add(pool, client);
  }

  /** Where the principal has too many, in place of the one that was not used for the longest time. */
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
    // What a server says belongs to one request, no matter which client made the first.
    const upstream = new Upstream(this.#host, { ...client, era: 'modern' }, SILENT);
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
    const leaving = slot.upstream[Symbol.asyncDispose]().finally(() =>
      this.#leaving.delete(leaving),
    );
    this.#leaving.add(leaving);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const pool of [...this.#pools.values()]) {
      for (const slot of [...pool.slots]) this.#end(slot);
    }
    await Promise.all(this.#leaving);
  }
}

/** How many connections work on one request alone. */
function takenIn({ slots }: Pool): number {
  return slots.filter((slot) => slot.isTaken && parkedIn(slot).length === 0).length;
}

/** Whether one more process may be started now. Where a request has to be given up for it, there is room once that has ended. */
function makeRoom({ slots }: Pool): boolean {
  const held = slots.map(parkedIn).filter((parked) => parked.length > 0);
  if (slots.length - held.length >= MOST_WORKING) return false;
  if (slots.length < MOST_PROCESSES) return true;
  const [oldest] = held.flat().toSorted((a, b) => a.since - b.since);
  oldest?.giveUp();
  return false;
}

/** The requests of a process whose requests all wait for their clients. */
function parkedIn({ users }: Slot): readonly Parked[] {
  const parked: Parked[] = [];
  for (const user of users) {
    if (user.parked === undefined) return [];
    parked.push(user.parked);
  }
  return parked;
}

/** Waits for its turn; `false` where the signal aborts first. */
function turnIn({ waiting }: Pool, signal: CancelSignal): Promise<boolean> {
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

/** Clients without a session hear of changes by `subscriptions/listen`, over the host's own connections. */
const SILENT: UpstreamListener = { notification: () => {} };
