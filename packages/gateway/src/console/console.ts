// What the console shows of a gateway: its servers, clients and statistics, as a state and as a feed of changes.

import type { HostEvent } from '@plugboard/host';
import type { CatalogTool } from '@plugboard/host/relay';
import { mayRead, type Reader } from '../client/index.ts';
import type {
  ClientView,
  ConsoleState,
  GatewayView,
  ServerView,
  TrafficView,
} from '../console-api.ts';
import type { GatewayCore } from '../session/index.ts';
import type { Recorder, TrafficChange } from '../traffic/index.ts';
import { Feed } from './feed.ts';
import { serverView } from './server-view.ts';

export interface ConsoleFacts extends Pick<GatewayView, 'pid' | 'url' | 'apps'> {
  readonly core: GatewayCore;
  /** When to start recording: at once, by default. */
  readonly records?: 'once-opened' | undefined;
}

export class Console implements Disposable {
  readonly core: GatewayCore;
  readonly feed: Feed;
  readonly recorder: Recorder;
  readonly #facts: ConsoleFacts;
  readonly #since: number;
  readonly #listeners: readonly Disposable[];

  constructor(facts: ConsoleFacts) {
    const { core } = facts;
    const { clock, host, desk } = core.options;
    this.core = core;
    this.recorder = facts.records === undefined ? core.record() : core.preparedRecorder();
    this.#facts = facts;
    this.#since = clock.now();
    this.feed = new Feed(clock);
    this.#listeners = [
      host.on((event) => this.#handle(event)),
      desk.on(({ event, principal }) => this.feed.emit(event, { principal })),
      core.clients.on(({ kind, client }) => {
        const audience = { principal: client.principal };
        if (kind === 'client') this.feed.emit({ kind, client }, audience);
        else this.feed.emit({ kind, id: client.id }, audience);
      }),
      this.recorder.on((change) => this.#emitTraffic(change)),
    ];
  }

  state(reader: Reader): ConsoleState {
    const { core } = this;
    const { version, host } = core.options;
    const { pid, url, apps } = this.#facts;
    return {
      cursor: this.feed.cursor,
      gateway: {
        version,
        pid,
        since: this.#since,
        url,
        apps,
        profiles: Object.keys(core.profiles),
        ...reader,
      },
      servers: host.servers.map(({ name }) => this.server(name)).filter((one) => one !== undefined),
      clients: this.#clientsOf(reader),
      waiting: core.options.desk.waitingFor(reader),
      traffic: this.#traffic,
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
    const { host } = this.core.options;
    const { tools } = this;
    const status = host.servers.find((each) => each.name === name);
    const { quarantined } = host;
    const traffic = this.recorder.server(name);
    const failure = this.core.trouble.failureOf(name);
    return status && serverView(status, { tools, quarantined, traffic, failure });
  }

  get #traffic(): TrafficView {
    return { ...this.core.clients.traffic, recorded: this.recorder.size };
  }

  #emitTraffic({ calls, skipped }: TrafficChange): void {
    for (const call of calls) {
      this.feed.emit({ kind: 'call', call: call.view() }, { principal: call.client.principal });
    }
    this.feed.emit({ kind: 'traffic', traffic: this.#traffic, skipped }, 'everyone');
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
