// Reads the stored lists of the configured connectors.

import type { Diagnostic } from '../config/index.ts';
import type { HostEnvironment } from '../platform/index.ts';
import { connectorSettings } from './connector-settings.ts';
import { connectorFile, readConnectorCache } from './connector-store.ts';
import type { ConfiguredConnector } from './read-connectors.ts';

/** The latest list of a connector. */
export interface ConnectorSource {
  readonly connector: ConfiguredConnector;
  readonly servers: readonly { readonly name: string; readonly entry: unknown }[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface StoredLists {
  readonly sources: readonly ConnectorSource[];
  /** The files of the lists, which need not exist yet. */
  readonly files: readonly string[];
}

export async function storedLists(
  connectors: readonly ConfiguredConnector[],
  environment: Pick<HostEnvironment, 'paths'>,
): Promise<StoredLists> {
  const usable = connectors.flatMap((connector) => {
    const settings = connectorSettings(connector);
    return settings === undefined ? [] : [{ connector, settings }];
  });
  const sources = await Promise.all(
    usable.map(async ({ connector, settings }): Promise<readonly ConnectorSource[]> => {
      const list = await readConnectorCache(settings, environment);
      if (list === undefined) return [];
      return [{ connector, servers: list.servers, diagnostics: list.diagnostics }];
    }),
  );
  return {
    sources: sources.flat(),
    files: usable.map(({ settings }) => connectorFile(settings, environment)),
  };
}
