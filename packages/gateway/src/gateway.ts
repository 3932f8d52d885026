// A gateway: one host, and the fronts through which clients use it.

import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { type Clock, type Logger, silentLogger, systemClock } from '@plugboard/base';
import { createHost, type Host, type HostOptions } from '@plugboard/host';
import { type AdmittedConfiguration, hostEnvironment } from '@plugboard/host/configuration';
import { configurationOf } from '@plugboard/host/relay';
import { Desk, Seal } from './client/index.ts';
import {
  type AppsOrigin,
  Console,
  ConsoleFront,
  type OwnSettings,
  readPage,
  serveApps,
} from './console/index.ts';
import { ClientApprovals, type Offering, type Profile } from './endpoint/index.ts';
import {
  BodyRoom,
  closeServer,
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
  /** The options of the host. Unless `approve` is given, the gateway asks clients to approve calls. */
  readonly host?: HostOptions;
  /** In addition to the profiles of the user's settings, and in place of one with the same name. */
  readonly profiles?: Readonly<Record<string, Profile>>;
  /** How the endpoint of all servers offers them, at `/mcp` and over stdio. */
  readonly all?: Offering;
  /** 32 bytes. With the same key, a restarted gateway accepts the state that clients hold from before. */
  readonly key?: Buffer;
  readonly version?: string;
  /** How long a list waits for servers of which nothing is known: 1.5 s by default. Later results are announced. */
  readonly listWaitMs?: number;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** Records the requests of clients from the start. Otherwise recording begins with a console. */
  readonly recording?: Partial<RecorderLimits>;
}

export interface ConsoleOptions {
  /** The folder of the page. Without it, only the API works, and a text says that the page is missing. */
  readonly page?: string | undefined;
  /** The principals of `tokens` that see and answer everything. Others see only their own calls and questions. */
  readonly administrators?: readonly string[];
  /** A token of administrators that only the console accepts. */
  readonly secret?: string | undefined;
  /** Who may use the console. The default, every principal of `tokens`, is wrong if many clients share a token. */
  readonly readers?: 'administrators' | undefined;
  /** The file for saved calls; without it, no calls can be saved. */
  readonly checks?: string | undefined;
  /** When to record the requests of clients: from the start by default, or once the page is opened. */
  readonly records?: 'once-opened';
}

export interface HttpAddress extends Partial<GuardOptions> {
  /** 127.0.0.1 by default. */
  readonly hostname?: string;
  /** Any free port by default. */
  readonly port?: number;
  /** Limits that differ from `HTTP_LIMITS`. */
  readonly limits?: Partial<HttpLimits>;
  /** Serves a console at `/console`. */
  readonly console?: ConsoleOptions;
}

/** A client on two streams. */
export interface StdioClient {
  readonly input: Readable;
  readonly output: Writable;
  /** The path of the endpoint, as over HTTP: `/mcp` by default. */
  readonly path?: string;
  readonly signal: AbortSignal;
}

export interface Listening extends AsyncDisposable {
  readonly url: string;
  readonly console?: ListeningConsole;
  /** Replaces `tokens`, and closes all connections, since an old token may have opened them. */
  replaceTokens(tokens: ReadonlyMap<string, string>): void;
}

export interface ListeningConsole {
  readonly url: string;
  /** Makes an address that opens the page once for an administrator, within five minutes. */
  launch(): string;
}

export class Gateway implements AsyncDisposable {
  readonly host: Host;
  readonly #core: GatewayCore;
  readonly #settings: OwnSettings;
  readonly #listeners = new Set<Listening>();

  constructor(host: Host, core: GatewayCore, settings: OwnSettings) {
    this.host = host;
    this.#core = core;
    this.#settings = settings;
  }

  /** The recorded calls; `undefined` if the gateway does not record. */
  get recorder(): Recorder | undefined {
    return this.#core.recorder;
  }

  /** Serves one client until it disconnects or `signal` aborts; `none` if there is no endpoint at `path`. */
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
      const { page, administrators = [], secret, readers, checks, records } = address.console;
      apps = await serveApps({ hostname, parents: [origin, `http://localhost:${taken}`] });
      const facts = { core: this.#core, settings: this.#settings, checks, records, url };
      shown = new ConsoleFront({
        ...options,
        ...{ administrators, secret, readers },
        url: `${origin}/console/`,
        page: await readPage(page, apps?.origin),
        console: new Console({ ...facts, apps: apps?.origin }),
      });
    }
    const listening: Listening = {
      url,
      ...(shown === undefined ? {} : { console: shown }),
      replaceTokens: (replacement) => {
        guard.tokens = replacement;
        server.closeAllConnections();
        void sockets.drop();
      },
      [Symbol.asyncDispose]: async () => {
        this.#listeners.delete(listening);
        shown?.[Symbol.dispose]();
        await Promise.all([http, sse, sockets].map((front) => front[Symbol.asyncDispose]()));
        await Promise.all([closeServer(server), apps?.[Symbol.asyncDispose]()]);
      },
    };
    this.#listeners.add(listening);
    return listening;
  }

  async close(): Promise<void> {
    this.#core.end();
    await Promise.all([...this.#listeners].map((each) => each[Symbol.asyncDispose]()));
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

/** The settings that the host reads, and its environment. */
function settingsOf(options: HostOptions = {}): OwnSettings {
  const { files, cwd } = options;
  const found = options.environment ?? hostEnvironment();
  const environment = cwd === undefined ? found : { ...found, cwd };
  const read = (): Promise<AdmittedConfiguration> => configurationOf(environment, options);
  return { environment, read: files === 'none' ? undefined : read };
}
