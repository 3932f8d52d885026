// The permissions with which a server could harm its user: to use a model, and, for a remote server, to learn
// the names of the user's folders. Only the user, the program and the machine's owner can grant them, and
// only to their own servers: otherwise a project could reuse the name of such a server. Pure.

import {
  type ConfiguredServer,
  entryOf,
  type FieldReport,
  isDestination,
  isForeignSource,
  type ProjectPlace,
  transportOf,
} from '../config/index.ts';

export interface OwnGrants {
  readonly sampling: boolean;
  readonly roots: boolean;
}

export interface GrantContext extends ProjectPlace {
  /** Every field of a server with its sources. */
  readonly explain: (name: string) => readonly FieldReport[];
}

export function ownGrants(server: ConfiguredServer, context: GrantContext): OwnGrants {
  const { written } = server;
  return {
    sampling: written.sampling?.enabled === true && isOwn(server, ['sampling', 'enabled'], context),
    roots: transportOf(written.kind).isLocal
      ? written.roots !== false
      : written.roots === true && isOwn(server, ['roots'], context),
  };
}

function isOwn(server: ConfiguredServer, path: readonly string[], context: GrantContext): boolean {
  if (isForeignSource(server, context)) return false;
  const fields = context.explain(server.name);
  const isRedirected = fields.some(
    ({ path: at, from: [first] }) =>
      first !== undefined && isDestination(at) && isForeignSource(entryOf(first), context),
  );
  // A source that decides what runs under this name would use the grant.
  if (isRedirected) return false;
  const field = fields.find(
    (one) => one.path.length === path.length && path.every((key, at) => one.path[at] === key),
  );
  return field?.from.some((source) => !isForeignSource(entryOf(source), context)) ?? false;
}
