// Lists items over many servers: requests all pages of each, and reports servers that fail beside the items of the
// others.

import type { Result } from '@plugboard/base';
import { type CutReason, listAll, type Listing } from '../catalog/index.ts';
import type { Page, ProtocolFailure, RequestOptions, Session } from '../protocol/index.ts';
import type { CachedList, ServerQueries } from './server-queries.ts';
import type { Feature, Unanswered } from './unanswered.ts';

export interface ListOptions {
  /** All usable servers, by default. */
  readonly servers?: readonly string[];
  /** Ignores cached answers. */
  readonly fresh?: boolean;
  readonly signal?: AbortSignal;
}

export interface ListProblems {
  /** The servers whose items are missing. */
  readonly problems: readonly Unanswered[];
  /** The servers whose lists exceeded a limit and are incomplete. */
  readonly cut: readonly { readonly server: string; readonly reason: CutReason }[];
  /** Items that were left out because they are invalid. */
  readonly rejected: readonly {
    readonly server: string;
    readonly name: string;
    readonly reason: string;
  }[];
}

export interface ListOf<Item> extends CachedList {
  readonly feature: Feature;
  readonly nameOf: (item: Item) => string;
  page(
    session: Session,
    cursor: string | undefined,
    options: RequestOptions,
  ): Promise<Result<Page<Item>, ProtocolFailure>>;
}

export interface ListedItems<Item> extends ListProblems {
  readonly items: readonly { readonly server: string; readonly item: Item }[];
}

/** The items in the order of the servers, and for each server in its own order. */
export async function listServers<Item>(
  queries: ServerQueries,
  list: ListOf<Item>,
  options: ListOptions,
): Promise<ListedItems<Item>> {
  const { servers = queries.servers.usable } = options;
  const all = await Promise.all(
    servers.map(async (server) => ({
      server,
      listed: await listServer(queries, { list, server }, options),
    })),
  );
  const found = all.flatMap(({ server, listed }) =>
    listed.ok ? [{ server, ...listed.value }] : [],
  );
  return {
    items: found.flatMap(({ server, items }) => items.map((item) => ({ server, item }))),
    problems: all.flatMap(({ listed }) =>
      // A server without the feature is not a problem.
      listed.ok || listed.error.kind === 'unsupported' ? [] : [listed.error],
    ),
    cut: found.flatMap(({ server, cut }) => (cut === undefined ? [] : [{ server, reason: cut }])),
    rejected: found.flatMap(({ server, rejected }) => rejected.map((one) => ({ server, ...one }))),
  };
}

function listServer<Item>(
  queries: ServerQueries,
  { list, server }: { readonly list: ListOf<Item>; readonly server: string },
  options: ListOptions,
): Promise<Result<Listing<Item>, Unanswered>> {
  const { feature, key, announcedAs, nameOf } = list;
  return queries.run<Listing<Item>>(
    {
      server,
      feature,
      key,
      pace: 'list',
      send: (session, request) =>
        listAll({ nameOf, page: (cursor) => list.page(session, cursor, request) }),
      keep: ({ freshness, cut }, session) => {
        if (cut !== undefined) return undefined;
        const isAnnounced =
          announcedAs !== undefined && session.features.announces.has(announcedAs);
        return freshness ?? (isAnnounced ? 'told' : undefined);
      },
    },
    options,
  );
}
