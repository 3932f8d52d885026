// A connector: an address that lists remote servers for a signed-in account, configured by the user or the
// machine's owner. A repository cannot configure one: Plugboard would send the user's credentials to it, and
// connect to the servers that it lists.

import type { Origin } from '../config/index.ts';
import type { ConfiguredConnector } from './read-connectors.ts';

export interface ConnectorSettings {
  readonly name: string;
  readonly url: string;
  /** With variables filled in; never shown. */
  readonly headers: Readonly<Record<string, string>>;
  /** A command that prints more headers. `HeadersOf` runs it. */
  readonly headersHelper?: string;
  readonly origin: Origin;
}

/** The settings for a request to a connector; `undefined` if one of its variables is not set. */
export function connectorSettings({
  name,
  origin,
  resolved,
}: ConfiguredConnector): ConnectorSettings | undefined {
  if (resolved.kind !== 'ready' || !('url' in resolved.entry)) return undefined;
  const { url, headers, headersHelper } = resolved.entry;
  return { name, url, headers, origin, ...(headersHelper === undefined ? {} : { headersHelper }) };
}
