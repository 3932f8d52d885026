// Finds the server of an item that was named without one. If several servers have an item with that name, none is
// chosen: otherwise a server could take over another's name. Pure.

import { closestName } from '../config/index.ts';
import type { Unanswered } from './unanswered.ts';

export type Located =
  | { readonly kind: 'found'; readonly server: string }
  | { readonly kind: 'several'; readonly asked: string; readonly servers: readonly string[] }
  | {
      readonly kind: 'none';
      readonly asked: string;
      /** The nearest existing name. */
      readonly nearest: string | undefined;
      /** Servers that may have it and could not be listed. */
      readonly problems: readonly Unanswered[];
    };

export interface FoundNames {
  readonly asked: string;
  /** All existing names. */
  readonly names: readonly string[];
  readonly problems: readonly Unanswered[];
}

export function locatedIn(
  owners: readonly { readonly server: string }[],
  { asked, names, problems }: FoundNames,
): Located {
  const servers = [...new Set(owners.map(({ server }) => server))];
  const [server] = servers;
  if (server === undefined) {
    return { kind: 'none', asked, nearest: closestName(asked, names), problems };
  }
  return servers.length === 1 ? { kind: 'found', server } : { kind: 'several', asked, servers };
}

/** The server of the listed item with this name. */
export function locatedByName(
  asked: string,
  listed: readonly { readonly server: string; readonly name: string }[],
  problems: readonly Unanswered[],
): Located {
  const owners = listed.filter(({ name }) => name === asked);
  return locatedIn(owners, { asked, names: listed.map(({ name }) => name), problems });
}
