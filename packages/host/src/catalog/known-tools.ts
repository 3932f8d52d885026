// The tools that are known from earlier runs, read from files only: for a program that shows them and starts
// nothing.

import { silentLogger, systemClock } from '@plugboard/base';
import type { ConfiguredServer, PinSetting } from '../config/index.ts';
import { type Quarantined, storedPins } from '../pins/index.ts';
import type { HostEnvironment } from '../platform/index.ts';
import { CatalogStore } from './catalog-store.ts';
import { Catalog } from './catalog.ts';
import { fingerprintOf } from './fingerprint.ts';
import { type HostTool, toHostTool } from './host-tool.ts';

export interface KnownTools {
  readonly tools: readonly HostTool[];
  /** When each server listed its tools, in milliseconds since the epoch. */
  readonly lists: readonly { readonly server: string; readonly at: number }[];
  /** Servers that are not disabled and have no stored list. */
  readonly unknown: readonly string[];
  /** What is kept back, and not listed until the user accepts it. */
  readonly quarantined: readonly Quarantined[];
}

/** `servers`: those that may be used. `pins`: the pin settings, strongest first. */
export async function knownTools(
  environment: HostEnvironment,
  servers: readonly ConfiguredServer[],
  [pins]: readonly PinSetting[],
): Promise<KnownTools> {
  const store = new CatalogStore({
    cache: environment.paths.cache,
    clock: systemClock,
    logger: silentLogger,
  });
  const inUse = servers.filter(({ written }) => !written.disabled);
  const found = await Promise.all(
    inUse.map(async (server) => ({ server, list: await storedList(server, environment, store) })),
  );
  const known = found.flatMap(({ server, list }) =>
    list === undefined
      ? []
      : [{ server: server.name, filter: server.written.tools ?? {}, ...list }],
  );
  const judged = storedPins(environment, inUse, pins?.mode ?? 'tofu');
  const held = await Promise.all(known.map((list) => judged.judge(list.server, list)));
  const admitted = known.map((list) => ({
    ...list,
    tools: list.tools.filter((tool) => judged.admits(list.server, 'tool', tool)),
  }));
  return {
    tools: new Catalog(admitted).tools.map(toHostTool),
    lists: known.map(({ server, at }) => ({ server, at })),
    unknown: found.flatMap(({ server, list }) => (list === undefined ? [server.name] : [])),
    quarantined: held.flat(),
  };
}

async function storedList(
  { resolved }: ConfiguredServer,
  { cwd }: HostEnvironment,
  store: CatalogStore,
): ReturnType<CatalogStore['list']> {
  const fingerprint = resolved.kind === 'ready' ? fingerprintOf(resolved.entry, cwd) : undefined;
  return fingerprint === undefined ? undefined : store.list(fingerprint);
}
