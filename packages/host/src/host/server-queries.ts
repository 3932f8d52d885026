// Sends one server a request that changes nothing: connects if needed, returns a cached answer if one is valid, and
// repeats the request once if the first attempt was lost with the connection.

import {
  type Clock,
  deadline,
  type Emitter,
  err,
  never,
  ok,
  type Result,
  shared,
} from '@plugboard/base';
import { AnswerCache, type CachePolicy } from '../catalog/index.ts';
import type { ListKind, ProtocolFailure, RequestOptions, Session } from '../protocol/index.ts';
import type { HostEvent } from './host-surface.ts';
import { mayRepeat, READING } from './send-request.ts';
import type { ServerSet } from './server-set.ts';
import {
  failedRequestAnswer,
  type Feature,
  noSessionAnswer,
  type Unanswered,
  unknownServerAnswer,
} from './unanswered.ts';

export type QueriedServers = Pick<
  ServerSet,
  'names' | 'usable' | 'get' | 'connect' | 'deadlinesOf'
>;

export interface ServerQueryParts {
  readonly clock: Clock;
  readonly servers: QueriedServers;
  readonly events: Emitter<HostEvent>;
}

export interface ServerQuery<T> {
  readonly server: string;
  readonly feature: Feature;
  /** The deadline: a list is quick; every other request may wait for the user. */
  readonly pace: 'list' | 'call';
  /** The key of the cached answer; absent if it is not cached. */
  readonly key?: string;
  readonly send: (session: Session, options: RequestOptions) => Promise<Result<T, ProtocolFailure>>;
  /** How long the answer may be cached; `undefined` for not at all. */
  readonly keep?: (answer: T, session: Session) => CachePolicy | undefined;
}

/** A list whose answers are cached. */
export interface CachedList {
  /** The method; it is also the key of the cached list. */
  readonly key: string;
  /** The list under which servers announce changes of it; absent if they do not. */
  readonly announcedAs?: ListKind;
}

export class ServerQueries {
  readonly servers: QueriedServers;
  readonly #events: Emitter<HostEvent>;
  readonly #clock: Clock;
  readonly #cache: AnswerCache;
  readonly #lists: readonly CachedList[];
  readonly #watched = new WeakSet<Session>();

  constructor({ clock, servers, events }: ServerQueryParts, lists: readonly CachedList[]) {
    this.#lists = lists;
    this.servers = servers;
    this.#events = events;
    this.#clock = clock;
    this.#cache = new AnswerCache(clock);
  }

  /** `fresh`: ignores cached answers. */
  async run<T>(
    query: ServerQuery<T>,
    options: { readonly signal?: AbortSignal; readonly fresh?: boolean },
  ): Promise<Result<T, Unanswered>> {
    const { server } = query;
    const { fresh = false } = options;
    const signal = shared(options.signal ?? never);
    for (let isFirst = true; ; isFirst = false) {
      const session = await this.session(server, query.feature, signal);
      if (!session.ok) return session;
      const kept = fresh ? undefined : await this.#recall(session.value, query, signal);
      if (kept !== undefined) return ok(kept.value as T);
      const answered = await this.#send(session.value, query, signal);
      if (answered.ok) return answered;
      if (!isFirst || !mayRepeat(READING, answered.error)) {
        return err(failedRequestAnswer(server, answered.error));
      }
    }
  }

  /** An open session with a server that has the feature. */
  async session(
    server: string,
    feature: Feature | undefined,
    signal: AbortSignal,
  ): Promise<Result<Session, Unanswered>> {
    const { names } = this.servers;
    if (!names.includes(server)) return err(unknownServerAnswer(server, names));
    const connected = await this.servers.connect(server, signal);
    if (!connected.ok) return err(noSessionAnswer(server, connected.error));
    const session = connected.value;
    this.#watch(server, session);
    if (feature === undefined || session.features[feature]) return connected;
    return err({ kind: 'unsupported', server, feature });
  }

  /** Drops the cached answers whose keys begin with this prefix. */
  forget(session: Session, keyPrefix: string): void {
    this.#cache.drop(session, keyPrefix);
  }

  async #recall<T>(
    session: Session,
    { key }: ServerQuery<T>,
    signal: AbortSignal,
  ): Promise<{ readonly value: unknown } | undefined> {
    if (key === undefined || !this.#cache.has(session, key)) return undefined;
    return this.#cache.get(session, key, await session.credentialsMark(signal));
  }

  async #send<T>(
    session: Session,
    { server, pace, key, send, keep }: ServerQuery<T>,
    signal: AbortSignal,
  ): Promise<Result<T, ProtocolFailure>> {
    const { listMs, callIdleMs } = this.servers.deadlinesOf(server);
    const timeoutMs = pace === 'list' ? listMs : callIdleMs;
    using limit = deadline(timeoutMs, this.#clock, signal);
    const age = this.#cache.ageOf(session);
    const before = key === undefined ? '' : await session.credentialsMark(signal);
    const answered = await send(session, { signal: limit.signal, timeoutMs });
    const keeping = answered.ok ? keep?.(answered.value, session) : undefined;
    if (!answered.ok || key === undefined || keeping === undefined) return answered;
    const mark = await session.credentialsMark(signal);
    // If the credentials changed meanwhile, it is unknown whose answer it is.
    if (mark === before)
      this.#cache.put(session, key, { value: answered.value, keeping, mark, age });
    return answered;
  }

  #watch(server: string, session: Session): void {
    if (this.#watched.has(session)) return;
    this.#watched.add(session);
    // Ends with the session.
    session.watchLists((list) => {
      for (const { key, announcedAs } of this.#lists) {
        if (announcedAs === list) this.#cache.drop(session, key);
      }
      // `Offers` reports a changed list of tools.
      if (list !== 'tools') this.#events.emit({ kind: 'list-changed', server, list });
    });
    void session.closed.then(() => this.#cache.drop(session, ''));
  }
}
