// A gateway: one host, and the fronts over which clients reach it.

import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { type Clock, type Logger, silentLogger, systemClock } from '@plugboard/base';
import { createHost, type Host, type HostOptions } from '@plugboard/host';
import {
  type AdmittedConfiguration,
  hostEnvironment,
  readConfiguration,
} from '@plugboard/host/configuration';
import { Desk, Seal } from './client/index.ts';
import {
  type AppsOrigin,
  callRoutes,
  Console,
  ConsoleFront,
  contextRoutes,
  definitionRoutes,
  offersRoute,
  type OwnSettings,
  readPage,
  ruleRoutes,
  runRoute,
  savedCallRoutes,
  serveApps,
  serverRoutes,
} from './console/index.ts';
import { ClientApprovals, type Offering, type Profile } from './endpoint/index.ts';
import {
  BodyRoom,
  closed,
  type GuardOptions,
  HTTP_LIMITS,
  HttpFront,
  type HttpLimits,
  serverOptions,
  serveStdio,
  SseFront,
  WsFront,
} from './front/index.ts';
import { GatewayCore } from './session/index.ts';
import type { Recorder, RecorderLimits } from './traffic/index.ts';

export interface GatewayOptions {
  /** As for any host. The gateway approves by asking clients, unless `approve` is given. */
  readonly host?: HostOptions;
  /** Beside those of the user's settings, and in place of one of the same name. */
  readonly profiles?: Readonly<Record<string, Profile>>;
  /** How all servers together are offered, at `/mcp` and over stdio. */
  readonly all?: Offering;
  /** 32 bytes. With the same key, a gateway that was restarted knows what clients have of the one before. */
  readonly key?: Buffer;
  readonly version?: string;
  /** How long a list waits for servers of which nothing is known: 1.5 s, by default. What comes later is announced. */
  readonly listWaitMs?: number;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** Records what clients ask, from the start. Else it is recorded once there is a console. */
  readonly recording?: Partial<RecorderLimits>;
}

export interface ConsoleOptions {
  /** The folder of its page. Without one it says that the page is missing, and the API is there. */
  readonly page?: string | undefined;
  /** The principals of `tokens` that see everything, and answer everything that waits. Others see what is theirs. */
  readonly administrators?: readonly string[];
  /** A token of administrators, for the console alone. */
  readonly secret?: string | undefined;
  /** Who is let in. Every principal of `tokens`, by default: that is wrong where many clients have one token. */
  readonly readers?: 'administrators' | undefined;
  /** The file in which a person at the console saves calls; none are saved without it. */
  readonly checks?: string | undefined;
  /** Of the process that serves. */
  readonly pid: number;
  /** Records what clients ask from the start, by default: `once-opened` begins when the page is opened. */
  readonly records?: 'once-opened';
}

export interface HttpAddress extends Partial<GuardOptions> {
  /** 127.0.0.1, by default. */
  readonly hostname?: string;
  /** Any that is free, by default. */
  readonly port?: number;
  /** Where they are not those of `HTTP_LIMITS`. */
  readonly limits?: Partial<HttpLimits>;
  /** Shows at `/console` what happens. */
  readonly console?: ConsoleOptions;
}

/** A client on two streams. */
export interface StdioClient {
  readonly input: Readable;
  readonly output: Writable;
  /** As of a client over HTTP: `/mcp`, by default. */
  readonly path?: string;
  readonly signal: AbortSignal;
}

export interface Listening extends AsyncDisposable {
  readonly url: string;
  readonly console?: ListeningConsole;
  /** From now on these count in place of `tokens`. All connections end, since a token of before may have opened them. */
  replaceTokens(tokens: ReadonlyMap<string, string>): void;
}

export interface ListeningConsole {
  readonly url: string;
  /** An address that opens the page once, for an administrator. It is good for five minutes. */
  launch(): string;
}

export class Gateway implements AsyncDisposable {
  readonly host: Host;
  readonly #core: GatewayCore;
  readonly #settings: OwnSettings;
  readonly #listening = new Set<Listening>();

  constructor(host: Host, core: GatewayCore, settings: OwnSettings) {
    this.host = host;
    this.#core = core;
    this.#settings = settings;
  }

  /** What is recorded; `undefined` if the gateway does not record. */
  get recorder(): Recorder | undefined {
    return this.#core.recorder;
  }

  /** Serves one client, until it leaves or `signal` aborts. Nothing is served where there is nothing at `path`. */
  async stdio({ input, output, path = '/mcp', signal }: StdioClient): Promise<'served' | 'none'> {
    const endpoint = this.#core.endpointAt(path);
    if (endpoint === undefined) return 'none';
    const context = { core: this.#core, endpoint, principal: 'stdio', front: 'stdio' } as const;
    await serveStdio({ ...context, input, output }, signal);
    return 'served';
  }

  async listen({ hostname = '127.0.0.1', port = 0, ...address }: HttpAddress): Promise<Listening> {
    const limits = { ...HTTP_LIMITS, ...address.limits };
    const { tokens, hosts = [], origins = [] } = address;
    const guard = { tokens, hosts, origins };
    const room = new BodyRoom(limits.bodiesBytes);
    const options = { guard, limits, room };
    const http = new HttpFront(this.#core, options);
    const sse = new SseFront(this.#core, options);
    const sockets = new WsFront(this.#core, options);
    let shown: ConsoleFront | undefined;
    const server = createServer(serverOptions(limits), (request, response) => {
      const front = shown?.isFor(request) === true ? shown : sse.isFor(request) ? sse : http;
      front.handle(request, response);
    });
    server.on('upgrade', sockets.upgrade);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, hostname, resolve);
    });
    const { port: taken } = server.address() as AddressInfo;
    const origin = `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${taken}`;
    const url = `${origin}/mcp`;
    let apps: AppsOrigin | undefined;
    if (address.console !== undefined) {
      const { administrators = [], secret, readers, pid, records } = address.console;
      apps = await serveApps({ hostname, parents: [origin, `http://localhost:${taken}`] });
      const page = await readPage(address.console.page, apps?.origin);
      const console = new Console({ core: this.#core, pid, url, records, apps: apps?.origin });
      const { recorder } = console;
      const routes = [
        ...callRoutes(recorder),
        offersRoute(this.host),
        runRoute(this.#core, recorder),
        ...serverRoutes(console, this.#settings),
        ...ruleRoutes(this.#settings),
        ...definitionRoutes(this.host),
        ...contextRoutes(console, this.#settings),
        ...savedCallRoutes(address.console.checks, { core: this.#core, recorder }),
      ];
      const at = { url: `${origin}/console/`, page, console, routes };
      shown = new ConsoleFront({ ...options, ...at, administrators, secret, readers });
    }
    const listening: Listening = {
      url,
      ...(shown === undefined ? {} : { console: shown }),
      replaceTokens: (replacing) => {
        guard.tokens = replacing;
        server.closeAllConnections();
        void sockets.drop();
      },
      [Symbol.asyncDispose]: async () => {
        this.#listening.delete(listening);
        shown?.[Symbol.dispose]();
        await Promise.all([http, sse, sockets].map((front) => front[Symbol.asyncDispose]()));
        await Promise.all([closed(server), apps?.[Symbol.asyncDispose]()]);
      },
    };
    this.#listening.add(listening);
    return listening;
  }

  async close(): Promise<void> {
    this.#core.end();
    await Promise.all([...this.#listening].map((each) => each[Symbol.asyncDispose]()));
    await this.#core[Symbol.asyncDispose]();
    await this.host.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

export async function createGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const { clock = systemClock, logger = silentLogger, key = randomBytes(32) } = options;
  const desk = new Desk(clock, logger);
  const approvals = new ClientApprovals(desk);
  const host = await createHost({
    approve: approvals.approve,
    ...options.host,
    clock,
    logger,
  });
  const core = new GatewayCore({
    host,
    approvals,
    desk,
    seal: new Seal(key, clock),
    clock,
    logger,
    version: options.version ?? '0.1.0',
    listWaitMs: options.listWaitMs ?? 1500,
    profiles: options.profiles ?? {},
    all: options.all ?? {},
  });
  if (options.recording !== undefined) core.record(options.recording);
  return new Gateway(host, core, settingsOf(options.host));
}

/** The files that the host reads, and for which it reads them. */
function settingsOf(options: HostOptions = {}): OwnSettings {
  const { files = 'discover', cwd, servers = {}, mcpConfig, mcpConfigCounts, trust } = options;
  const found = options.environment ?? hostEnvironment();
  const environment = cwd === undefined ? found : { ...found, cwd };
  const read = (): Promise<AdmittedConfiguration> =>
    readConfiguration({
      environment,
      files,
      given: servers,
      givenBy: 'createHost',
      ...(mcpConfig === undefined ? {} : { mcpConfig }),
      ...(mcpConfigCounts === undefined ? {} : { mcpConfigCounts }),
      ...(trust === undefined ? {} : { trust }),
    });
  return { environment, read: files === 'none' ? undefined : read };
}
