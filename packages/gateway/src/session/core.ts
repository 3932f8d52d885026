// What all clients of a gateway share: the host, its endpoints, calls of modern clients, and what changes.

import { type Clock, Emitter, type Logger } from '@plugboard/base';
import type { Host, HostEvent } from '@plugboard/host';
import type { HostRelay, RelayReply } from '@plugboard/host/relay';
import { type Client, ModernCalls, type Seal } from '../client/index.ts';
import {
  type ClientApprovals,
  ClientTasks,
  Endpoint,
  type ListName,
  type Offering,
  type Profile,
  type Scope,
  ServerLists,
} from '../endpoint/index.ts';
import { ModernUpstreams } from './modern-upstreams.ts';

export interface CoreOptions {
  readonly host: Host;
  readonly approvals: ClientApprovals;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly version: string;
  /** For so long a list waits for servers of which nothing is known. */
  readonly listWaitMs: number;
  readonly profiles: Readonly<Record<string, Profile>>;
  readonly all: Offering;
}

export type ChangedList = 'tools' | 'prompts' | 'resources';

/** Templates are announced with resources. */
const CHANGED_BY: Readonly<Record<ListName, ChangedList>> = {
  tools: 'tools',
  prompts: 'prompts',
  resources: 'resources',
  templates: 'resources',
};

/** A list of a server is not what it was. */
export interface Change {
  readonly list: ChangedList;
  readonly server: string;
}

/** What can be asked of the gateway's own connections, which only list: nothing is answered. */
const LISTER: Omit<Client, 'era' | 'owner'> = {
  principal: 'gateway',
  clientInfo: { name: 'plugboard', version: '0' },
  capabilities: {},
};

const NOT_HERE: RelayReply = { error: { code: -32_601, message: 'Method not found' } };

export class GatewayCore implements AsyncDisposable {
  readonly options: CoreOptions;
  readonly modernCalls: ModernCalls;
  readonly modernUpstreams: ModernUpstreams;
  readonly #changes: Emitter<Change>;
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #hearing: Disposable;
  readonly #lister: HostRelay;
  readonly #lists: ServerLists;
  readonly #tasks = new ClientTasks();
  readonly #ending = new AbortController();

  constructor(options: CoreOptions) {
    this.options = options;
    const { host, seal, clock, logger } = options;
    this.#changes = new Emitter((thrown) =>
      logger.log('error', 'a listener threw', { reason: String(thrown) }),
    );
    this.modernCalls = new ModernCalls(seal, clock);
    this.modernUpstreams = new ModernUpstreams(host, clock);
    this.#lister = host.relay({
      ...LISTER,
      request: () => Promise.resolve(NOT_HERE),
      notification: () => {},
    });
    this.#lists = new ServerLists({
      relay: this.#lister,
      clock,
      waitMs: options.listWaitMs,
      onLate: (list, server) => this.#changes.emit({ list: CHANGED_BY[list], server }),
    });
    this.#hearing = host.on((event) => this.#hear(event));
  }

  /** `undefined` where there is no such server or profile. */
  endpoint(scope: Scope): Endpoint | undefined {
    const key = JSON.stringify(scope.kind === 'profile' ? [scope.kind, scope.name] : scope);
    const known = this.#endpoints.get(key);
    if (known !== undefined) return known;
    const { host } = this.options;
    if (scope.kind === 'server' && !host.servers.some(({ name }) => name === scope.server)) {
      return undefined;
    }
    const endpoint = new Endpoint(
      { ...this.options, lists: this.#lists, tasks: this.#tasks },
      scope,
    );
    this.#endpoints.set(key, endpoint);
    return endpoint;
  }

  onChange(listener: (change: Change) => void): Disposable {
    return this.#changes.on(listener);
  }

  /** Aborts when the gateway ends. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    this.#hearing[Symbol.dispose]();
    this.modernCalls[Symbol.dispose]();
    await this.modernUpstreams[Symbol.asyncDispose]();
    await this.#lister.close();
  }

  #hear(event: HostEvent): void {
    switch (event.kind) {
      case 'state':
        if (event.server.state.kind === 'ready') {
          this.#lists.onReady(event.server.name);
          this.modernUpstreams.learn(event.server.name, event.server.state.era);
        }
        break;
      case 'tools':
      case 'quarantine':
        this.#changes.emit({ list: 'tools', server: event.server });
        break;
      case 'list-changed':
        if (event.list !== ('tools' as string)) {
          this.#changes.emit({ list: event.list, server: event.server });
        }
        break;
      case 'configuration':
        for (const server of [...event.added, ...event.removed, ...event.changed]) {
          for (const list of ['tools', 'prompts', 'resources'] as const) {
            this.#changes.emit({ list, server });
          }
        }
        break;
      default:
    }
  }
}
