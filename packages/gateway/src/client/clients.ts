// The clients of the gateway, and how much they ask. A legacy client exists as long as its session. A modern client has
// no session: it is identified by what it says about itself, until it has been silent for a while.

import { randomUUID } from 'node:crypto';
import { type Clock, Emitter, type JsonObject, type Logger } from '@plugboard/base';
import type { ClientView, TrafficView } from '../console-api.ts';
import {
  failed,
  INTERNAL_ERROR,
  type RpcFailure,
  type RpcReply,
  textOr,
} from '../message/index.ts';
import type { RecordedClient } from '../traffic/index.ts';
import { clientName } from './client.ts';

export interface ClientFacts extends Pick<ClientView, 'era' | 'front' | 'principal' | 'path'> {
  readonly clientInfo: JsonObject;
}

type SpeakingClient = Omit<ClientFacts, 'front' | 'path'>;

export interface ClientNews {
  readonly kind: 'client' | 'client-gone';
  readonly client: ClientView;
}

/** A client without a session is gone when it was silent for so long. */
const SILENT_MS = 10 * 60_000;
/** Of clients without a session, which may say of themselves what they like. */
const MOST_MODERN = 1000;
/** What changes within this time is told once. */
const TOLD_AFTER_MS = 500;
const LONGEST_NAME = 100;
/** Requests and streams of one principal at a time. On one connection, a client could begin any number of them. */
const MOST_OPEN = 2500;
const TOO_MANY = failed(INTERNAL_ERROR, 'Too many requests of this token are open');

export class KnownClient implements RecordedClient {
  readonly #clients: Clients;
  readonly #facts: ClientFacts;
  readonly id: string;
  /** As it calls itself. */
  readonly name: string;
  readonly since: number;
  lastAt: number;
  requests = 0;
  /** Requests and streams. */
  open = 0;

  constructor(clients: Clients, id: string, facts: ClientFacts) {
    this.#clients = clients;
    this.id = id;
    this.#facts = facts;
    this.name = clientName(facts);
    this.since = clients.now();
    this.lastAt = this.since;
  }

  get era(): ClientFacts['era'] {
    return this.#facts.era;
  }

  get principal(): string {
    return this.#facts.principal;
  }

  /** Counts a request. Once it is over, `end` has to be called, with its answer. One too many is refused, and not counted. */
  begin(): RpcFailure | undefined {
    if (!this.#clients.hasRoom(this.principal)) return TOO_MANY;
    this.#clients.begin(this);
    return undefined;
  }

  end(reply: RpcReply | undefined): void {
    this.#clients.end(this, reply);
  }

  /** It listens, which is not a request that has an answer soon. */
  async listening(work: () => Promise<RpcReply>): Promise<RpcReply> {
    if (!this.#clients.hasRoom(this.principal)) return TOO_MANY;
    this.#clients.opened(this);
    try {
      return await work();
    } finally {
      this.#clients.closed(this);
    }
  }

  get view(): ClientView {
    const { era, front, principal, path, clientInfo } = this.#facts;
    const { version } = clientInfo;
    return {
      id: this.id,
      name: this.name,
      version: typeof version === 'string' ? version.slice(0, LONGEST_NAME) : undefined,
      era,
      front,
      principal,
      path,
      since: this.since,
      lastAt: this.lastAt,
      requests: this.requests,
    };
  }
}

export class Clients implements Disposable {
  readonly #clock: Clock;
  readonly #news: Emitter<ClientNews>;
  readonly #sessions = new Set<KnownClient>();
  readonly #modern = new Map<string, KnownClient>();
  readonly #changed = new Set<KnownClient>();
  /** Of each principal. */
  readonly #open = new Map<string, number>();
  #requests = 0;
  #failed = 0;
  #running = 0;
  #telling: Disposable | undefined;
  #sweeping: Disposable | undefined;

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#news = new Emitter((thrown) =>
      logger.log('error', 'a listener threw', { reason: String(thrown) }),
    );
  }

  get views(): readonly ClientView[] {
    return [...this.#sessions, ...this.#modern.values()].map(({ view }) => view);
  }

  get traffic(): Omit<TrafficView, 'recorded'> {
    return { requests: this.#requests, failed: this.#failed, running: this.#running };
  }

  on(listener: (news: ClientNews) => void): Disposable {
    return this.#news.on(listener);
  }

  now(): number {
    return this.#clock.now();
  }

  /** A session began. */
  join(id: string, facts: ClientFacts): KnownClient {
    const client = new KnownClient(this, id, facts);
    this.#sessions.add(client);
    this.#news.emit({ kind: 'client', client: client.view });
    return client;
  }

  /** A session ended. */
  leave(client: KnownClient): void {
    if (this.#sessions.delete(client)) this.#gone(client);
  }

  /** A client without a session, by its request. */
  modern(client: SpeakingClient, front: ClientFacts['front'], path: string): KnownClient {
    const { principal, clientInfo } = client;
    const { name, version } = clientInfo;
    const key = `${principal}\n${front}\n${path}\n${textOr(name).slice(0, LONGEST_NAME)}\n${textOr(version).slice(0, LONGEST_NAME)}`;
    const known = this.#modern.get(key);
    if (known !== undefined) return known;
    const newcomer = new KnownClient(this, randomUUID(), { ...client, front, path });
    const [oldest] = this.#modern;
    if (oldest !== undefined && this.#modern.size >= MOST_MODERN) this.#forget(...oldest);
    this.#modern.set(key, newcomer);
    this.#news.emit({ kind: 'client', client: newcomer.view });
    this.#sweepLater();
    return newcomer;
  }

  hasRoom(principal: string): boolean {
    return (this.#open.get(principal) ?? 0) < MOST_OPEN;
  }

  opened(client: KnownClient): void {
    client.open += 1;
    this.#open.set(client.principal, (this.#open.get(client.principal) ?? 0) + 1);
  }

  closed(client: KnownClient): void {
    client.open -= 1;
    this.#open.set(client.principal, (this.#open.get(client.principal) ?? 0) - 1);
  }

  begin(client: KnownClient): void {
    this.#requests += 1;
    this.#running += 1;
    client.requests += 1;
    this.opened(client);
    client.lastAt = this.#clock.now();
    this.#tellLater(client);
  }

  end(client: KnownClient, reply: RpcReply | undefined): void {
    this.#running -= 1;
    this.closed(client);
    const isFailed = reply === undefined || 'error' in reply || reply.result['isError'] === true;
    if (isFailed) this.#failed += 1;
  }

  [Symbol.dispose](): void {
    this.#telling?.[Symbol.dispose]();
    this.#sweeping?.[Symbol.dispose]();
  }

  #forget(key: string, client: KnownClient): void {
    if (this.#modern.delete(key)) this.#gone(client);
  }

  #gone(client: KnownClient): void {
    this.#changed.delete(client);
    this.#news.emit({ kind: 'client-gone', client: client.view });
  }

  #tellLater(client: KnownClient): void {
    if (this.#news.size === 0) return;
    this.#changed.add(client);
    this.#telling ??= this.#clock.after(TOLD_AFTER_MS, () => {
      this.#telling = undefined;
      for (const each of this.#changed) this.#news.emit({ kind: 'client', client: each.view });
      this.#changed.clear();
    });
  }

  #sweepLater(): void {
    this.#sweeping ??= this.#clock.after(SILENT_MS / 4, () => {
      this.#sweeping = undefined;
      const until = this.#clock.now() - SILENT_MS;
      for (const [key, client] of this.#modern) {
        if (client.open === 0 && client.lastAt <= until) this.#forget(key, client);
      }
      if (this.#modern.size > 0) this.#sweepLater();
    });
  }
}
