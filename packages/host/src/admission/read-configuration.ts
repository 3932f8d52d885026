// Everything that is configured, with what may start and what may not: the files, what connectors listed
// last, the policy lists and the trust store together. Reads files and nothing else; starts nothing,
// throws nothing.

import type { Diagnostic, PolicyList } from '../config/index.ts';
import type { ConfiguredConnector, ConnectorSettings } from '../connectors/index.ts';
import type { HostEnvironment } from '../platform/index.ts';
import {
  type Configuration,
  type ConnectorSource,
  loadConfig,
  type LoadOptions,
} from '../sources/index.ts';
import { admit, type AdmittedServer, type AdmissionInput } from './admission.ts';
import { withIdentityProvider } from './identity-provider.ts';
import { type AdmittedHook, type AdmittedPermissions, admitSettings } from './admitted-settings.ts';
import { readTrust, trustFile } from './trust-store.ts';

export interface ReadOptions extends Omit<LoadOptions, 'connectorServers'> {
  /** `project`: what came with this folder may start without having been approved, in this run. */
  readonly trust?: 'stored' | 'project';
}

export interface AdmittedConfiguration extends Omit<
  Configuration,
  'servers' | 'permissions' | 'hooks'
> {
  readonly servers: readonly AdmittedServer[];
  readonly permissions: readonly AdmittedPermissions[];
  /** Those that may run. */
  readonly hooks: readonly AdmittedHook[];
  /**
   * Servers that counted before and whose entry or file cannot be read just now, judged by the rules and
   * the approvals of now. To break a file must not keep alive what was taken back.
   */
  readonly readmit: (
    kept: readonly AdmittedServer[],
    before: Pick<Configuration, 'policies' | 'explain'>,
  ) => Promise<readonly AdmittedServer[]>;
}

export async function readConfiguration(options: ReadOptions): Promise<AdmittedConfiguration> {
  const { environment, trust: mode = 'stored', ...rest } = options;
  const [configuration, trust] = await Promise.all([
    loadConfig({
      ...rest,
      environment,
      connectorServers: (connectors) => storedLists(connectors, environment),
    }),
    readTrust(environment),
  ]);
  const judge = (judged: AdmissionInput): Promise<readonly AdmittedServer[]> =>
    admit(judged, environment, { store: trust, mode });
  const { root, folders } = configuration;
  const settings = admitSettings(configuration, { root, environment, folders, trust: mode });
  const [provider] = settings.identityProviders;
  const servers = (await judge(configuration)).map((server) =>
    withIdentityProvider(server, { provider, explain: configuration.explain }),
  );
  const curtailed = new Map(
    servers.flatMap(({ name, handover }) => (handover === undefined ? [] : [[name, handover]])),
  );
  const untrusted = servers.some(({ admission }) => admission.kind === 'untrusted');
  return {
    ...configuration,
    servers,
    permissions: settings.permissions,
    hooks: settings.hooks,
    codebase: settings.codebase,
    chat: settings.chat,
    identityProviders: settings.identityProviders,
    limits: settings.limits,
    explain: (name) => curtailed.get(name)?.fields ?? configuration.explain(name),
    readmit: (kept, { policies, explain }) =>
      judge({
        servers: kept,
        policies: [...configuration.policies, ...unreadable(policies, configuration)],
        root: configuration.root,
        without: configuration.without,
        explain,
      }),
    diagnostics: [
      ...configuration.diagnostics,
      ...settings.diagnostics,
      ...servers.flatMap(toldOf),
      ...(untrusted ? trust.diagnostics : []),
    ],
    watched: [
      ...configuration.watched,
      ...servers.flatMap(({ scripts = [] }) => scripts.map(({ path }) => path)),
      ...(await listFiles(configuration.connectors, environment)),
      trustFile(environment),
    ],
  };
}

/** The lists of files that cannot be read any more. */
function unreadable(lists: readonly PolicyList[], { files }: Configuration): readonly PolicyList[] {
  const broken = new Set(files.flatMap(({ path, state }) => (state === 'invalid' ? [path] : [])));
  return lists.filter(({ origin }) => origin.kind === 'file' && broken.has(origin.file));
}

/** What is withheld from a server that may start. What keeps it from starting is told with the server itself. */
function toldOf({ written, admission, handover }: AdmittedServer): readonly Diagnostic[] {
  const isUsed = admission.kind === 'admitted' && !written.disabled;
  return isUsed ? (handover?.warnings ?? []) : [];
}

async function storedLists(
  connectors: readonly ConfiguredConnector[],
  environment: HostEnvironment,
): Promise<readonly ConnectorSource[]> {
  if (connectors.length === 0) return [];
  const { readConnectorCache } = await import('../connectors/index.ts');
  const stored = await Promise.all(
    connectors.map(async (connector): Promise<readonly ConnectorSource[]> => {
      const settings = connectorSettings(connector);
      const list = settings && (await readConnectorCache(settings, environment));
      if (list === undefined) return [];
      return [{ connector, servers: list.servers, diagnostics: list.diagnostics }];
    }),
  );
  return stored.flat();
}

async function listFiles(
  connectors: readonly ConfiguredConnector[],
  environment: HostEnvironment,
): Promise<readonly string[]> {
  if (connectors.length === 0) return [];
  const { connectorFile } = await import('../connectors/index.ts');
  return connectors
    .flatMap((connector) => connectorSettings(connector) ?? [])
    .map((settings) => connectorFile(settings, environment));
}

/** What asking a connector takes; nothing while a variable of it is not set. */
export function connectorSettings({
  name,
  origin,
  resolved,
}: ConfiguredConnector): ConnectorSettings | undefined {
  if (resolved.kind !== 'ready' || !('url' in resolved.entry)) return undefined;
  const { url, headers, headersHelper } = resolved.entry;
  return { name, url, headers, origin, ...(headersHelper === undefined ? {} : { headersHelper }) };
}
