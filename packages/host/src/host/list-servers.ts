// One list over many servers: each is asked for all its pages, and one that fails is told beside what
// the others gave.

import { never, type Result, shared } from '@plugboard/base';
import { type CutReason, listAll, type Listing } from '../catalog/index.ts';
import type { Page, ProtocolFailure, RequestOptions, Session } from '../protocol/index.ts';
import type { ServerQueries } from './server-queries.ts';
import type { Feature, Unanswered } from './unanswered.ts';

export interface ListOptions {
  /** All that may be used, by default. */
  readonly servers?: readonly string[];
  /** Asks also where an answer is kept that still counts. */
  readonly fresh?: boolean;
  readonly signal?: AbortSignal;
}

export interface ListProblems {
  /** The servers whose items are missing. */
  readonly problems: readonly Unanswered[];
  /** The servers of which only a part is there: they went on too long. */
  readonly cut: readonly { readonly server: string; readonly reason: CutReason }[];
  /** What was left out, since it is not what it should be. */
  readonly rejected: readonly {
    readonly server: string;
    readonly name: string;
    readonly reason: string;
  }[];
}

export interface ListOf<Item> {
  readonly feature: Feature;
  /** The method, under which the list is kept. */
  readonly key: string;
  /** Whether the server says so when it changes. */
  isTold(session: Session): boolean;
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

/** In the order of the servers, and of each as it listed them. */
export async function listServers<Item>(
  asking: ServerQueries,
  list: ListOf<Item>,
  options: ListOptions,
): Promise<ListedItems<Item>> {
  const { servers = asking.servers.usable, fresh = false } = options;
  const signal = shared(options.signal ?? never);
  const all = await Promise.all(
    servers.map(async (server) => ({
      server,
      listed: await askAll(asking, { list, server }, { signal, fresh }),
    })),
  );
  const found = all.flatMap(({ server, listed }) =>
    listed.ok ? [{ server, ...listed.value }] : [],
  );
  return {
    items: found.flatMap(({ server, items }) => items.map((item) => ({ server, item }))),
    problems: all.flatMap(({ listed }) =>
      // A server without any is no problem.
      listed.ok || listed.error.kind === 'unsupported' ? [] : [listed.error],
    ),
    cut: found.flatMap(({ server, cut }) => (cut === undefined ? [] : [{ server, reason: cut }])),
    rejected: found.flatMap(({ server, rejected }) => rejected.map((one) => ({ server, ...one }))),
  };
}

function askAll<Item>(
  asking: ServerQueries,
  { list, server }: { readonly list: ListOf<Item>; readonly server: string },
  options: { readonly signal: AbortSignal; readonly fresh: boolean },
): Promise<Result<Listing<Item>, Unanswered>> {
  const { feature, key, nameOf } = list;
  return asking.ask<Listing<Item>>(
    {
      server,
      feature,
      key,
      pace: 'list',
      ask: (session, request) =>
        listAll({ nameOf, page: (cursor) => list.page(session, cursor, request) }),
      keep: ({ freshness, cut }, session) => {
        if (cut !== undefined) return undefined;
        return freshness ?? (list.isTold(session) ? 'told' : undefined);
      },
    },
    options,
  );
}
