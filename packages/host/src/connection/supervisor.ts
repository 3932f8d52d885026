// Keeps one connection per server, limits how many are opened at once, and closes all of them together. A slow or
// broken server takes one place and does not delay the others.

import {
  abortable,
  type Clock,
  deadline,
  err,
  type Logger,
  messageOf,
  never,
  type Result,
  Semaphore,
} from '@plugboard/base';
import type { ProcessLedger } from '../platform/index.ts';
import {
  clientSession,
  type Establish,
  type InboundPort,
  LAUNCH_TRANSPORTS,
  type Recorder,
  type RelayPeer,
  type RelaySession,
  relaySession,
  type ServerIdentity,
  type Session,
} from '../protocol/index.ts';
import { Connection, type Opening, type Upkeep } from './connection.ts';
import type { ConnectionMemory } from './connection-memory.ts';
import type { Deadlines } from './deadlines.ts';
import type { LaunchPlan } from './launch-plan.ts';
import { openPlanned } from './open-planned.ts';
import type { ConnectionFailure, ConnectionState } from './state.ts';

export interface SupervisorPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ledger: ProcessLedger;
  readonly client: ServerIdentity;
  readonly memory?: ConnectionMemory | undefined;
}

export interface ConnectLimits {
  /** Local servers that may be opening at the same time. */
  readonly local: number;
  readonly remote: number;
}

/** How long a connecting server may occupy its place. */
const PATIENCE_MS = 1000;

export const DEFAULT_CONNECT_LIMITS: ConnectLimits = { local: 3, remote: 20 };

export type Barrier = Extract<
  ConnectionState,
  { readonly kind: 'disabled' | 'untrusted' | 'blocked' }
>;

export interface SupervisedServer {
  readonly name: string;
  /** Why it may not be started until the configuration changes. */
  readonly barrier: Barrier | undefined;
  /** Prepared each time it is connected. */
  readonly launch: Result<LaunchPlan, ConnectionFailure>;
  /** The key under which data of the server is stored; absent if none is. */
  readonly fingerprint: string | undefined;
  /** Answers the server's requests; by default none are answered. */
  readonly inbound?: InboundPort | undefined;
  /** Records the traffic with the server. */
  readonly recorder?: Recorder | undefined;
  readonly deadlines: Deadlines;
  readonly upkeep: Upkeep;
}

export class Supervisor {
  readonly #ports: SupervisorPorts;
  readonly #connections = new Map<string, Connection>();
  readonly #relays = new Set<RelaySession>();
  /** Removed connections that are still closing. */
  readonly #leaving = new Set<Promise<void>>();
  readonly #places: { readonly local: Semaphore; readonly remote: Semaphore };
  #sweep: Promise<void> | undefined;
  #isClosed = false;

  constructor(ports: SupervisorPorts) {
    this.#ports = ports;
    const { local, remote } = DEFAULT_CONNECT_LIMITS;
    this.#places = { local: new Semaphore(local), remote: new Semaphore(remote) };
  }

  /** Sets how many servers may be opened at once from now on. */
  limit({ local, remote }: ConnectLimits): void {
    this.#places.local.resize(local);
    this.#places.remote.resize(remote);
  }

  /** Ends an existing server of that name first; the new one starts after that. */
  add(server: SupervisedServer): Connection {
    const { clock, logger } = this.#ports;
    const left = this.remove(server.name);
    const open = this.#openingOf(server, clientSession);
    const connection = new Connection(server.name, initialState(server), {
      open:
        left === undefined
          ? open
          : (signal, ...rest) => abortable(left, signal).then(() => open(signal, ...rest)),
      upkeep: server.upkeep,
      clock,
      random: Math.random,
      logger,
    });
    this.#connections.set(server.name, connection);
    return connection;
  }

  get(name: string): Connection | undefined {
    return this.#connections.get(name);
  }

  /** Ends the connection of that name permanently, if there is one. */
  remove(name: string): Promise<void> | undefined {
    const connection = this.#connections.get(name);
    if (connection === undefined) return undefined;
    this.#connections.delete(name);
    const leaving = connection.close().finally(() => void this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
    return leaving;
  }

  /** Ends all connections at the same time. Later requests for a session fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const open = [...this.#connections.values(), ...this.#relays];
    await Promise.all(open.map((each) => each.close()));
    await Promise.all(this.#leaving);
    await this.#sweep;
  }

  /** Opens a separate session for a client of the gateway. Its owner closes it. */
  async relay(
    server: SupervisedServer,
    peer: RelayPeer,
    signal: AbortSignal,
  ): Promise<Result<RelaySession, ConnectionFailure>> {
    // The client answers the server's requests, but a shared server gets the roots of the host, whoever joins it.
    const { roots } = server.inbound ?? {};
    const inbound = roots === undefined ? {} : { roots };
    const open = this.#openingOf({ ...server, inbound }, relaySession(peer));
    const opened = await open(signal, 'need', () => {});
    if (!signal.aborted) this.get(server.name)?.noteOutcome(opened.ok ? undefined : opened.error);
    if (!opened.ok) return opened;
    const session = opened.value;
    if (this.#isClosed || signal.aborted) {
      await session.close();
      return err({ kind: 'closed' });
    }
    this.#relays.add(session);
    void session.closed.then(() => this.#relays.delete(session));
    return opened;
  }

  #openingOf<S extends Session | RelaySession>(
    server: SupervisedServer,
    establish: Establish<S>,
  ): Opening<S> {
    const { launch, fingerprint, recorder, deadlines } = server;
    if (!launch.ok) return () => Promise.resolve(err(launch.error));
    const { startsProcess } = LAUNCH_TRANSPORTS[launch.value.kind];
    const place = startsProcess ? this.#places.local : this.#places.remote;
    const planned = { plan: launch.value, fingerprint };
    const { inbound = {} } = server;
    const ports = { ...this.#ports, recorder, inbound, establish };
    return (signal, occasion, onInstalling) => {
      if (this.#isClosed) return Promise.resolve(err({ kind: 'closed' }));
      if (startsProcess) this.#sweepOnce();
      const limits = { signal, timeoutMs: deadlines.connectMs };
      return this.#inPlace(place, signal, () =>
        openPlanned({ ...planned, occasion }, limits, { ...ports, onInstalling }),
      );
    };
  }

  /** Opens when a place is free. If opening takes long, releases the place for others. */
  async #inPlace<T>(place: Semaphore, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { clock } = this.#ports;
    const { opening } = await place.run(signal, async () => {
      const begun = work();
      using patience = deadline(PATIENCE_MS, clock, never);
      // This only waits; the outcome is returned below.
      await abortable(begun, patience.signal).catch(() => {});
      // In an object, because returning the promise itself would keep the place until it settles.
      return { opening: begun };
    });
    return await opening;
  }

  /** Before the first process is started, ends the processes that a killed host left behind. */
  #sweepOnce(): void {
    const { ledger, logger } = this.#ports;
    this.#sweep ??= ledger.sweep().then(
      (swept) => {
        for (const { pid, host } of swept) {
          logger.log('info', 'ended a server that a killed host had left', { pid, host });
        }
      },
      (thrown: unknown) =>
        logger.log('warn', 'could not look for leftover servers', { reason: messageOf(thrown) }),
    );
  }
}

function initialState({ barrier, launch }: SupervisedServer): ConnectionState {
  if (barrier !== undefined) return barrier;
  return launch.ok ? { kind: 'idle' } : { kind: 'failed', failure: launch.error };
}
