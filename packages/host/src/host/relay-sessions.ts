// The sessions of one client of a gateway with the servers behind it: opened when they are first used, ended with the client.
// A server that crashes again and again is not started for a while, for all clients of one owner.

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
import { type ConnectionState, CrashBrake, type Supervisor } from '../connection/index.ts';
import type { RelayReply, RelaySession } from '../protocol/index.ts';
import type { Records } from '../records/index.ts';
import type { Offers } from './offers.ts';
import type { ServerSet } from './server-set.ts';

export interface RelayedRequest {
  readonly method: string;
  readonly params: JsonObject;
}

/** The client that a relay is for. */
export interface RelayClient {
  /** Whose it is. Its clients can have a server crash again and again, which keeps no one else from it. */
  readonly owner?: string;
  readonly clientInfo: JsonObject;
  /** What it declared that it can be asked. */
  readonly capabilities: JsonObject;
  /** A legacy server asks something. */
  request(server: string, request: RelayedRequest, signal: AbortSignal): Promise<RelayReply>;
  /** A notification of a server that belongs to no request. */
  notification(server: string, method: string, params: JsonObject): void;
  /** A session with a server has ended by itself. */
  ended?(server: string): void;
}

export interface RelaySessionParts {
  readonly supervisor: Supervisor;
  readonly records: Records;
  readonly servers: ServerSet;
  readonly offers: Offers;
  readonly clock: Clock;
  /** By server, for all clients of one owner. */
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
    // Every session that is being opened waits on it.
    shared(this.#ending.signal);
  }

  /** The servers that this client has a session with. */
  get connected(): readonly string[] {
    return [...this.#sessions.keys()];
  }

  /** The session that is open, where there is one. */
  ready(server: string): RelaySession | undefined {
    return this.#sessions.get(server);
  }

  /** The session with a server; connects first if there is none. */
  open(server: string): Promise<Result<RelaySession, ConnectionState>> {
    const open = this.#sessions.get(server);
    if (open !== undefined) return Promise.resolve(ok(open));
    // Not by the signal of one request, since others wait for it as well.
    return this.#opening.run(server, () => this.#open(server));
  }

  /** Ends the sessions with these servers; a later request opens others. */
  async leave(servers: readonly string[]): Promise<void> {
    const left = servers.flatMap((server) => this.#sessions.get(server) ?? []);
    for (const server of servers) this.#sessions.delete(server);
    await Promise.all(left.map((session) => session.close()));
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
    const braked = JSON.stringify([server, this.#client.owner]);
    const brake = brakes.get(braked) ?? new CrashBrake(clock);
    brakes.set(braked, brake);
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
    // The tools of an earlier run were enough until the server is used: then it knows better, and its changes are heard.
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

function stateAfter(
  failure: Extract<ConnectionState, { kind: 'failed' }>['failure'],
): ConnectionState {
  return failure.kind === 'unauthorized'
    ? {
        kind: 'needs-auth',
        url: failure.url,
        ...(failure.reason === undefined ? {} : { reason: failure.reason }),
      }
    : { kind: 'failed', failure };
}
