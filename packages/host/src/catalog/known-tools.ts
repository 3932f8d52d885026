// The tools that are known from earlier runs, from files alone: for a program that only shows them and
// wants nothing started.

import { silentLogger, systemClock } from '@plugboard/base';
import type { ConfiguredServer } from '../config/index.ts';
import type { HostEnvironment } from '../platform/index.ts';
import { CatalogStore } from './catalog-store.ts';
import { Catalog } from './catalog.ts';
import { fingerprintOf } from './fingerprint.ts';
import { type HostTool, toHostTool } from './host-tool.ts';

export interface KnownTools {
  readonly tools: readonly HostTool[];
  /** When each server listed its tools, in milliseconds since the epoch. */
  readonly lists: readonly { readonly server: string; readonly at: number }[];
  /** Servers in use of which nothing is known: to see their tools, they must be asked. */
  readonly unknown: readonly string[];
}

/** `servers` are those that may be used. */
export async function knownTools(
  environment: HostEnvironment,
  servers: readonly ConfiguredServer[],
): Promise<KnownTools> {
  const store = new CatalogStore({
    cache: environment.paths.cache,
    clock: systemClock,
    logger: silentLogger,
  });
  const inUse = servers.filter(({ written }) => !written.disabled);
  const found = await Promise.all(
    inUse.map(async (server) => ({ server, list: await listOf(server, environment, store) })),
  );
  const known = found.flatMap(({ server, list }) =>
    list === undefined
      ? []
      : [{ server: server.name, filter: server.written.tools ?? {}, ...list }],
  );
  return {
    tools: new Catalog(known).tools.map(toHostTool),
    lists: known.map(({ server, at }) => ({ server, at })),
    unknown: found.flatMap(({ server, list }) => (list === undefined ? [server.name] : [])),
  };
}

async function listOf(
  { resolved }: ConfiguredServer,
  { cwd }: HostEnvironment,
  store: CatalogStore,
): ReturnType<CatalogStore['list']> {
  const fingerprint = resolved.kind === 'ready' ? fingerprintOf(resolved.entry, cwd) : undefined;
  return fingerprint === undefined ? undefined : store.list(fingerprint);
}
