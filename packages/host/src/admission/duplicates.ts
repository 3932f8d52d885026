// Servers that are there twice: one that a plugin or a connector brings, and the same one written by
// hand or brought by another. The one written by hand always stays.

import {
  canonicalUrl,
  type EntryTarget,
  isBrought,
  precedence,
  type Scope,
} from '../config/index.ts';

export interface SignedServer {
  readonly name: string;
  readonly scope: Scope;
  /** See `signatureOf`. Without one it is like no other. */
  readonly signature: string | undefined;
}

/** The same for two servers that run the same command, or are reached at the same address. */
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

/** The name of each server that is suppressed, and by which. In the order of names. */
export function findDuplicates(servers: readonly SignedServer[]): ReadonlyMap<string, string> {
  const bestFirst = servers.toSorted(compareServers);
  const keepers = new Map<string, SignedServer>();
  for (const server of bestFirst) {
    const { signature } = server;
    if (signature !== undefined && !keepers.has(signature)) keepers.set(signature, server);
  }
  const suppressed = servers.flatMap((server): readonly (readonly [string, string])[] => {
    const keeper = server.signature === undefined ? undefined : keepers.get(server.signature);
    if (!isBrought(server.scope) || keeper === undefined || keeper.name === server.name) return [];
    return [[server.name, keeper.name]];
  });
  return new Map(suppressed.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Every other scope is stronger than these two, so that what is written by hand comes first. */
function compareServers(a: SignedServer, b: SignedServer): number {
  return precedence(b.scope) - precedence(a.scope) || (a.name < b.name ? -1 : 1);
}
