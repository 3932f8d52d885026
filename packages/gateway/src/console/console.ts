// What the console shows of a gateway: its servers, clients and statistics, as a state and as a feed of changes.

import type { Host, HostEvent } from '@plugboard/host';
import type { CatalogTool } from '@plugboard/host/relay';
import { mayRead, type Reader } from '../client/index.ts';
import type { ClientView, ConsoleState, GatewayView, ServerView } from '../console-api.ts';
import type { GatewayCore } from '../session/index.ts';
import type { Recorder, TrafficChange } from '../traffic/index.ts';
import { Feed } from './feed.ts';
import type { OwnSettings } from './own-settings.ts';
import { serverView } from './server-view.ts';

export interface ConsoleFacts extends Pick<GatewayView, 'url' | 'apps'> {
  readonly core: GatewayCore;
  readonly settings: OwnSettings;
  /** The file for saved calls; without it, no calls can be saved. */
  readonly checks: string | undefined;
  /** When to start recording: at once, by default. */
  readonly records?: 'once-opened' | undefined;
}

export class Console implements Disposable {
  readonly core: GatewayCore;
  readonly settings: OwnSettings;
  readonly checks: string | undefined;
  readonly feed: Feed;
  readonly recorder: Recorder;
  readonly #facts: ConsoleFacts;
  readonly #since: number;
  readonly #listeners: readonly Disposable[];

  constructor(facts: ConsoleFacts) {
    const { core, settings, checks } = facts;
    const { clock, host, desk } = core.options;
    this.core = core;
    this.settings = settings;
    this.checks = checks;
    this.recorder = facts.records === undefined ? core.record() : core.preparedRecorder();
    this.#facts = facts;
    this.#since = clock.now();
    this.feed = new Feed(clock);
    this.#listeners = [
      host.on((event) => this.#handle(event)),
      desk.on(({ event, principal }) => this.feed.emit(event, { principal })),
      this.recorder.on((change) => this.#emitTraffic(change)),
    ];
  }

  get host(): Host {
    return this.core.options.host;
  }

  state(reader: Reader): ConsoleState {
    const { core, host } = this;
    const { version } = core.options;
    const { url, apps } = this.#facts;
    return {
      cursor: this.feed.cursor,
      gateway: {
        version,
        since: this.#since,
        url,
        apps,
        profiles: Object.keys(core.profiles),
        ...reader,
      },
      servers: host.servers.map(({ name }) => this.server(name)).filter((one) => one !== undefined),
      clients: this.#clientsOf(reader),
      waiting: core.options.desk.waitingFor(reader),
      traffic: core.clients.traffic,
    };
  }

  [Symbol.dispose](): void {
    for (const each of this.#listeners) each[Symbol.dispose]();
  }

  #clientsOf(reader: Reader): readonly ClientView[] {
    return this.core.clients.views.filter(({ principal }) => mayRead(reader, { principal }));
  }

  /** The known tools of all servers that are not kept back. */
  get tools(): readonly CatalogTool[] {
    return this.core.endpoint({ kind: 'all' })?.lists.known.own ?? [];
  }

  server(name: string): ServerView | undefined {
    const { host, tools } = this;
    const status = host.servers.find((each) => each.name === name);
    const { quarantined } = host;
    const traffic = this.recorder.server(name);
    const failure = this.core.trouble.failureOf(name);
    return status && serverView(status, { tools, quarantined, traffic, failure });
  }

  #emitTraffic({ calls, skipped }: TrafficChange): void {
    for (const call of calls) {
      this.feed.emit({ kind: 'call', call: call.view() }, { principal: call.client.principal });
    }
    if (skipped > 0) this.feed.emit({ kind: 'calls-skipped' }, 'everyone');
    const servers = calls.map((call) => call.view().server).filter((name) => name !== undefined);
    for (const name of new Set(servers)) this.#emitServer(name);
  }

  #handle(event: HostEvent): void {
    switch (event.kind) {
      case 'state':
        this.#emitServer(event.server.name);
        break;
      case 'tools':
      case 'quarantine':
        this.#emitServer(event.server);
        break;
      case 'line': {
        const { server, line } = event;
        const { level, ...rest } = line;
        // A server may log the calls of any client.
        this.feed.emit({ kind: 'log', server, line: { ...rest, level } }, 'administrators');
        break;
      }
      case 'configuration':
        for (const name of event.removed) this.feed.emit({ kind: 'server-gone', name }, 'everyone');
        for (const name of [...event.added, ...event.changed]) this.#emitServer(name);
        break;
      default:
    }
  }

  #emitServer(name: string): void {
    const server = this.server(name);
    if (server !== undefined) this.feed.emit({ kind: 'server', server }, 'everyone');
  }
}
