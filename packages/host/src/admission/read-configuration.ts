// Everything that is configured, with what may start and what may not: the files, what connectors listed
// last, the policy lists and the trust store together. Reads files and nothing else; starts nothing,
// throws nothing.

import {
  type Configuration,
  type ConfiguredConnector,
  type ConfiguredServer,
  type ConnectorSource,
  type Diagnostic,
  loadConfig,
  type LoadOptions,
} from '../config/index.ts';
import { connectorFile, type ConnectorSettings, readConnectorCache } from '../connectors/index.ts';
import type { HostEnvironment } from '../platform/index.ts';
import { admit, type Admission } from './admission.ts';
import { readTrust, trustFile } from './trust-store.ts';

export interface ReadOptions extends Omit<LoadOptions, 'connectorServers'> {
  /** `project`: what came with this folder may start without having been approved, in this run. */
  readonly trust?: 'stored' | 'project';
}

export interface AdmittedServer extends ConfiguredServer {
  readonly admission: Admission;
}

export interface AdmittedConfiguration extends Omit<Configuration, 'servers'> {
  readonly servers: readonly AdmittedServer[];
}

export async function readConfiguration(options: ReadOptions): Promise<AdmittedConfiguration> {
  const { environment, trust: mode = 'stored', ...rest } = options;
  const configuration = await loadConfig({
    ...rest,
    environment,
    connectorServers: (connectors) => storedLists(connectors, environment),
  });
  const trust = mode === 'project' ? 'everything' : await readTrust(environment);
  const admissions = await admit(configuration, trust);
  const untrusted = admissions.some(({ kind }) => kind === 'untrusted');
  return {
    ...configuration,
    servers: configuration.servers.map((server, index) => ({
      ...server,
      admission: admissions[index] ?? { kind: 'admitted' },
    })),
    diagnostics: [...configuration.diagnostics, ...storeProblems(trust, untrusted)],
    watched: [
      ...configuration.watched,
      ...configuration.connectors
        .flatMap((connector) => connectorSettings(connector) ?? [])
        .map((settings) => connectorFile(settings, environment)),
      trustFile(environment),
    ],
  };
}

/** A store that cannot be used matters where something waits for an approval. */
function storeProblems(
  trust: Awaited<ReturnType<typeof readTrust>> | 'everything',
  isNeeded: boolean,
): readonly Diagnostic[] {
  return trust === 'everything' || !isNeeded ? [] : trust.diagnostics;
}

async function storedLists(
  connectors: readonly ConfiguredConnector[],
  environment: HostEnvironment,
): Promise<readonly ConnectorSource[]> {
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
