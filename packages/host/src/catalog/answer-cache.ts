// Caches answers of servers: for as long as the server allows, for requests with the same credentials in the
// same session. Its size is limited over all servers; the least recently used answers are dropped first.

import type { Clock } from '@plugboard/base';
import type { Freshness, Session } from '../protocol/index.ts';

export interface CacheLimits {
  readonly maxEntries: number;
  /** Characters of JSON over all answers. */
  readonly maxSize: number;
}

const DEFAULT_CACHE_LIMITS: CacheLimits = {
  maxEntries: 500,
  maxSize: 32 * 1024 * 1024,
};

/** No server knows what will be in a day. */
const MAX_TTL_MS = 24 * 60 * 60_000;

/** How an answer may be kept; `told`: until the server says that it changed. */
export type CachePolicy = Freshness | 'told';

export interface CachedAnswer {
  readonly value: unknown;
  readonly keeping: CachePolicy;
  /** Of the credentials that it was asked for with. */
  readonly mark: string;
}

interface Entry {
  readonly value: unknown;
  readonly size: number;
  /** On the clock's elapsed time. */
  readonly until: number;
  /** For these credentials; for all where absent. */
  readonly mark: string | undefined;
}

export class AnswerCache {
  readonly #clock: Clock;
  readonly #limits: CacheLimits;
  /** The one used last is the last one. */
  readonly #entries = new Map<string, Entry>();
  readonly #sessions = new WeakMap<Session, { readonly prefix: string; age: number }>();
  #lastSession = 0;
  #size = 0;

  constructor(clock: Clock, limits: CacheLimits = DEFAULT_CACHE_LIMITS) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Whether there is something to ask the mark of the credentials for. */
  has(session: Session, key: string): boolean {
    return this.#entries.has(this.#of(session).prefix + key);
  }

  get(session: Session, key: string, mark: string): { readonly value: unknown } | undefined {
    const name = this.#of(session).prefix + key;
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    this.#remove(name, entry);
    if (entry.until <= this.#clock.elapsed()) return undefined;
    if (entry.mark !== undefined && entry.mark !== mark) return undefined;
    this.#add(name, entry);
    return { value: entry.value };
  }

  /** To be given back with what is put: what changed meanwhile is not kept. */
  ageOf(session: Session): number {
    return this.#of(session).age;
  }

  put(
    session: Session,
    key: string,
    { value, keeping, mark, age }: CachedAnswer & { age: number },
  ): void {
    const { prefix, age: now } = this.#of(session);
    if (age !== now) return;
    const ttl = keeping === 'told' ? Number.POSITIVE_INFINITY : Math.min(keeping.ttlMs, MAX_TTL_MS);
    const size = JSON.stringify(value).length;
    if (ttl <= 0 || size > this.#limits.maxSize / 4) return;
    const isPublic = keeping !== 'told' && keeping.scope === 'public';
    const name = prefix + key;
    const before = this.#entries.get(name);
    if (before !== undefined) this.#remove(name, before);
    const until = this.#clock.elapsed() + ttl;
    this.#add(name, { value, size, until, mark: isPublic ? undefined : mark });
    this.#shrink();
  }

  /** Forgets what begins so, and what is being asked for just now. */
  drop(session: Session, keyPrefix: string): void {
    const of = this.#of(session);
    of.age += 1;
    for (const [name, entry] of this.#entries) {
      if (name.startsWith(of.prefix + keyPrefix)) this.#remove(name, entry);
    }
  }

  get size(): number {
    return this.#entries.size;
  }

  #of(session: Session): { readonly prefix: string; age: number } {
    const known = this.#sessions.get(session);
    if (known !== undefined) return known;
    this.#lastSession += 1;
    const fresh = { prefix: `${this.#lastSession} `, age: 0 };
    this.#sessions.set(session, fresh);
    return fresh;
  }

  #add(name: string, entry: Entry): void {
    this.#entries.set(name, entry);
    this.#size += entry.size;
  }

  #remove(name: string, entry: Entry): void {
    this.#entries.delete(name);
    this.#size -= entry.size;
  }

  #shrink(): void {
    const { maxEntries, maxSize } = this.#limits;
    for (const [name, entry] of this.#entries) {
      if (this.#entries.size <= maxEntries && this.#size <= maxSize) return;
      this.#remove(name, entry);
    }
  }
}
