// Parses the address of a server: `HOST:PORT`, or either of them. Pure.

import { UsageError } from '../usage-error.ts';

export interface GivenAddress {
  readonly hostname: string;
  /** 0 means any free port. */
  readonly port: number;
}

export const DEFAULT_ADDRESS: GivenAddress = { hostname: '127.0.0.1', port: 4343 };

const MAX_PORT = 65_535;

/** A port alone, or a host with an optional port. A host with colons is in brackets. */
const FORM =
  /^(?:(?<only>\d{1,5})|(?:\[(?<v6>[\da-f:.]+)\]|(?<name>[a-z\d][\w.-]*))(?::(?<port>\d{1,5}))?)$/i;

/** The value of `--http`, which may be omitted. */
export function httpAddress(http: true | string | undefined): GivenAddress {
  return http === undefined || http === true ? DEFAULT_ADDRESS : parseAddress(http);
}

export function parseAddress(given: string): GivenAddress {
  const parts = FORM.exec(given)?.groups;
  const port = Number(parts?.['only'] ?? parts?.['port'] ?? DEFAULT_ADDRESS.port);
  if (parts !== undefined && port <= MAX_PORT) {
    return { hostname: parts['v6'] ?? parts['name'] ?? DEFAULT_ADDRESS.hostname, port };
  }
  throw new UsageError(
    `"${given}" is not an address`,
    'write a port, a host, or both: 4343, 127.0.0.1:4343 or [::1]:4343',
  );
}
