// The permissions with which a server could harm its user: to use a model, and, for a remote server, to learn
// the names of the user's folders. Only the user, the program and the machine's owner can grant them, and
// only to their own servers: otherwise a project could reuse the name of such a server. Pure.

import { type ConfiguredServer, isDestination, isForeign, transportOf } from '../config/index.ts';
import type { Configuration } from '../sources/index.ts';

export interface OwnGrants {
  readonly sampling: boolean;
  readonly roots: boolean;
}

export function ownGrants(
  server: ConfiguredServer,
  { explain }: Pick<Configuration, 'explain'>,
): OwnGrants {
  const { written } = server;
  return {
    sampling: written.sampling?.enabled === true && isOwn(server, ['sampling', 'enabled'], explain),
    roots: transportOf(written.kind).isLocal
      ? written.roots !== false
      : written.roots === true && isOwn(server, ['roots'], explain),
  };
}

function isOwn(
  server: ConfiguredServer,
  path: readonly string[],
  explain: Configuration['explain'],
): boolean {
  if (isForeign(server.author)) return false;
  const fields = explain(server.name);
  const isRedirected = fields.some(
    ({ path: at, from: [first] }) =>
      first !== undefined && isDestination(at) && isForeign(first.author),
  );
  // A source that decides what runs under this name would use the grant.
  if (isRedirected) return false;
  const field = fields.find(
    (one) => one.path.length === path.length && path.every((key, at) => one.path[at] === key),
  );
  return field?.from.some((source) => !isForeign(source.author)) ?? false;
}
