// Which requests a server may make to the host. Some could harm the user: to use a model, and, for a remote server, to
// learn the names of the user's folders. Only the user, the program and the machine's owner can grant these, and only
// to their own servers: otherwise a project could reuse the name of such a server. Pure.

import { type ConfiguredServer, isDestination, isForeign, transportOf } from '../config/index.ts';
import type { Configuration } from '../sources/index.ts';

/** The keys are those of the requests (protocol/neutral/inbound-requests.ts). */
interface OwnGrants {
  readonly elicit: boolean;
  readonly sample: boolean;
  readonly roots: boolean;
}

/** For a server of the program: by running the program the user runs it, but does not grant it a model. */
export const PROGRAM_GRANTS: OwnGrants = { elicit: true, sample: false, roots: true };

export function ownGrants(
  server: ConfiguredServer,
  { explain }: Pick<Configuration, 'explain'>,
): OwnGrants {
  const { written } = server;
  return {
    // The user reads each question and answers it.
    elicit: true,
    sample: written.sampling?.enabled === true && isOwn(server, ['sampling', 'enabled'], explain),
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
