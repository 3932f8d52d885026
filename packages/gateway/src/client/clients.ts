// The clients of the gateway, and how many requests they make. A legacy client exists as long as its session. A modern client
// has no session: it is identified by what it says about itself, until it has sent nothing for a while.

import { randomUUID } from 'node:crypto';
import type { Clock, JsonObject } from '@plugboard/base';
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

type IntroducedClient = Omit<ClientFacts, 'front' | 'path'>;

/** A client without a session counts as gone after this time without a request. */
const SILENT_MS = 10 * 60_000;
/** Clients without a session, which can claim any name and version. */
const MOST_MODERN = 1000;
const LONGEST_NAME = 100;
/** Open requests and streams of one principal. A client could open any number of them on one connection. */
const MOST_OPEN = 2500;
const TOO_MANY = failed(INTERNAL_ERROR, 'Too many requests of this token are open');

export class KnownClient implements RecordedClient {
  readonly #facts: ClientFacts;
  readonly id: string;
  /** The name by which it identifies itself. */
  readonly name: string;
  readonly since: number;
  lastAt: number;
  requests = 0;
  /** Requests and streams. */
  open = 0;

  constructor(id: string, facts: ClientFacts, since: number) {
    this.id = id;
    this.#facts = facts;
    this.name = clientName(facts);
    this.since = since;
    this.lastAt = since;
  }

  get era(): ClientFacts['era'] {
    return this.#facts.era;
  }

  get principal(): string {
    return this.#facts.principal;
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
  readonly #sessions = new Set<KnownClient>();
  readonly #modern = new Map<string, KnownClient>();
  /** How many requests and streams of each principal are open. */
  readonly #openOf = new Map<string, number>();
  #requests = 0;
  #failed = 0;
  #running = 0;
  #sweeping: Disposable | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get views(): readonly ClientView[] {
    return [...this.#sessions, ...this.#modern.values()].map(({ view }) => view);
  }

  get traffic(): TrafficView {
    return { requests: this.#requests, failed: this.#failed, running: this.#running };
  }

  /** A session began. */
  join(id: string, facts: ClientFacts): KnownClient {
    const client = new KnownClient(id, facts, this.#clock.now());
    this.#sessions.add(client);
    return client;
  }

  /** A session ended. */
  leave(client: KnownClient): void {
    this.#sessions.delete(client);
  }

  /** The client without a session that sent a request. */
  modern(client: IntroducedClient, front: ClientFacts['front'], path: string): KnownClient {
    const { principal, clientInfo } = client;
    const { name, version } = clientInfo;
    const key = `${principal}\n${front}\n${path}\n${textOr(name).slice(0, LONGEST_NAME)}\n${textOr(version).slice(0, LONGEST_NAME)}`;
    const known = this.#modern.get(key);
    if (known !== undefined) return known;
    const facts = { ...client, front, path };
    const newcomer = new KnownClient(randomUUID(), facts, this.#clock.now());
    const [oldest] = this.#modern.keys();
    if (oldest !== undefined && this.#modern.size >= MOST_MODERN) this.#modern.delete(oldest);
    this.#modern.set(key, newcomer);
    this.#sweepLater();
    return newcomer;
  }

  /** Counts a request; `end` has to be called with its reply. A request over the limit is refused, and not counted. */
  begin(client: KnownClient): RpcFailure | undefined {
    const refusal = this.#open(client);
    if (refusal !== undefined) return refusal;
    this.#requests += 1;
    this.#running += 1;
    client.requests += 1;
    client.lastAt = this.#clock.now();
    return undefined;
  }

  /** Runs a subscription, which is open for long and does not count as a request. */
  async listening(client: KnownClient, work: () => Promise<RpcReply>): Promise<RpcReply> {
    const refusal = this.#open(client);
    if (refusal !== undefined) return refusal;
    try {
      return await work();
    } finally {
      this.#close(client);
    }
  }

  end(client: KnownClient, reply: RpcReply | undefined): void {
    this.#running -= 1;
    this.#close(client);
    const isFailed = reply === undefined || 'error' in reply || reply.result['isError'] === true;
    if (isFailed) this.#failed += 1;
  }

  [Symbol.dispose](): void {
    this.#sweeping?.[Symbol.dispose]();
  }

  #open(client: KnownClient): RpcFailure | undefined {
    const open = this.#openOf.get(client.principal) ?? 0;
    if (open >= MOST_OPEN) return TOO_MANY;
    client.open += 1;
    this.#openOf.set(client.principal, open + 1);
    return undefined;
  }

  #close(client: KnownClient): void {
    client.open -= 1;
    this.#openOf.set(client.principal, (this.#openOf.get(client.principal) ?? 0) - 1);
  }

  #sweepLater(): void {
    this.#sweeping ??= this.#clock.after(SILENT_MS / 4, () => {
      this.#sweeping = undefined;
      const until = this.#clock.now() - SILENT_MS;
      for (const [key, client] of this.#modern) {
        if (client.open === 0 && client.lastAt <= until) this.#modern.delete(key);
      }
      if (this.#modern.size > 0) this.#sweepLater();
    });
  }
}
