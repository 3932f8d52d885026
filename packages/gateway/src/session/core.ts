// What all clients of a gateway share: the host, the endpoints, the calls of modern clients, and the announcement of changes.

import { isDeepStrictEqual } from 'node:util';
import { type Clock, Emitter, type Logger, shared } from '@plugboard/base';
import type { Host, HostEvent } from '@plugboard/host';
import { type HostRelay, LIST_KINDS, type ListKind } from '@plugboard/host/relay';
import {
  type Client,
  type ClientFacts,
  Clients,
  type Desk,
  listenerErrorLog,
  ModernCalls,
  type Seal,
  TroubleLog,
} from '../client/index.ts';
import {
  type ClientApprovals,
  ClientTasks,
  Endpoint,
  type Offering,
  type Profile,
  type Scope,
  ServerLists,
} from '../endpoint/index.ts';
import { failed, METHOD_NOT_FOUND } from '../message/index.ts';
import { Recorder, type RecorderLimits } from '../traffic/index.ts';
import { ModernUpstreams } from './modern-upstreams.ts';
import { nothingAt, profileIn, type Profiles, scopeAt } from './scope-at.ts';

export interface CoreOptions {
  readonly host: Host;
  readonly approvals: ClientApprovals;
  readonly desk: Desk;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly version: string;
  /** How long a list waits for servers of which nothing is known. */
  readonly listWaitMs: number;
  /** In addition to the profiles of the user's settings, and in place of one with the same name. */
  readonly profiles: Profiles;
  readonly all: Offering;
}

/** Where a client came in. */
export interface ClientContext {
  readonly core: GatewayCore;
  readonly endpoint: Endpoint;
  /** Of the token that the client sent. */
  readonly principal: string;
  readonly front: ClientFacts['front'];
}

/** Changes within this time are announced once. */
export const ANNOUNCED_AFTER_MS = 20;

/** A list of a server, or at one endpoint, has changed. */
interface Change {
  readonly list: ListKind;
  readonly of: string | Endpoint;
}

/** Bounded, since clients can add any query to a path. */
const MOST_FOUND = 1000;

/** The profile of clients whose profile was removed from the settings. */
const EMPTY_PROFILE: Profile = { servers: [] };

/** The client of the gateway's own connections, which only list and answer no requests. */
const LISTER: Omit<Client, 'era' | 'owner'> = {
  principal: 'gateway',
  clientInfo: { name: 'plugboard', version: '0' },
  capabilities: {},
};

const NO_SUCH_METHOD = failed(METHOD_NOT_FOUND, 'Method not found');

export class GatewayCore implements AsyncDisposable {
  readonly options: CoreOptions;
  readonly clients: Clients;
  readonly trouble: TroubleLog;
  /** Records the requests of clients; `undefined` until recording begins. */
  recorder: Recorder | undefined;
  readonly modernCalls: ModernCalls;
  readonly modernUpstreams: ModernUpstreams;
  readonly tasks = new ClientTasks();
  readonly #changes: Emitter<Change>;
  readonly #endpoints = new Map<string, Endpoint>();
  /** By path and query of requests; cleared when profiles change. */
  readonly #endpointsByUrl = new Map<string, Endpoint>();
  readonly #hostListener: Disposable;
  readonly #lister: HostRelay;
  readonly #lists: ServerLists;
  #profiles: Profiles;
  #prepared: Recorder | undefined;
  readonly #ending = new AbortController();

  constructor(options: CoreOptions) {
    this.options = options;
    // Every subscription of a modern client listens to it.
    shared(this.#ending.signal);
    const { host, seal, clock, logger } = options;
    this.#changes = new Emitter(listenerErrorLog(logger));
    this.clients = new Clients(clock);
    this.trouble = new TroubleLog(clock, logger);
    this.modernUpstreams = new ModernUpstreams(host, clock);
    this.modernCalls = new ModernCalls(seal, clock, () => this.modernUpstreams.onPark());
    this.#lister = host.relay({
      ...LISTER,
      request: () => Promise.resolve(NO_SUCH_METHOD),
      notification: () => {},
    });
    this.#lists = new ServerLists({
      relay: this.#lister,
      clock,
      waitMs: options.listWaitMs,
      onLate: (list, server) => this.#changes.emit({ list, of: server }),
    });
    this.#profiles = profilesOf(options);
    this.#hostListener = host.on((event) => this.#handle(event));
  }

  /** The endpoint for the path and query of a request. */
  endpointAt(url: string): Endpoint | undefined {
    const known = this.#endpointsByUrl.get(url);
    if (known !== undefined) return known;
    const scope = scopeAt(url, this.#profiles);
    const endpoint = scope === undefined ? undefined : this.endpoint(scope);
    if (endpoint === undefined) return undefined;
    if (this.#endpointsByUrl.size >= MOST_FOUND) this.#endpointsByUrl.clear();
    this.#endpointsByUrl.set(url, endpoint);
    return endpoint;
  }

  /** The error for an admitted client if there is no endpoint. Such a client may list all servers but disabled ones. */
  nothingAt(url: string): string {
    const listed = this.options.host.servers.filter(({ state }) => state.kind !== 'disabled');
    return nothingAt(url, {
      servers: listed.map(({ name }) => name),
      profiles: Object.keys(this.#profiles),
    });
  }

  /** `undefined` if there is no such server. */
  endpoint(scope: Scope): Endpoint | undefined {
    const key = JSON.stringify(scope.kind === 'profile' ? [scope.kind, scope.name] : scope);
    const known = this.#endpoints.get(key);
    if (known !== undefined) return known;
    const { host } = this.options;
    if (scope.kind === 'server' && !host.servers.some(({ name }) => name === scope.server)) {
      return undefined;
    }
    const endpoint = new Endpoint(
      {
        ...this.options,
        lists: this.#lists,
        tasks: this.tasks,
        ending: this.ending,
        trouble: this.trouble,
      },
      scope,
    );
    this.#endpoints.set(key, endpoint);
    return endpoint;
  }

  get profiles(): Profiles {
    return this.#profiles;
  }

  /** Reports which lists of an endpoint have changed. */
  onChange(endpoint: Endpoint, listener: (list: ListKind) => void): Disposable {
    return this.#changes.on(({ list, of }) => {
      const concerns = typeof of === 'string' ? endpoint.concerns(of) : of === endpoint;
      if (concerns) listener(list);
    });
  }

  /** Starts to record the requests of clients. */
  record(limits: Partial<RecorderLimits> = {}): Recorder {
    this.recorder = this.preparedRecorder(limits);
    return this.recorder;
  }

  /** The recorder, which is empty until `record` is called. */
  preparedRecorder(limits: Partial<RecorderLimits> = {}): Recorder {
    const { clock, logger } = this.options;
    this.#prepared ??= new Recorder({ clock, limits, onListenerError: listenerErrorLog(logger) });
    return this.#prepared;
  }

  /** Called before the clients are disconnected, so that replies can say why. */
  end(): void {
    this.#ending.abort();
  }

  /** Aborts when the gateway ends. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.end();
    this.options.desk.close();
    this.#hostListener[Symbol.dispose]();
    this.modernCalls[Symbol.dispose]();
    this.clients[Symbol.dispose]();
    this.#prepared?.[Symbol.dispose]();
    await this.modernUpstreams[Symbol.asyncDispose]();
    await this.#lister.close();
  }

  #handle(event: HostEvent): void {
    switch (event.kind) {
      case 'state':
        if (event.server.state.kind === 'ready') {
          this.trouble.recovered(event.server.name);
          this.#lists.onReady(event.server.name);
          this.modernUpstreams.learn(event.server.name, event.server.state.era);
        } else if ('failure' in event.server.state && !this.ending.aborted) {
          this.trouble.failed(event.server.name, event.server.state.failure);
        }
        break;
      case 'tools':
      case 'quarantine':
        this.#changes.emit({ list: 'tools', of: event.server });
        break;
      case 'list-changed':
        this.#changes.emit({ list: event.list, of: event.server });
        break;
      case 'configuration':
        for (const server of [...event.added, ...event.removed, ...event.changed]) {
          this.trouble.recovered(server);
          this.#announceAll(server);
        }
        break;
      case 'configuration-kept':
        for (const { file, line, message } of event.diagnostics) {
          const fields = { file, line, reason: message };
          this.options.logger.log('warn', 'an edit of the settings does not count', fields);
        }
        break;
      case 'profiles':
        this.#followProfiles();
        break;
      default:
    }
  }

  #announceAll(of: string | Endpoint): void {
    for (const list of LIST_KINDS) this.#changes.emit({ list, of });
  }

  /** Clients of a profile stay connected, and are notified of what the profile offers now. */
  #followProfiles(): void {
    this.#profiles = profilesOf(this.options);
    this.#endpointsByUrl.clear();
    for (const endpoint of this.#endpoints.values()) {
      const { scope } = endpoint;
      if (scope.kind !== 'profile') continue;
      const profile = profileIn(this.#profiles, scope.name) ?? EMPTY_PROFILE;
      if (isDeepStrictEqual(profile, scope.profile)) continue;
      endpoint.change({ ...scope, profile });
      this.#announceAll(endpoint);
    }
  }
}

function profilesOf({ host, profiles }: CoreOptions): Profiles {
  return { ...host.gatewayProfiles, ...profiles };
}
