// The four cells of client era and server era, each with an official client in front of a real gateway and a server
// process behind it.

import { join } from 'node:path';
import { Client, type Result } from '@modelcontextprotocol/client';
import { type Scope, systemClock } from '@plugboard/base';
import { allowAll, type HostOptions } from '@plugboard/host';
import type { Era } from '@plugboard/host/relay';
import { isLong, type Script, scriptedServer, tempFolder } from '@plugboard/testkit';
import { hostEnvironment } from '../../host/src/platform/index.ts';
import { runningBrokers, stopBroker } from '../../host/src/protocol/index.ts';
import {
  createGateway,
  type Gateway,
  type GatewayOptions,
  type HttpAddress,
} from '../src/index.ts';
import { type Front, FRONTS, transportTo } from './fronts.ts';

export interface Cell {
  readonly name: string;
  readonly client: Era;
  readonly server: Era;
}

const ERAS: readonly Era[] = ['legacy', 'modern'];

export const cells: readonly Cell[] = ERAS.flatMap((client) =>
  ERAS.map((server) => ({ name: `${client} client, ${server} server`, client, server })),
);

/** Those with different eras, so each era on each side once; in a long run all four. */
export const mixed: readonly Cell[] = cells.filter(
  ({ client, server }) => isLong || client !== server,
);

/**
 * All cells over HTTP, and the mixed ones over every other front: a front does not know the era of the server. HTTP+SSE is
 * older than the modern era.
 */
export const frontCells: readonly (Cell & { readonly front: Front })[] = FRONTS.flatMap((front) =>
  (front === 'http' ? cells : mixed)
    .filter(({ client }) => front !== 'sse' || client === 'legacy')
    .map((cell) => ({ ...cell, front, name: `${cell.name}, over ${front}` })),
);

export interface OpenGateway {
  readonly gateway: Gateway;
  readonly url: string;
  /** Connects a client to a path below `/mcp`. */
  readonly connect: (era: Era, options?: ConnectOptions) => Promise<Client>;
}

export interface ConnectOptions {
  /** After `/mcp`. */
  readonly path?: string;
  /** `http` by default. */
  readonly front?: Front;
  readonly capabilities?: Record<string, object>;
  readonly prepare?: (client: Client) => void;
}

export interface GatewaySettings extends Omit<GatewayOptions, 'host'> {
  /** `given` by default: the options of the host allow everything. */
  readonly approvals?: 'given' | 'of clients';
  /** Any free port by default. */
  readonly address?: HttpAddress;
  /** The folder of another gateway, whose state it uses. */
  readonly home?: string;
}

export async function openGateway(
  scope: Scope,
  options: Omit<HostOptions, 'environment'>,
  { approvals = 'given', address = {}, home: given, ...settings }: GatewaySettings = {},
): Promise<OpenGateway> {
  const home = given ?? scope.use(await tempFolder()).path;
  const { paths, env, ...rest } = hostEnvironment();
  const { XDG_RUNTIME_DIR: _, ...variables } = env;
  const at = (name: string): string => join(home, name);
  const own = { state: at('state'), config: at('config'), cache: at('cache') };
  const environment = { ...rest, env: variables, cwd: home, paths: { ...paths, ...own } };
  // Shared servers outlive their host.
  scope.defer(async () => {
    for (const { socket } of await runningBrokers(join(own.state, 'shared'), systemClock)) {
      await stopBroker(socket, systemClock);
    }
  });
  const gateway = scope.use(
    await createGateway({
      // Long, so that the start of servers on a busy machine does not affect most tests.
      listWaitMs: 60_000,
      ...settings,
      host: {
        files: 'none',
        ...(approvals === 'given' ? { approve: allowAll } : {}),
        environment,
        ...options,
      },
    }),
  );
  const { url } = await gateway.listen(address);
  return {
    gateway,
    url,
    async connect(era, { path = '', front = 'http', capabilities = {}, prepare } = {}) {
      const mode = era === 'modern' ? ({ pin: '2026-07-28' } as const) : 'legacy';
      const client = new Client(
        { name: 'official', version: '1.0.0' },
        { capabilities, versionNegotiation: { mode } },
      );
      prepare?.(client);
      await client.connect(transportTo(front, { scope, gateway, url, path }));
      scope.use({ [Symbol.asyncDispose]: () => client.close() });
      return client;
    },
  };
}

export function serverOf(era: Era, script: Script = {}): { command: string; args: string[] } {
  const { command, args } = scriptedServer({ ...script, eras: [era] });
  return { command, args: [...args] };
}

/** The error of a refused request. */
export async function rpcErrorOf(request: Promise<unknown>): Promise<object> {
  try {
    await request;
  } catch (thrown) {
    const { code, message, data } = thrown as { code?: number; message?: string; data?: unknown };
    return { code, message, ...(data === undefined ? {} : { data }) };
  }
  throw new Error('the request was answered');
}

/** The result of a request, with members that the official client does not know. */
export function requestOf(client: Client, method: string, params: object = {}): Promise<Result> {
  return client.request({ method, params: { ...params } }, ANYTHING) as Promise<Result>;
}

const ANYTHING = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value: unknown) => ({ value }),
  },
} as const;
