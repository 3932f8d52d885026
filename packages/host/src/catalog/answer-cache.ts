// Caches answers of servers as long as the server allows, for requests with the same credentials in the same session.
// The size is limited over all servers; the least recently used answers are dropped first.

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

/** No answer is kept longer, whatever the server says. */
const MAX_TTL_MS = 24 * 60 * 60_000;

/** How long an answer may be kept; `told`: until the server reports a change. */
export type CachePolicy = Freshness | 'told';

export interface CachedAnswer {
  readonly value: unknown;
  readonly keeping: CachePolicy;
  /** The mark of the credentials of the request. */
  readonly mark: string;
}

interface Entry {
  readonly value: unknown;
  readonly size: number;
  /** The expiry, on the clock's elapsed time. */
  readonly until: number;
  /** The mark of the credentials; `undefined` for a public answer. */
  readonly mark: string | undefined;
}

export class AnswerCache {
  readonly #clock: Clock;
  readonly #limits: CacheLimits;
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry>();
  readonly #sessions = new WeakMap<Session, { readonly prefix: string; age: number }>();
  #lastSession = 0;
  #size = 0;

  constructor(clock: Clock, limits: CacheLimits = DEFAULT_CACHE_LIMITS) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Whether there is an entry, so that the mark of the credentials is needed. */
  has(session: Session, key: string): boolean {
    return this.#entries.has(this.#stateOf(session).prefix + key);
  }

  get(session: Session, key: string, mark: string): { readonly value: unknown } | undefined {
    const name = this.#stateOf(session).prefix + key;
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    this.#remove(name, entry);
    if (entry.until <= this.#clock.elapsed()) return undefined;
    if (entry.mark !== undefined && entry.mark !== mark) return undefined;
    this.#add(name, entry);
    return { value: entry.value };
  }

  /** To be passed to `put`, which ignores an answer if the session's entries were dropped meanwhile. */
  ageOf(session: Session): number {
    return this.#stateOf(session).age;
  }

  put(
    session: Session,
    key: string,
    { value, keeping, mark, age }: CachedAnswer & { age: number },
  ): void {
    const { prefix, age: now } = this.#stateOf(session);
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

  /** Drops the entries whose keys begin with this prefix, and the answers of pending requests. */
  drop(session: Session, keyPrefix: string): void {
    const state = this.#stateOf(session);
    state.age += 1;
    for (const [name, entry] of this.#entries) {
      if (name.startsWith(state.prefix + keyPrefix)) this.#remove(name, entry);
    }
  }

  get size(): number {
    return this.#entries.size;
  }

  #stateOf(session: Session): { readonly prefix: string; age: number } {
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
