// A gateway: one host, and the fronts over which clients reach it.

import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { type Clock, type Logger, silentLogger, systemClock } from '@plugboard/base';
import { createHost, type Host, type HostOptions } from '@plugboard/host';
import { Seal } from './client/index.ts';
import { ClientApprovals, type Offering, type Profile } from './endpoint/index.ts';
import {
  type GuardOptions,
  HTTP_LIMITS,
  HttpFront,
  type HttpLimits,
  scopeAt,
  serverOptions,
  serveStdio,
  SseFront,
  WsFront,
} from './front/index.ts';
import { GatewayCore } from './session/index.ts';

export interface GatewayOptions {
  /** As for any host. The gateway approves by asking clients, unless `approve` is given. */
  readonly host?: HostOptions;
  readonly profiles?: Readonly<Record<string, Profile>>;
  /** How all servers together are offered, at `/mcp` and over stdio. */
  readonly all?: Offering;
  /** 32 bytes. With the same key, a gateway that was restarted knows what clients have of the one before. */
  readonly key?: Buffer;
  readonly version?: string;
  /** For so long a list waits for servers of which nothing is known: 1.5 s, unless given. What comes later is announced. */
  readonly listWaitMs?: number;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

export interface HttpAddress extends Partial<GuardOptions> {
  /** 127.0.0.1, unless given. */
  readonly hostname?: string;
  /** Any that is free, unless given. */
  readonly port?: number;
  /** Where they are not those of `HTTP_LIMITS`. */
  readonly limits?: Partial<HttpLimits>;
}

/** A client on two streams. */
export interface StdioClient {
  readonly input: Readable;
  readonly output: Writable;
  /** As of a client over HTTP: `/mcp`, unless given. */
  readonly path?: string;
  readonly signal: AbortSignal;
}

export interface Listening extends AsyncDisposable {
  readonly url: string;
}

export class Gateway implements AsyncDisposable {
  readonly host: Host;
  readonly #core: GatewayCore;
  readonly #listening = new Set<Listening>();

  constructor(host: Host, core: GatewayCore) {
    this.host = host;
    this.#core = core;
  }

  /** Serves one client, until it leaves or `signal` aborts. Nothing is served where there is nothing at `path`. */
  async stdio({ input, output, path = '/mcp', signal }: StdioClient): Promise<'served' | 'none'> {
    const scope = scopeAt(path, this.#core.options.profiles);
    const endpoint = scope === undefined ? undefined : this.#core.endpoint(scope);
    if (endpoint === undefined) return 'none';
    const ports = { core: this.#core, endpoint, principal: 'stdio', input, output };
    await serveStdio(ports, signal);
    return 'served';
  }

  async listen({ hostname = '127.0.0.1', port = 0, ...guard }: HttpAddress): Promise<Listening> {
    const limits = { ...HTTP_LIMITS, ...guard.limits };
    const { tokens, hosts = [], origins = [] } = guard;
    const options = { guard: { tokens, hosts, origins }, limits };
    const http = new HttpFront(this.#core, options.guard, limits);
    const sse = new SseFront(this.#core, options);
    const sockets = new WsFront(this.#core, options);
    const server = createServer(serverOptions(limits), (request, response) =>
      (sse.isFor(request) ? sse : http).handle(request, response),
    );
    server.on('upgrade', sockets.upgrade);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, hostname, resolve);
    });
    const { port: taken } = server.address() as AddressInfo;
    const shown = hostname.includes(':') ? `[${hostname}]` : hostname;
    const listening: Listening = {
      url: `http://${shown}:${taken}/mcp`,
      [Symbol.asyncDispose]: async () => {
        this.#listening.delete(listening);
        await Promise.all([http, sse, sockets].map((front) => front[Symbol.asyncDispose]()));
        await closed(server);
      },
    };
    this.#listening.add(listening);
    return listening;
  }

  async close(): Promise<void> {
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
  const approvals = new ClientApprovals();
  const host = await createHost({
    approve: approvals.approve,
    ...options.host,
    clock,
    logger,
  });
  const core = new GatewayCore({
    host,
    approvals,
    seal: new Seal(key, clock),
    clock,
    logger,
    version: options.version ?? '0.1.0',
    listWaitMs: options.listWaitMs ?? 1500,
    profiles: options.profiles ?? {},
    all: options.all ?? {},
  });
  return new Gateway(host, core);
}

async function closed(server: Server): Promise<void> {
  const closing = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeAllConnections();
  await closing;
}
