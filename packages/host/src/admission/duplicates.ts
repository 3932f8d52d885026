// Finds servers of plugins and connectors that duplicate another server. A server that was configured by hand
// is never suppressed.

import {
  canonicalUrl,
  type EntryTarget,
  isFromPluginOrConnector,
  precedence,
  type Scope,
} from '../config/index.ts';

export interface SignedServer {
  readonly name: string;
  readonly scope: Scope;
  /** See `signatureOf`. A server without one has no duplicates. */
  readonly signature: string | undefined;
}

/** Equal for two servers that run the same command or have the same address. */
export function signatureOf(target: EntryTarget): string | undefined {
  switch (target.kind) {
    case 'command':
      return JSON.stringify(['command', ...target.argv]);
    case 'url': {
      const url = canonicalUrl(target.url);
      if (url === undefined) return undefined;
      const { scheme, host, port, path, query } = url;
      return JSON.stringify(['url', scheme, host, port, path, query]);
    }
    case 'none':
      return undefined;
    default:
      return target satisfies never;
  }
}

/** The names of suppressed servers, each with the server that suppresses it, in the order of names. */
export function findDuplicates(servers: readonly SignedServer[]): ReadonlyMap<string, string> {
  const bestFirst = servers.toSorted(compareServers);
  const keepers = new Map<string, SignedServer>();
  for (const server of bestFirst) {
    const { signature } = server;
    if (signature !== undefined && !keepers.has(signature)) keepers.set(signature, server);
  }
  const suppressed = servers.flatMap((server): readonly (readonly [string, string])[] => {
    const keeper = server.signature === undefined ? undefined : keepers.get(server.signature);
    if (
      !isFromPluginOrConnector(server.scope) ||
      keeper === undefined ||
      keeper.name === server.name
    )
      return [];
    return [[server.name, keeper.name]];
  });
  return new Map(suppressed.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Servers that were configured by hand come first, since plugins and connectors are the weakest scopes. */
function compareServers(a: SignedServer, b: SignedServer): number {
  return precedence(b.scope) - precedence(a.scope) || (a.name < b.name ? -1 : 1);
}
