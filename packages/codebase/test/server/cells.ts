// Connects the official client to the command, in every combination of era and transport.

import {
  Client,
  type FetchLike,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { isLong } from '@plugboard/testkit';
import { COMMAND, startHttp } from './server-process.ts';

export interface Cell {
  readonly era: 'legacy' | 'modern';
  readonly transport: 'stdio' | 'http';
}

const ALL: readonly Cell[] = [
  { era: 'legacy', transport: 'stdio' },
  { era: 'modern', transport: 'stdio' },
  { era: 'legacy', transport: 'http' },
  { era: 'modern', transport: 'http' },
];

/** Each era and each transport once; in a long run all four. */
export const CELLS: readonly Cell[] = ALL.filter(
  ({ era, transport }) => isLong || (era === 'legacy') === (transport === 'stdio'),
);

/** For what depends on neither era nor transport: one cell; in a long run all four. */
export const ONE_CELL: readonly Cell[] = isLong ? ALL : CELLS.slice(-1);

export interface ConnectedClient extends AsyncDisposable {
  readonly client: Client;
  /** The id of the server process. */
  readonly pid: number;
}

export interface Place {
  readonly root: string;
  /** Further roots, as in flags: `api=/code/api`. */
  readonly more?: readonly string[];
  readonly cache: string;
}

export function newClient(era: Cell['era']): Client {
  return new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } },
  );
}

export async function connect({ era, transport }: Cell, place: Place): Promise<ConnectedClient> {
  const roots = [place.root, ...(place.more ?? [])];
  const args = [...roots.flatMap((root) => ['--root', root]), '--cache', place.cache];
  const client = newClient(era);
  if (transport === 'stdio') {
    const wire = new StdioClientTransport({
      command: process.execPath,
      args: [COMMAND, ...args],
      stderr: 'ignore',
    });
    await client.connect(wire);
    return {
      client,
      pid: wire.pid ?? 0,
      [Symbol.asyncDispose]: () => client.close(),
    };
  }
  const server = await startHttp(args);
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
  return {
    client,
    pid: server.pid,
    async [Symbol.asyncDispose]() {
      await client.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

export async function connectHttp(
  era: Cell['era'],
  url: string,
  options: { readonly headers?: Record<string, string>; readonly fetch?: FetchLike } = {},
): Promise<Client> {
  const client = newClient(era);
  const { headers = {}, fetch } = options;
  const wire = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    ...(fetch === undefined ? {} : { fetch }),
  });
  await client.connect(wire);
  return client;
}
