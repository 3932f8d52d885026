// The sessions of one gateway client with the servers behind it: opened at their first use, closed with the client. A
// server that crashes repeatedly is not started for a while, for all clients of one owner.

import {
  err,
  type Clock,
  type JsonObject,
  never,
  ok,
  type Result,
  shared,
  SingleFlight,
} from '@plugboard/base';
import {
  type ConnectionState,
  CrashBrake,
  stateAfter,
  type Supervisor,
} from '../connection/index.ts';
import type { RelayReply, RelaySession } from '../protocol/index.ts';
import type { Records } from '../records/index.ts';
import type { Offers } from './offers.ts';
import type { ServerSet } from './server-set.ts';

export interface RelayedRequest {
  readonly method: string;
  readonly params: JsonObject;
}

/** The client of a relay. */
export interface RelayClient {
  /** The owner of the client. Crashes of a server are counted per owner, so they do not affect other owners. */
  readonly owner?: string;
  readonly clientInfo: JsonObject;
  /** The capabilities that it declared. */
  readonly capabilities: JsonObject;
  /** Answers a request of a legacy server. */
  request(server: string, request: RelayedRequest, signal: AbortSignal): Promise<RelayReply>;
  /** Receives a notification of a server that belongs to no request. */
  notification(server: string, method: string, params: JsonObject): void;
  /** Called when a session ended by itself. */
  ended?(server: string): void;
}

export interface RelaySessionParts {
  readonly supervisor: Supervisor;
  readonly records: Records;
  readonly servers: ServerSet;
  readonly offers: Offers;
  readonly clock: Clock;
  /** By server and owner. */
  readonly brakes: Map<string, CrashBrake>;
}

export class RelaySessions {
  readonly #parts: RelaySessionParts;
  readonly #client: RelayClient;
  readonly #sessions = new Map<string, RelaySession>();
  readonly #opening = new SingleFlight<string, Result<RelaySession, ConnectionState>>();
  readonly #ending = new AbortController();

  constructor(parts: RelaySessionParts, client: RelayClient) {
    this.#parts = parts;
    this.#client = client;
    // Every session that is being opened listens to the signal.
    shared(this.#ending.signal);
  }

  /** The servers with which this client has a session. */
  get connected(): readonly string[] {
    return [...this.#sessions.keys()];
  }

  /** The open session, if there is one. */
  ready(server: string): RelaySession | undefined {
    return this.#sessions.get(server);
  }

  /** The session with a server; connects first if there is none. */
  open(server: string): Promise<Result<RelaySession, ConnectionState>> {
    const open = this.#sessions.get(server);
    if (open !== undefined) return Promise.resolve(ok(open));
    // Not aborted by the signal of one request, since others wait for it too.
    return this.#opening.run(server, () => this.#open(server));
  }

  /** Closes the sessions with these servers; a later request opens new ones. */
  async leave(servers: readonly string[]): Promise<void> {
    const closing = servers.flatMap((server) => this.#sessions.get(server) ?? []);
    for (const server of servers) this.#sessions.delete(server);
    await Promise.all(closing.map((session) => session.close()));
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.leave(this.connected);
  }

  async #open(server: string): Promise<Result<RelaySession, ConnectionState>> {
    const { supervisor, servers, clock, brakes, offers } = this.#parts;
    const known = servers.get(server);
    if (known === undefined) return err({ kind: 'idle' });
    const { barrier } = known.supervised;
    if (barrier !== undefined) return err(barrier);
    const key = JSON.stringify([server, this.#client.owner]);
    const brake = brakes.get(key) ?? new CrashBrake(clock);
    brakes.set(key, brake);
    const { failure: crashing } = brake;
    if (crashing !== undefined) return err({ kind: 'failed', failure: crashing });
    const peer = {
      clientInfo: this.#client.clientInfo,
      capabilities: this.#client.capabilities,
      request: (method: string, params: JsonObject, signal: AbortSignal) =>
        this.#client.request(server, { method, params }, signal),
      notification: (method: string, params: JsonObject) =>
        this.#client.notification(server, method, params),
    };
    const opened = await supervisor.relay(
      { ...known.supervised, recorder: this.#parts.records.get(server)?.ofLines },
      peer,
      this.#ending.signal,
    );
    if (!opened.ok) return err(stateAfter(brake.afterOpening(opened.error)));
    const session = opened.value;
    this.#sessions.set(server, session);
    // Once the server is used, its own list replaces the stored one of an earlier run, and its changes are followed.
    if (offers.isStored(server)) void offers.refresh(server, never);
    void session.closed.then((failure) => {
      if (this.#sessions.get(server) !== session) return;
      this.#sessions.delete(server);
      brake.after(failure);
      void session.close();
      if (!this.#ending.signal.aborted) this.#client.ended?.(server);
    });
    return ok(session);
  }
}
