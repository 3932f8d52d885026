// A connector: an address that lists remote servers for a signed-in account, as the user or the owner
// of the machine configured it. A repository cannot configure one: its list would be asked for with
// the user's credentials, and what it answers would be connected to.

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

/** What asking a connector takes; `undefined` while a variable of it is not set. */
export function connectorSettings({
  name,
  origin,
  resolved,
}: ConfiguredConnector): ConnectorSettings | undefined {
  if (resolved.kind !== 'ready' || !('url' in resolved.entry)) return undefined;
  const { url, headers, headersHelper } = resolved.entry;
  return { name, url, headers, origin, ...(headersHelper === undefined ? {} : { headersHelper }) };
}
