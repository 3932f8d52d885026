// The library's front door: reads the configuration, keeps the servers and gives an agent their
// tools. It wires the rooms together and decides nothing itself.

import { type Clock, type Logger, silentLogger, systemClock } from '@plugboard/base';
import { join } from 'node:path';
import { CatalogStore } from '../catalog/index.ts';
import { type Configuration, ideServers, loadConfig } from '../config/index.ts';
import {
  type ConnectLimits,
  DEFAULT_CONNECT_LIMITS,
  DEFAULT_UPKEEP,
  Supervisor,
  type UpkeepSettings,
} from '../connection/index.ts';
import { type HostEnvironment, hostEnvironment, ProcessLedger } from '../platform/index.ts';
import type { InboundPort, InProcessServer, ServerIdentity } from '../protocol/index.ts';
import { Records } from '../records/index.ts';
import { type Approver, denyAll } from './approver.ts';
import { Host } from './host.ts';
import type { Loaded } from './hot-reload.ts';
import { fromConfiguration, fromProgram, type KnownServer } from './known-servers.ts';
import { HOST_IDENTITY } from './version.ts';

export interface HostOptions {
  /** Entries in the shape of `mcpServers`, stronger than those of any file. */
  readonly servers?: Readonly<Record<string, unknown>>;
  /** Servers of this very process, under any name. */
  readonly inProcess?: Readonly<Record<string, InProcessServer>>;
  /** `none` reads no configuration file: only what is given here exists. */
  readonly files?: 'discover' | 'none';
  /** `files`, unless given: edits of the files are followed while the host lives. */
  readonly watch?: 'files' | 'none';
  /** `discover` adds the servers of editors that have the working directory open. */
  readonly ide?: 'discover' | 'none';
  /** Decides each call. Without it every call is denied. */
  readonly approve?: Approver;
  /** Where files are looked for and servers are started. */
  readonly cwd?: string;
  readonly environment?: HostEnvironment;
  /** How the program introduces itself to servers. */
  readonly identity?: ServerIdentity;
  readonly limits?: ConnectLimits;
  readonly upkeep?: Partial<UpkeepSettings>;
  /** Answers servers that ask the user something. Without it they cannot ask. */
  readonly elicit?: NonNullable<InboundPort['elicit']>;
  /** What is kept of every frame; `bodies` only to look for a fault, with credentials hidden. */
  readonly trace?: 'metadata' | 'bodies';
  readonly logger?: Logger;
  readonly clock?: Clock;
}

/** Nothing is started or reached yet: servers connect when needed, but for those that say `eager`. */
export async function createHost(options: HostOptions = {}): Promise<Host> {
  const { logger = silentLogger, clock = systemClock } = options;
  const found = options.environment ?? hostEnvironment();
  const environment = options.cwd === undefined ? found : { ...found, cwd: options.cwd };
  const load = (): Promise<Loaded> => loadServers(environment, options);
  const loaded = await load();
  const store = new CatalogStore({ cache: environment.paths.cache, clock, logger });
  const supervisor = new Supervisor(
    {
      clock,
      logger,
      client: options.identity ?? HOST_IDENTITY,
      inbound: options.elicit === undefined ? {} : { elicit: options.elicit },
      eras: store.eras,
      ledger: new ProcessLedger({ directory: join(environment.paths.state, 'processes'), logger }),
    },
    options.limits ?? DEFAULT_CONNECT_LIMITS,
  );
  return new Host({
    loaded,
    load: options.files === 'none' || options.watch === 'none' ? undefined : load,
    approve: options.approve ?? denyAll,
    supervisor,
    store,
    records: new Records({
      state: environment.paths.state,
      keep: options.trace ?? 'metadata',
      clock,
      logger,
    }),
    clock,
    logger,
  });
}

async function loadServers(environment: HostEnvironment, options: HostOptions): Promise<Loaded> {
  const configuration = await loadConfig({
    environment,
    files: options.files ?? 'discover',
    given: {
      ...(options.ide === 'discover' ? await ideServers(environment) : {}),
      ...options.servers,
    },
  });
  return {
    configuration,
    servers: allServers(configuration, environment, options),
    watched: configuration.files.map(({ path }) => path),
  };
}

/** A server of the program itself is what the program means by that name, whatever files say. */
function allServers(
  configuration: Configuration,
  environment: HostEnvironment,
  options: HostOptions,
): readonly KnownServer[] {
  const settings = { ...DEFAULT_UPKEEP, ...options.upkeep };
  const ours = Object.entries(options.inProcess ?? {});
  const taken = new Set(ours.map(([name]) => name));
  return [
    ...configuration.servers
      .filter(({ name }) => !taken.has(name))
      .map((server) => fromConfiguration(server, environment, settings)),
    ...ours.map(([name, server]) => fromProgram(name, server, settings)),
  ].toSorted((a, b) => (a.facts.name < b.facts.name ? -1 : 1));
}
