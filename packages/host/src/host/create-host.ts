// The entrance of the library: reads the configuration and creates a host. It wires the rooms together and decides
// nothing itself.

import { type Clock, definedFields, type Logger, silentLogger, systemClock } from '@plugboard/base';
import { join } from 'node:path';
import {
  type AdmittedConfiguration,
  type AdmittedServer,
  readConfiguration,
} from '../admission/index.ts';
import {
  Authorizations,
  type Browser,
  type CredentialStore,
  refusalsInMemory,
} from '../auth/index.ts';
import { CatalogStore } from '../catalog/index.ts';
import {
  type FlowMode,
  type WrittenEntry,
  type WrittenHooks,
  type WrittenPermissions,
} from '../config/index.ts';
import {
  type ConnectLimits,
  DEFAULT_UPKEEP,
  type PlanPorts,
  type SecretReader,
  Supervisor,
  type UpkeepSettings,
} from '../connection/index.ts';
import { Output, type OutputOptions } from '../output/index.ts';
import type { PinMode } from '../pins/index.ts';
import {
  type HostEnvironment,
  hostEnvironment,
  networkSettings,
  ProcessLedger,
} from '../platform/index.ts';
import type { InProcessServer, RemoteServer, ServerIdentity } from '../protocol/index.ts';
import { Records } from '../records/index.ts';
import { Scripts } from '../scripts/index.ts';
import { isTamePattern } from '../schema/index.ts';
import { type SecretStore, secretStore, userSecrets } from '../vault/index.ts';
import { type Approver, denyAll, denyReads, type ReadApprover } from './approver.ts';
import { callPolicies, type CallPolicyPorts, keptCallSettings } from './call-policies.ts';
import { ConnectorUpkeep } from './connector-upkeep.ts';
import { Host } from './host.ts';
import { hostInbound, type InboundOptions } from './host-inbound.ts';
import type { LoadedConfiguration, Step } from './hot-reload.ts';
import { KeptApprovals } from './kept-approvals.ts';
import { fromConfiguration, fromProgram, type ServerPorts } from './known-servers.ts';
import { type ProgramServer, ProgramServers } from './program-servers.ts';
import { resultSigns } from './result-signs.ts';
import { type KeptSignIns, ownSignIns } from './sign-ins.ts';
import { storedSecrets } from './stored-secrets.ts';
import { structuredProblems } from './schema-check.ts';
import { HOST_IDENTITY } from './version.ts';

export interface HostOptions extends InboundOptions {
  /** Entries in the form of `mcpServers`, stronger than those of all files except the machine owner's. */
  readonly servers?: Readonly<Record<string, WrittenEntry>>;
  /** Servers in this process, under any name. */
  readonly inProcess?: Readonly<Record<string, InProcessServer>>;
  /** `none` reads only the files of the machine's owner and of `mcpConfig`, and no plugin. */
  readonly files?: 'discover' | 'none';
  /** Files, or JSON, whose servers count for this host as if the program had stated them; later ones are stronger. */
  readonly mcpConfig?: readonly string[];
  /** `only`: no other servers count, except those that the program states. */
  readonly mcpConfigCounts?: 'with-others' | 'only';
  /**
   * The result of `readConfiguration`, for a program that needed it before it has a host: it is not read again. It must
   * come from the same environment, trust, entries and settings. Later edits are followed as always.
   */
  readonly configuration?: AdmittedConfiguration;
  /**
   * `stored`, the default: servers that came with the folder or a plugin start once the user has approved them.
   * `project` approves all of them for the life of this host.
   */
  readonly trust?: 'stored' | 'project';
  /** `files`, the default: edits of the files are followed while the host lives. */
  readonly watch?: 'files' | 'none';
  /** `discover` adds the servers of editors that have the working directory open. */
  readonly ide?: 'discover' | 'none';
  /** Approves calls that no rule allows or denies. Without it they are denied. */
  readonly approve?: Approver;
  /** Approves reads for which a server’s `readPermission` is `ask`. Without it they are denied. */
  readonly approveRead?: ReadApprover;
  /** Rules about calls, in the form of the setting `permissions`; stronger than those of the user. */
  readonly permissions?: WrittenPermissions;
  /** Commands that run around calls, in the form of the setting `hooks`. */
  readonly hooks?: WrittenHooks;
  /**
   * How a server that is listed for the first time is treated, as in the setting `pins`; stronger than
   * that of the user. Servers in this process are not pinned.
   */
  readonly pins?: PinMode;
  /** The folder in which files are searched and servers are started. */
  readonly cwd?: string;
  readonly environment?: HostEnvironment;
  /** How the program introduces itself to servers. */
  readonly identity?: ServerIdentity;
  /** How many servers connect at the same time; stronger than the user's setting `limits`. */
  readonly limits?: Partial<ConnectLimits>;
  readonly upkeep?: Partial<UpkeepSettings>;
  /** Reads the secrets that entries name. The user's own store, by default. */
  readonly secrets?: SecretReader;
  /** How signing in at servers goes. */
  readonly authorization?: AuthorizationOptions;
  /** What is recorded of every message; `bodies` is for debugging only, with credentials hidden. */
  readonly trace?: 'metadata' | 'bodies';
  /** The size limits of results. `as-is`: results unchanged, and no files. */
  readonly output?: OutputOptions | 'as-is';
  /**
   * What happens to a call that would send something out after its conversation has read private data and foreign text,
   * if the settings do not say: `ask`, by default.
   */
  readonly flow?: FlowMode;
  /** `results`, the default: a note is added before a result with signs of an attempt to mislead a model. */
  readonly scan?: 'results' | 'none';
  readonly logger?: Logger;
  readonly clock?: Clock;
}

export interface AuthorizationOptions {
  /** Called whenever a server requires the user to sign in. Without it the user signs in with `login`. */
  readonly browser?: Browser;
  /** Stores credentials. The user's own store, by default. */
  readonly credentials?: CredentialStore;
  /** The https address of the document that describes the program to authorization servers. */
  readonly clientMetadataUrl?: string;
}

/** Starts and contacts nothing yet: servers connect when needed, except those with `eager`. */
export async function createHost(options: HostOptions = {}): Promise<Host> {
  const { logger = silentLogger, clock = systemClock } = options;
  const found = options.environment ?? hostEnvironment();
  const environment = options.cwd === undefined ? found : { ...found, cwd: options.cwd };
  const { state, cache } = environment.paths;
  const ledger = new ProcessLedger({ directory: join(state, 'processes'), logger });
  const own = secretStore(environment, { clock });
  const secrets = options.secrets ?? storedSecrets(userSecrets(own));
  const signIns = signInStores(options, { environment, own, clock, logger });
  const authorizations = authorizationsOf(options, { environment, clock, logger, signIns });
  const authorize = (server: RemoteServer) => authorizations.of(server);
  const inbound = hostInbound(options, { cwd: environment.cwd, clock, logger });
  const ports = { environment, secrets, clock, logger, ledger, authorize, inbound };
  const connectors = new ConnectorUpkeep(ports);
  const sources = { ...options, program: new ProgramServers(statedBy(options)) };
  const loadFrom = (configuration: AdmittedConfiguration): Promise<LoadedConfiguration> => {
    connectors.follow(configuration.connectors);
    return loadedFrom(configuration, sources, ports);
  };
  const load = async (): Promise<LoadedConfiguration> =>
    loadFrom(await configurationOf(environment, options, sources.program));
  const { configuration: read } = options;
  const known = await (read === undefined ? load() : loadFrom(read));
  const loaded = (await connectors.refreshOld()) ? await load() : known;
  const store = new CatalogStore({ cache, clock, logger });
  const client = options.identity ?? HOST_IDENTITY;
  const supervisor = new Supervisor({ clock, logger, ledger, client, memory: store });
  connectors.start();
  return new Host({
    loaded,
    program: sources.program,
    following: {
      watch: followsFiles(options) ? (options.watch ?? 'files') : 'none',
      load,
      carry: (step) => carryOver(step, sources, ports),
    },
    connectors,
    authorizations,
    signIns: { ...signIns, secrets, clock },
    approve: options.approve ?? denyAll,
    approveRead: options.approveRead ?? denyReads,
    approvals: new KeptApprovals({
      environment,
      root: loaded.configuration.root,
      readsUserFile: options.files !== 'none',
    }),
    output: outputOf(options, { environment, clock }),
    scripts: new Scripts(clock),
    supervisor,
    inbound,
    store,
    records: new Records({ state, keep: options.trace ?? 'metadata', clock, logger }),
    state,
    stated: { pins: options.pins, limits: options.limits },
    clock,
    logger,
  });
}

function followsFiles({ files, mcpConfig = [] }: HostOptions): boolean {
  return files !== 'none' || mcpConfig.length > 0;
}

function outputOf(
  { output = {}, scan = 'results' }: HostOptions,
  { environment, clock }: { readonly environment: HostEnvironment; readonly clock: Clock },
): Output {
  const { cache } = environment.paths;
  const signsIn = scan === 'none' ? undefined : resultSigns;
  const problemsOf = structuredProblems;
  return new Output(output, { cache, clock, problemsOf, isTamePattern, signsIn });
}

/** A program with its own store does not share the refusals of the user's store. */
function signInStores(
  { authorization: { credentials } = {} }: HostOptions,
  ports: {
    readonly environment: HostEnvironment;
    readonly own: SecretStore;
    readonly clock: Clock;
    readonly logger: Logger;
  },
): KeptSignIns {
  const { environment, own, clock } = ports;
  return credentials === undefined
    ? ownSignIns(environment, own, ports)
    : { store: credentials, refusals: refusalsInMemory(clock) };
}

function authorizationsOf(
  { identity = HOST_IDENTITY, authorization = {} }: HostOptions,
  ports: {
    readonly environment: HostEnvironment;
    readonly clock: Clock;
    readonly logger: Logger;
    readonly signIns: KeptSignIns;
  },
): Authorizations {
  const { environment, clock, logger, signIns } = ports;
  const { browser, clientMetadataUrl } = authorization;
  return new Authorizations({
    ...signIns,
    network: networkSettings(environment),
    clock,
    logger,
    clientName: identity.name,
    browser,
    clientMetadataUrl,
  });
}

interface Sources extends HostOptions {
  readonly program: ProgramServers;
}

/** A server in the program's process takes precedence over an entry with its name. */
function statedBy({ servers = {}, inProcess = {} }: HostOptions): Map<string, ProgramServer> {
  return new Map(Object.entries({ ...servers, ...inProcess }) as [string, ProgramServer][]);
}

/** What a host with these options reads. */
export function configurationOf(
  environment: HostEnvironment,
  options: HostOptions,
  program = new ProgramServers(statedBy(options)),
): Promise<AdmittedConfiguration> {
  const { files, mcpConfig, mcpConfigCounts, trust, ide, permissions, hooks } = options;
  return readConfiguration({
    environment,
    ...definedFields({ files, mcpConfig, mcpConfigCounts, trust, ide }),
    given: program.entries,
    givenSettings: { permissions, hooks },
    givenBy: 'createHost',
  });
}

type LoadPorts = PlanPorts &
  Pick<CallPolicyPorts, 'environment' | 'clock' | 'ledger'> &
  Pick<ServerPorts, 'inbound' | 'logger'>;

/** The configuration that takes effect: with the servers that stay from the earlier one, admitted by the current rules. */
async function carryOver(
  { before, now, keeps }: Step,
  options: Sources,
  ports: LoadPorts,
): Promise<LoadedConfiguration> {
  const last = before.configuration;
  const rejected = new Set(now.configuration.rejected.map(({ name }) => name));
  // The program's current statement always counts, even while a file is broken.
  const stated = now.configuration.servers.filter(isOfProgram);
  const isStated = new Set(stated.map(({ name }) => name));
  const kept = last.servers.filter((server) => {
    if (keeps === 'all') return !isOfProgram(server) && !isStated.has(server.name);
    const counts = !isOfProgram(server) || options.program.has(server.name);
    return (rejected.has(server.name) && counts) || isUnread(server, now.configuration);
  });
  if (keeps === 'rejected' && kept.length === 0) return now;
  const judged = await now.configuration.readmit(kept, last);
  // Explained now: otherwise each configuration would hold a reference to the one before.
  const reports = new Map(kept.map(({ name }) => [name, last.explain(name)]));
  const { servers, explain } = now.configuration;
  if (keeps === 'all') {
    const { watched } = now.configuration;
    const calls = keptCallSettings(last, now.configuration);
    return loadedFrom(
      {
        ...last,
        ...calls,
        servers: [...judged, ...stated],
        watched,
        explain: (name) => reports.get(name) ?? explain(name),
      },
      options,
      ports,
    );
  }
  return loadedFrom(
    {
      ...now.configuration,
      servers: [...servers, ...judged],
      explain: (name) => reports.get(name) ?? explain(name),
    },
    options,
    ports,
  );
}

/** A server of Claude Code, whose file cannot be read at the moment, and no other server has its name. */
function isUnread(
  { name, scope }: AdmittedServer,
  { files, servers, rejected }: AdmittedConfiguration,
): boolean {
  if (scope !== 'claude-code') return false;
  const isBroken = files.some((file) => file.scope === scope && file.state === 'invalid');
  return isBroken && ![...servers, ...rejected].some((now) => now.name === name);
}

/** The program states the server itself, as opposed to a file that it names. */
function isOfProgram({ scope, origin }: Pick<AdmittedServer, 'scope' | 'origin'>): boolean {
  return scope === 'dynamic' && origin.kind === 'given';
}

/** A server in the program's process takes precedence over servers of files with its name. */
async function loadedFrom(
  configuration: AdmittedConfiguration,
  options: Sources,
  ports: LoadPorts,
): Promise<LoadedConfiguration> {
  const { explain } = configuration;
  const settings = { ...DEFAULT_UPKEEP, ...options.upkeep };
  const { inProcess } = options.program;
  const taken = new Set(inProcess.map(([name]) => name));
  const program = {
    ...ports,
    settings,
    isLeftOut: (name: string) =>
      name === 'codebase' && configuration.codebase.some(({ disabled }) => disabled === true),
  };
  const servers = [
    ...configuration.servers
      .filter(({ name }) => !taken.has(name))
      .flatMap((server) => fromConfiguration(server, { ...ports, settings, explain }) ?? []),
    ...inProcess.map(([name, server]) => fromProgram(name, server, program)),
  ].toSorted((a, b) => (a.facts.name < b.facts.name ? -1 : 1));
  const calls = await callPolicies(configuration, {
    ...ports,
    trust: options.trust ?? 'stored',
    flow: options.flow ?? 'ask',
    inProcess: [...taken],
  });
  return { configuration, servers, calls };
}
